/** The money formulas of trading-rules §3 once more, written from the page. Amounts in 1e-6, lots in 1e-4, prices in ticks. */
import type { PlainInstrument } from '../plain.ts'

/** `over / under`, exact; `under` is never zero. */
export type Quotient = { readonly over: bigint; readonly under: bigint }

export const UNITY: Quotient = { over: 1n, under: 1n }

const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value)

/** Half away from zero. */
export function rounded({ over, under }: Quotient): bigint {
  const whole = sizeOf(over) / sizeOf(under)
  const rest = sizeOf(over) % sizeOf(under)
  const size = rest + rest >= sizeOf(under) ? whole + 1n : whole
  return over < 0n === under < 0n ? size : -size
}

export const plus = (a: Quotient, b: Quotient): Quotient =>
  a.under === b.under
    ? { over: a.over + b.over, under: a.under }
    : { over: a.over * b.under + b.over * a.under, under: a.under * b.under }

export const times = (a: Quotient, b: Quotient): Quotient => ({
  over: a.over * b.over,
  under: a.under * b.under,
})

export const upsideDown = (a: Quotient): Quotient => ({ over: a.under, under: a.over })

/** Money amounts of a price move or a price: ticks x lots x units per lot x q, in 1e-6 of the account currency. */
function worth(instrument: PlainInstrument, ticks: bigint, lots: number, q: Quotient): Quotient {
  const tick = { over: 1n, under: 10n ** BigInt(instrument.priceDecimals) }
  const lot = { over: BigInt(lots), under: 10_000n }
  const scaled = { over: ticks * BigInt(instrument.contractSize) * 1_000_000n, under: 1n }
  return times(times(times(scaled, tick), lot), q)
}

/** Fixed: lots x money per lot. Otherwise N / leverage, N = lots x units x |price| x q. */
export function referenceMargin(
  instrument: PlainInstrument,
  size: { lots: number; leverage: number; price: number },
  q: Quotient,
): bigint {
  if (instrument.marginMode === 'fixed') {
    return rounded({ over: BigInt(size.lots * instrument.contractSize) * 1_000_000n, under: 10_000n })
  }
  const notional = worth(instrument, sizeOf(BigInt(size.price)), size.lots, q)
  return rounded({ over: notional.over, under: notional.under * BigInt(size.leverage) })
}

/** Type 1 (fixed) = lots x fee rate; otherwise margin as rounded x fee rate. */
export function referenceFee(
  instrument: PlainInstrument,
  feeType: 'fixed' | 'rate',
  size: { lots: number; margin: bigint },
): bigint {
  const rate = { over: BigInt(instrument.feeRate), under: 1_000_000n }
  const of =
    feeType === 'fixed'
      ? { over: BigInt(size.lots) * 1_000_000n, under: 10_000n }
      : { over: size.margin, under: 1n }
  return rounded(times(of, rate))
}

/** Fixed: margin x leverage x (close - open) / open. Otherwise (close - open) x lots x units x q. Negative for a sell. */
export function referenceProfit(
  instrument: PlainInstrument,
  order: { side: 'buy' | 'sell'; lots: number; leverage: number; margin: bigint; openPrice: number },
  closePrice: number,
  q: Quotient,
): Quotient {
  const gain = order.side === 'buy' ? closePrice - order.openPrice : order.openPrice - closePrice
  if (instrument.marginMode !== 'fixed') return worth(instrument, BigInt(gain), order.lots, q)
  return { over: order.margin * BigInt(order.leverage) * BigInt(gain), under: BigInt(order.openPrice) }
}

/**
 * Overnight financing: lots x units x |mid| x q x rate / 100 / 360, as often as the night counts; fixed: exposure instead
 * of lots x units x |mid| x q. The rate is in 1e-6 percent a year.
 */
export function referenceSwap(
  instrument: PlainInstrument,
  order: { side: 'buy' | 'sell'; lots: number; leverage: number; margin: bigint },
  night: { quote: { bid: number; ask: number }; q: Quotient; times: number; yearlyRate: number },
): bigint {
  const twiceMid = sizeOf(BigInt(night.quote.bid + night.quote.ask))
  const notional = worth(instrument, twiceMid, order.lots, times(night.q, { over: 1n, under: 2n }))
  const exposure = { over: order.margin * BigInt(order.leverage), under: 1n }
  const percent = { over: BigInt(night.yearlyRate), under: 1_000_000n }
  const yearly = times(instrument.marginMode === 'fixed' ? exposure : notional, percent)
  return rounded(times(yearly, { over: BigInt(night.times), under: 100n * 360n }))
}
