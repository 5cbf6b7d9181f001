import { fieldProblems, marketProblem, type TicketProblems } from './problems.ts'
import { isTooDear, summarise, type TicketSummary } from './ticket-summary.ts'
import { readTicket } from './ticket-parser.ts'
import type { TicketState } from './ticket-state.ts'
import type { TicketTerms } from './ticket-terms.ts'

export type WorkedTicket = { readonly summary: TicketSummary; readonly problems: TicketProblems }

/** All that a ticket says of an order that was sent now: what it would do, and what stands in its way. Done once for each change. */
export function workOutTicket(state: TicketState, terms: TicketTerms): WorkedTicket {
  const reading = readTicket(state, terms.instrument)
  const summary = summarise(reading, state, terms)
  return {
    summary,
    problems: {
      market: marketProblem(terms),
      buy: fieldProblems('buy', reading, { state, terms }),
      sell: fieldProblems('sell', reading, { state, terms }),
      isTooDear: {
        buy: isTooDear(summary.buy.cost, terms),
        sell: isTooDear(summary.sell.cost, terms),
      },
    },
  }
}
