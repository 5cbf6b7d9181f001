import { formatDecimal } from '@fairlot/core'
import type { FeedInstrument } from '../feed.ts'
import type { Random } from './random.ts'
import { YEAR_MS } from './walk.ts'

/** A simulated offer; prices are plain decimals of the instrument's precision. */
export type SimulatedTick = { readonly code: string; readonly bid: string; readonly ask: string }

/** Sets the quotes of one instrument around its true price; null when it does not tick at `now` (ms since the start). */
export type Quoter = (truePrice: number, now: number) => SimulatedTick | null

/** Mean time between two ticks: about 3 a second for what moves much against its spread, 1.4 s for what hardly moves. */
const QUICKEST_MS = 250
const SLOWEST_MS = 1_400
/** Mean time for what takes a second to move a quarter of its spread; grows with the root of that time. */
const INTERVAL_SCALE_MS = 260
/** No quote grows older, the timer's step apart: far below the freshness limit. */
const LONGEST_MS = 1_800
/** How slowly the spread changes from tick to tick, and how far: its standard deviation around the typical one. */
const SPREAD_MEMORY = 0.9
const SPREAD_DEVIATION = 0.12

/**
 * Ticks at random times, and at once when the true price has left the quote: the true price always lies between bid and
 * ask. The spread is at least one tick, between half and twice the typical one.
 */
export function createQuoter(instrument: FeedInstrument, random: Random): Quoter {
  const { code, priceDecimals } = instrument
  const scale = 10 ** priceDecimals
  const typicalTicks = instrument.typicalSpread * scale
  const meanMs = meanIntervalMs(instrument)
  let breath = 0
  let bid = 1
  let ask = 0
  let dueAt = 0
  return (truePrice, now) => {
    const mid = truePrice * scale
    if (now < dueAt && bid <= mid && mid <= ask) return null
    breath = SPREAD_MEMORY * breath + Math.sqrt(1 - SPREAD_MEMORY ** 2) * SPREAD_DEVIATION * random.normal()
    const spread = Math.max(1, Math.round(typicalTicks * Math.min(2, Math.max(0.5, 1 + breath))))
    bid = Math.round(mid - spread / 2)
    ask = bid + spread
    dueAt = now + Math.min(LONGEST_MS, meanMs * (0.5 + random.uniform()))
    return { code, bid: formatDecimal(bid, priceDecimals), ask: formatDecimal(ask, priceDecimals) }
  }
}

/** Mean time between two ticks of an instrument, ms. */
export function meanIntervalMs(instrument: FeedInstrument): number {
  const quarterSpread = instrument.typicalSpread / instrument.referencePrice / 4
  const seconds = ((quarterSpread / instrument.yearlyVolatility) ** 2 * YEAR_MS) / 1_000
  return Math.min(SLOWEST_MS, Math.max(QUICKEST_MS, INTERVAL_SCALE_MS * Math.sqrt(seconds)))
}
