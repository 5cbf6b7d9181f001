/** References that operators admit (trading-rules §11), and the market ticks that confirm them. */
import { isConfirmed } from '../model/author.ts'
import type { AdmitReference } from '../model/command.ts'
import type { Event, ReferenceSettled } from '../model/event.ts'
import { receiptTick } from '../model/receipt.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import type { State } from '../state/state.ts'
import type { Quote } from '../model/quote.ts'

/** Always by two operators, the second not of the dealing desk. */
export function decideReference(
  { instruments }: Pick<State, 'instruments'>,
  { by, instrumentId, bid, ask, source, market }: AdmitReference,
): Event[] | Rejection {
  if (!instruments.has(instrumentId)) return reject('unknownInstrument')
  const isSupervised = by.second?.role === 'compliance' || by.second?.role === 'administrator'
  if (!isConfirmed(by) || !isSupervised) return reject('secondOperatorNeeded')
  return [{ type: 'referenceAdmitted', instrumentId, bid, ask, source, market }]
}

/** The first price that does not depend on an admitted reference any more. */
export const referenceSettledBy = (
  { admitted }: Pick<State, 'admitted'>,
  quote: Quote,
): ReferenceSettled | null =>
  admitted.has(quote.instrumentId) && !quote.admitted
    ? { type: 'referenceSettled', instrumentId: quote.instrumentId, tick: receiptTick(quote) }
    : null
