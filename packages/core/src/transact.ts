import type { Command, TickCommand } from './command.ts'
import { decide } from './decide.ts'
import { decideTrigger } from './decide-trigger.ts'
import type { Entry, Event, Request } from './event.ts'
import { evolve, evolveEvent, rememberedRequest } from './evolve.ts'
import type { Posting } from './ledger.ts'
import { isRejection, reject, type Rejection } from './rejection.ts'
import type { RememberedRequest, State } from './state.ts'
import type { Trigger } from './trigger-heap.ts'

/** A command that took effect. An entry without events changed nothing and need not be kept. */
export type Outcome = {
  readonly entry: Entry
  readonly postings: readonly Posting[]
  /** True when the request had taken effect before; the entry is the one of that time. */
  readonly isRepeat: boolean
}

/**
 * Takes one command through decide and evolve. Deterministic: the same commands on the same state give the same
 * outcome. A refused command leaves the state as it was.
 */
export function transact(state: State, command: Command): Outcome | Rejection {
  if (command.type === 'tick') return transactTick(state, command)
  if (command.type === 'clock') return transactTriggers(state, state.triggers.expired(command.at), command.at)
  const request = 'request' in command && command.request ? command.request : null
  const earlier = request && rememberedRequest(state, request, command.at)
  if (request && earlier) return repeat(request, earlier)
  const decision = decide(state, command)
  if (isRejection(decision)) return decision
  const entry: Entry = { at: command.at, request, events: decision }
  return { entry, postings: evolve(state, entry), isRepeat: false }
}

function repeat(request: Request, earlier: RememberedRequest): Outcome | Rejection {
  if (earlier.request.digest !== request.digest) return reject('requestIdReused', { requestId: request.id })
  return { entry: earlier, postings: [], isRepeat: true }
}

/**
 * The price moves first; then orders end whose time is over, so that none of them fills any more, and what the price
 * reaches fires. On most ticks that is nothing, and costs five comparisons.
 */
function transactTick(state: State, { quote, at }: TickCommand): Outcome {
  const { quotes, triggers } = state
  quotes.set(quote.instrumentId, quote)
  const expired = triggers.expired(at)
  const reached = triggers.isReachedBy(quote) ? triggers.due(quote) : NOTHING
  return transactTriggers(state, expired.length > 0 ? [...expired, ...reached] : reached, at)
}

const NOTHING: readonly Trigger[] = []

/** Each trigger is decided on what the ones before it left behind. */
function transactTriggers(state: State, due: readonly Trigger[], at: number): Outcome {
  const events: Event[] = []
  const postings: Posting[] = []
  for (const trigger of due) {
    for (const event of decideTrigger(state, trigger, at)) {
      postings.push(...evolveEvent(state, event, at))
      events.push(event)
    }
  }
  return { entry: { at, request: null, events }, postings, isRepeat: false }
}
