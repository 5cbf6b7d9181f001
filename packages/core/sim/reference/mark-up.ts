/** The published price once more (trading-rules §1): what the source sent, and the mark-up of now on both sides. */
import type { PlainQuote } from '../plain.ts'
import { rounded } from './money.ts'
import type { ReferenceModel } from './state.ts'

export function published(model: ReferenceModel, sent: PlainQuote): PlainQuote {
  const instrument = model.instruments.find(({ id }) => id === sent.instrumentId)
  const millionths = BigInt(instrument?.markUp ?? 0)
  const twiceMid = BigInt(sent.bid) + BigInt(sent.ask)
  const share = rounded({ over: (twiceMid < 0n ? -twiceMid : twiceMid) * millionths, under: 2_000_000n })
  const mayBeNegative = instrument?.allowsNegativePrice === true
  // A price above zero stays above zero.
  const ticks = mayBeNegative ? Number(share) : Math.min(Number(share), sent.bid - 1)
  if (ticks === 0) return sent
  return { ...sent, bid: sent.bid - ticks, ask: sent.ask + ticks, markUp: ticks }
}
