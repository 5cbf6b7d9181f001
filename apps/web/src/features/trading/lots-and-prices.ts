import {
  formatDecimal,
  type Instrument,
  lots,
  type Lots,
  LOTS_DECIMALS,
  parseDecimal,
  price,
  type Price,
  type Side,
} from '@fairlot/core'

/** Number of decimals that a lot step needs: 2 for a step of 0.01. */
export function lotDecimals(step: Lots): number {
  let decimals = LOTS_DECIMALS
  for (let rest: number = step; decimals > 0 && rest % 10 === 0; rest /= 10) decimals--
  return decimals
}

/** Lots as a plain decimal with the digits of the step: "0.10". */
export const lotText = (lots: Lots, step: Lots): string => {
  const decimals = lotDecimals(step)
  const divisor = 10 ** (LOTS_DECIMALS - decimals)
  // A size off the step is shown with all its digits, never rounded.
  return lots % divisor === 0 ? formatDecimal(lots / divisor, decimals) : formatDecimal(lots, LOTS_DECIMALS)
}

/** The content of a field: nothing, unreadable text, or an exact value. */
export type Parsed<Value> =
  | { readonly is: 'empty' }
  | { readonly is: 'wrong' }
  | { readonly is: 'value'; readonly value: Value }

export const EMPTY = { is: 'empty' } as const
export const UNREADABLE = { is: 'wrong' } as const

export function parseLots(text: string): Parsed<Lots> {
  if (text.trim() === '') return EMPTY
  const units = parseDecimal(text, LOTS_DECIMALS)
  return units === null ? UNREADABLE : { is: 'value', value: lots(Number(units)) }
}

/** A price in ticks. With `zeroClears` zero counts as empty, which is how the API writes "none". */
export function parsePrice(text: string, priceDecimals: number, zeroClears: boolean): Parsed<Price> {
  if (text.trim() === '') return EMPTY
  const ticks = parseDecimal(text, priceDecimals)
  if (ticks === null) return UNREADABLE
  if (ticks === 0n && zeroClears) return EMPTY
  return { is: 'value', value: price(Number(ticks)) }
}

export const valueOf = <Value>(parsed: Parsed<Value>): Value | null =>
  parsed.is === 'value' ? parsed.value : null

/** One press of a price stepper moves by about this part of the price: a pip for most pairs. */
const STEP_PART = 10_000
/** The first press sets a stop this many steps away: 0.2 % of the price. */
const START_STEPS = 20

/** The step of price fields in ticks: 1, 2 or 5 times a power of ten, near one ten-thousandth of the price. */
export function priceStep(mid: Price): number {
  const wanted = Math.max(1, Math.abs(mid) / STEP_PART)
  const power = 10 ** Math.floor(Math.log10(wanted))
  const nice = [5, 2, 1].find((factor) => factor * power <= wanted) ?? 1
  return Math.max(1, Math.round(nice * power))
}

/** Whether traders count distances in pips of ten ticks: prices of 3 and 5 decimals, as of currency pairs. */
export const hasPips = (priceDecimals: number): boolean => priceDecimals === 3 || priceDecimals === 5

export type StopName = 'stopLoss' | 'takeProfit'

/** On which side of the market a stop must lie: a buy's loss and a sell's profit below. */
export const stopSide = (name: StopName, side: Side): 'below' | 'above' =>
  (name === 'stopLoss') === (side === 'buy') ? 'below' : 'above'

type Bounds = Pick<Instrument, 'minStopDistance' | 'allowsNegativePrice'>

/** The instrument's limits for a price, and the price from which the step is calculated. */
type StepContext = { readonly instrument: Bounds; readonly reference: Price }

/** The price after one press up (1) or down (-1), on the grid of the step; not below zero unless negative prices are allowed. */
export function nextPrice(now: Price, direction: 1 | -1, { instrument, reference }: StepContext): Price {
  const step = priceStep(reference)
  const lowest = instrument.allowsNegativePrice ? -Infinity : 0
  return price(Math.max(lowest, onGrid(now + direction * step, step, direction)))
}

/** First price of an empty field: at a sensible distance from the reference, never nearer than the minimum stop distance. */
export function firstPrice(direction: 1 | -1, { instrument, reference }: StepContext): Price {
  const step = priceStep(reference)
  const away = Math.max(START_STEPS * step, 2 * instrument.minStopDistance)
  const lowest = instrument.allowsNegativePrice ? -Infinity : 1
  return price(Math.max(lowest, onGrid(reference + direction * away, step, direction)))
}

/** First price of an empty stop, on the side of the market where it is valid. */
export const firstStop = (name: StopName, side: Side, around: StepContext): Price =>
  firstPrice(stopSide(name, side) === 'below' ? -1 : 1, around)

/** The grid price at or next to `ticks`, rounded against the direction of the press. */
const onGrid = (ticks: number, step: number, direction: 1 | -1): Price =>
  price(direction === 1 ? Math.floor(ticks / step) * step : Math.ceil(ticks / step) * step)
