/**
 * The money formulas of trading-rules §3, written independently of the core. Amounts in 1e-6, lots in 1e-4, prices in
 * ticks.
 */
import type { PlainInstrument } from '../plain-types.ts'

/** An exact fraction; the denominator is never zero. */
export type Quotient = { readonly numerator: bigint; readonly denominator: bigint }

export const UNITY: Quotient = { numerator: 1n, denominator: 1n }

const absolute = (value: bigint): bigint => (value < 0n ? -value : value)

/** Half away from zero. */
export function rounded({ numerator, denominator }: Quotient): bigint {
  const whole = absolute(numerator) / absolute(denominator)
  const rest = absolute(numerator) % absolute(denominator)
  const size = rest + rest >= absolute(denominator) ? whole + 1n : whole
  return numerator < 0n === denominator < 0n ? size : -size
}

export const plus = (a: Quotient, b: Quotient): Quotient =>
  a.denominator === b.denominator
    ? { numerator: a.numerator + b.numerator, denominator: a.denominator }
    : {
        numerator: a.numerator * b.denominator + b.numerator * a.denominator,
        denominator: a.denominator * b.denominator,
      }

export const times = (a: Quotient, b: Quotient): Quotient => ({
  numerator: a.numerator * b.numerator,
  denominator: a.denominator * b.denominator,
})

export const inverseOf = (a: Quotient): Quotient => ({ numerator: a.denominator, denominator: a.numerator })

/** Value of a price or a price move: ticks x lots x units per lot x q, in 1e-6 of the account currency. */
function valueOf(instrument: PlainInstrument, ticks: bigint, lots: number, q: Quotient): Quotient {
  const tick = { numerator: 1n, denominator: 10n ** BigInt(instrument.priceDecimals) }
  const lot = { numerator: BigInt(lots), denominator: 10_000n }
  const scaled = { numerator: ticks * BigInt(instrument.contractSize) * 1_000_000n, denominator: 1n }
  return times(times(times(scaled, tick), lot), q)
}

/** Fixed: lots x money per lot. Otherwise N / leverage, N = lots x units x |price| x q. */
export function referenceMargin(
  instrument: PlainInstrument,
  size: { lots: number; leverage: number; price: number },
  q: Quotient,
): bigint {
  if (instrument.marginMode === 'fixed') {
    return rounded({
      numerator: BigInt(size.lots * instrument.contractSize) * 1_000_000n,
      denominator: 10_000n,
    })
  }
  const notional = valueOf(instrument, absolute(BigInt(size.price)), size.lots, q)
  return rounded({ numerator: notional.numerator, denominator: notional.denominator * BigInt(size.leverage) })
}

/** Type 1 (fixed) = lots x fee rate; otherwise rounded margin x fee rate. */
export function referenceFee(
  instrument: PlainInstrument,
  feeType: 'fixed' | 'rate',
  size: { lots: number; margin: bigint },
): bigint {
  const rate = { numerator: BigInt(instrument.feeRate), denominator: 1_000_000n }
  const base =
    feeType === 'fixed'
      ? { numerator: BigInt(size.lots) * 1_000_000n, denominator: 10_000n }
      : { numerator: size.margin, denominator: 1n }
  return rounded(times(base, rate))
}

/** Fixed: margin x leverage x (close - open) / open. Otherwise (close - open) x lots x units x q. Negative for a sell. */
export function referenceProfit(
  instrument: PlainInstrument,
  order: { side: 'buy' | 'sell'; lots: number; leverage: number; margin: bigint; openPrice: number },
  closePrice: number,
  q: Quotient,
): Quotient {
  const gain = order.side === 'buy' ? closePrice - order.openPrice : order.openPrice - closePrice
  if (instrument.marginMode !== 'fixed') return valueOf(instrument, BigInt(gain), order.lots, q)
  return {
    numerator: order.margin * BigInt(order.leverage) * BigInt(gain),
    denominator: BigInt(order.openPrice),
  }
}

/**
 * Overnight swap: lots x units x |mid| x q x rate / 100 / 360, times the count of the rollover; in fixed margin mode
 * the exposure replaces lots x units x |mid| x q. The rate is in 1e-6 percent a year.
 */
export function referenceSwap(
  instrument: PlainInstrument,
  order: { side: 'buy' | 'sell'; lots: number; leverage: number; margin: bigint },
  rollover: { quote: { bid: number; ask: number }; q: Quotient; times: number; yearlyRate: number },
): bigint {
  const twiceMid = absolute(BigInt(rollover.quote.bid + rollover.quote.ask))
  const notional = valueOf(
    instrument,
    twiceMid,
    order.lots,
    times(rollover.q, { numerator: 1n, denominator: 2n }),
  )
  const exposure = { numerator: order.margin * BigInt(order.leverage), denominator: 1n }
  const percent = { numerator: BigInt(rollover.yearlyRate), denominator: 1_000_000n }
  const yearly = times(instrument.marginMode === 'fixed' ? exposure : notional, percent)
  return rounded(times(yearly, { numerator: BigInt(rollover.times), denominator: 100n * 360n }))
}
