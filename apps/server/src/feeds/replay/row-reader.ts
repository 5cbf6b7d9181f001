import { formatDecimal } from '@fairlot/core'
import type { FeedInstrument } from '../feed.ts'
import { priceInTicks } from '../tick-reader.ts'

/** What the rows of a recording are. The better one of two for the same instrument and moment is played. */
export type RowShape = 'ticks' | 'twoSidedBars' | 'oneSidedBars'

/** Best first. */
export const ROW_SHAPES: readonly RowShape[] = ['ticks', 'twoSidedBars', 'oneSidedBars']

/** An offer of a recording: text as recorded, time in epoch ms of the recording. */
export type RecordedTick = { readonly time: number; readonly bid: string; readonly ask: string }

/** The ticks of one row, ascending by time; null when it cannot be read. */
export type RowReader = (line: string) => readonly RecordedTick[] | null

const HEADERS: Readonly<Record<RowShape, readonly string[]>> = {
  ticks: ['ts_ms', 'bid', 'ask'],
  twoSidedBars: ['ts_ms', 'bid_o', 'bid_h', 'bid_l', 'bid_c', 'ask_o', 'ask_h', 'ask_l', 'ask_c'],
  oneSidedBars: ['ts_ms', 'o', 'h', 'l', 'c'],
}

const TIME = /^\d{1,15}$/
const DECIMAL = /^-?\d{1,12}(?:\.\d{1,18})?$/

/** What a file holds, by its first line: column names, others between them allowed. Null when it is no recording. */
export function shapeOf(header: string): RowShape | null {
  const names = columnNames(header)
  return ROW_SHAPES.find((shape) => HEADERS[shape].every((name) => names.includes(name))) ?? null
}

/**
 * Reads rows of a shape under the given header. A bar becomes four ticks at its start and its first, second and third quarter:
 * open, then low and high (a falling bar: high and low), then close. A one-sided bar is taken for the mid, with the
 * instrument's typical spread around it.
 */
export function createRowReader(
  shape: RowShape,
  header: string,
  barMs: number,
  instrument: FeedInstrument,
): RowReader {
  const names = columnNames(header)
  const columns = HEADERS[shape].map((name) => names.indexOf(name))
  return (line) => {
    const fields = line.split(',')
    const [time = '', ...prices] = columns.map((column) => fields[column]?.trim() ?? '')
    if (!TIME.test(time) || !prices.every((text) => DECIMAL.test(text))) return null
    return ticksOfRow(shape, Number(time), prices, barMs, instrument)
  }
}

const columnNames = (header: string): string[] =>
  header
    .replace(/^\uFEFF/, '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())

function ticksOfRow(
  shape: RowShape,
  time: number,
  prices: readonly string[],
  barMs: number,
  instrument: FeedInstrument,
): readonly RecordedTick[] | null {
  if (shape === 'ticks') return [{ time, bid: prices[0] ?? '', ask: prices[1] ?? '' }]
  if (shape === 'twoSidedBars') return ticksOfBar(time, barMs, prices.slice(0, 4), prices.slice(4))
  const offers = prices.map((mid) => offerAround(mid, instrument))
  const bids = offers.flatMap((offer) => offer?.bid ?? [])
  const asks = offers.flatMap((offer) => offer?.ask ?? [])
  return asks.length === 4 ? ticksOfBar(time, barMs, bids, asks) : null
}

/** Bids and asks in the order open, high, low, close. */
function ticksOfBar(
  time: number,
  barMs: number,
  bids: readonly string[],
  asks: readonly string[],
): RecordedTick[] {
  const isFalling = Number(bids[3]) < Number(bids[0])
  const order = isFalling ? [0, 1, 2, 3] : [0, 2, 1, 3]
  return order.map((column, quarter) => ({
    time: time + Math.floor((quarter * barMs) / 4),
    bid: bids[column] ?? '',
    ask: asks[column] ?? '',
  }))
}

/** An odd spread leaves the mid half a tick below the price, and half a tick rounds away from zero: to the price. */
function offerAround(text: string, instrument: FeedInstrument): { bid: string; ask: string } | null {
  const { priceDecimals, typicalSpread } = instrument
  const mid = priceInTicks(text, priceDecimals)
  if (mid === null) return null
  const spread = Math.max(1, Math.round(typicalSpread * 10 ** priceDecimals))
  const bid = mid - Math.ceil(spread / 2)
  return { bid: formatDecimal(bid, priceDecimals), ask: formatDecimal(bid + spread, priceDecimals) }
}
