/** The published price in the reference model (trading-rules §1): the source's with the current mark-up on each side. */
import type { PlainQuote } from '../plain-types.ts'
import { rounded } from './money.ts'
import type { ReferenceModel } from './state.ts'

export function withMarkUp(model: ReferenceModel, sent: PlainQuote): PlainQuote {
  const instrument = model.instruments.find(({ id }) => id === sent.instrumentId)
  const millionths = BigInt(instrument?.markUp ?? 0)
  const twiceMid = BigInt(sent.bid) + BigInt(sent.ask)
  const markUp = rounded({
    numerator: (twiceMid < 0n ? -twiceMid : twiceMid) * millionths,
    denominator: 2_000_000n,
  })
  const mayBeNegative = instrument?.allowsNegativePrice === true
  // A positive price stays positive.
  const markUpTicks = mayBeNegative ? Number(markUp) : Math.min(Number(markUp), sent.bid - 1)
  if (markUpTicks === 0) return sent
  return { ...sent, bid: sent.bid - markUpTicks, ask: sent.ask + markUpTicks, markUp: markUpTicks }
}
