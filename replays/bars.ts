/** Recorded hourly bars, and the ticks that a source would have sent for them. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { parseDecimal, price, type Instrument, type Price } from '@fairlot/core'
import type { InstrumentSeed } from '../apps/server/src/seed/seed.ts'

/** The hourly files of a folder. */
const FILE = /^([A-Z]{6})_h1_.*\.csv\.gz$/
const HEADER = 'ts_ms,o,h,l,c,tick_volume'
const POINTS = 4
export const BAR_MS = 3_600_000
/** From one point of a bar to the next, ms. */
export const STEP_MS = BAR_MS / POINTS
/** Factor on a typical spread in a volatile market. */
const SPREAD_FACTOR = 3

/** Bids of one hour in ticks; `time` is its start, epoch ms. */
type Bar = {
  readonly time: number
  readonly open: Price
  readonly high: Price
  readonly low: Price
  readonly close: Price
}

/** One instrument's bars of a period. */
export type RecordedBars = {
  readonly instrument: Instrument
  /** In ticks. */
  readonly spread: number
  readonly bars: ReadonlyMap<number, Bar>
}

/** The folder's hourly bars from `from` up to `to` (epoch ms) of every instrument we know; throws where a file is not to be read. */
export function readBars(
  folder: string,
  seeds: readonly InstrumentSeed[],
  { from, to }: { from: number; to: number },
): RecordedBars[] {
  const files = existsSync(folder) ? readdirSync(folder).toSorted() : []
  return files.flatMap((file) => {
    const seed = seeds.find(({ instrument }) => instrument.code === FILE.exec(file)?.[1])
    if (!seed) return []
    const { instrument, typicalSpread } = seed
    const [header, ...lines] = gunzipSync(readFileSync(join(folder, file)))
      .toString()
      .trim()
      .split('\n')
    if (header !== HEADER) throw new Error(`${file} does not begin with "${HEADER}".`)
    const bars = lines
      .filter((line) => Number(line.split(',', 1)[0]) >= from && Number(line.split(',', 1)[0]) < to)
      .map((line) => readBar(line, instrument.priceDecimals))
    const spread = typicalSpread * SPREAD_FACTOR
    return [{ instrument, spread, bars: new Map(bars.map((bar) => [bar.time, bar])) }]
  })
}

function readBar(line: string, decimals: number): Bar {
  const [time, ...cells] = line.split(',')
  const read = (cell: string | undefined): Price => {
    const ticks = cell === undefined ? null : parseDecimal(cell, decimals)
    if (ticks === null) throw new Error(`This is not a bar: ${line}`)
    return price(Number(ticks))
  }
  const [open, high, low, close] = cells
  return { time: Number(time), open: read(open), high: read(high), low: read(low), close: read(close) }
}

/** The bid at one of the four points of the hour that contains `at`; null where nothing is recorded. */
export function bidAt({ bars }: RecordedBars, at: number): Price | null {
  const hour = Math.floor(at / BAR_MS) * BAR_MS
  const bar = bars.get(hour)
  if (!bar) return null
  const { open, high, low, close } = bar
  // A rising bar is assumed to pass its low first.
  const way = close >= open ? [open, low, high, close] : [open, high, low, close]
  return way[Math.floor((at - hour) / STEP_MS)] ?? null
}
