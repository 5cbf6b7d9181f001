import { midPrice, price, type Instrument, type Price } from '@fairlot/core'

/** One press of a price stepper is about this part of the price: a pip for most pairs. */
const STEP_PART = 10_000
/** A stop set by the first press stands this many steps away: 0.2 % of the price. */
const START_STEPS = 20

/** The step of price fields in ticks: 1, 2 or 5 times a power of ten, near one ten-thousandth of the price. */
export function priceStep(mid: Price): number {
  const wanted = Math.max(1, Math.abs(mid) / STEP_PART)
  const power = 10 ** Math.floor(Math.log10(wanted))
  const nice = [5, 2, 1].find((factor) => factor * power <= wanted) ?? 1
  return Math.max(1, Math.round(nice * power))
}

type Quoted = { readonly bid: Price; readonly ask: Price }

/**
 * The next price of a field after one press, up (1) or down (-1), on the grid of the step. An empty field starts at a
 * sensible distance from the market on the side of the press, never nearer than stops may stand. It ends at zero where the
 * instrument has no negative prices.
 */
export function steppedPrice(
  now: Price | null,
  by: 1 | -1,
  market: {
    readonly instrument: Pick<Instrument, 'minStopDistance' | 'allowsNegativePrice'>
    readonly quote: Quoted
  },
): Price {
  const mid = midPrice(market.quote)
  const step = priceStep(mid)
  const lowest = market.instrument.allowsNegativePrice ? -Infinity : 0
  if (now !== null) return price(Math.max(lowest, onGrid(now + by * step, step, by)))
  const away = Math.max(START_STEPS * step, 2 * market.instrument.minStopDistance)
  const from = by === 1 ? market.quote.ask : market.quote.bid
  return onGrid(from + by * away, step, by)
}

/** The grid's price at or next to `ticks`, not passing it against the direction of the press. */
const onGrid = (ticks: number, step: number, by: 1 | -1): Price =>
  price(by === 1 ? Math.floor(ticks / step) * step : Math.ceil(ticks / step) * step)
