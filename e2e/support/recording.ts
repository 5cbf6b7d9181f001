import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { unitsIn } from './figures.ts'

const TICKS = fileURLToPath(new URL('../../samples/eurusd-2014-05-02.ticks.csv.gz', import.meta.url))
const BARS = fileURLToPath(new URL('../../samples/eurusd-2014-05-02.m1.csv.gz', import.meta.url))
const DECIMALS = 5

/** A tick of the recorded EURUSD day; prices in units of 0.00001, time in epoch ms. */
export type RecordedTick = { readonly time: number; readonly bid: bigint; readonly ask: bigint }

type Prices = { readonly open: bigint; readonly high: bigint; readonly low: bigint; readonly close: bigint }

/** A minute bar as published with the ticks. */
export type RecordedBar = { readonly time: number; readonly bid: Prices; readonly ask: Prices }

/** The recording as a value of the setting FEED. */
export const RECORDING = TICKS

function rowsOf(path: string): string[][] {
  const [, ...lines] = gunzipSync(readFileSync(path)).toString('utf8').trim().split('\n')
  return lines.map((line) => line.trim().split(','))
}

/** The ticks from `from` (included) to `until` (excluded), in file order. */
export const recordedTicks = (from: number, until: number): RecordedTick[] =>
  rowsOf(TICKS)
    .map(([time, bid = '', ask = '']) => ({
      time: Number(time),
      bid: unitsIn(bid, DECIMALS),
      ask: unitsIn(ask, DECIMALS),
    }))
    .filter(({ time }) => time >= from && time < until)

/** The published bar of the minute that begins at a moment. */
export function recordedBar(time: number): RecordedBar {
  const row = rowsOf(BARS).find(([start]) => Number(start) === time)
  if (!row) throw new Error(`the recording has no minute at ${new Date(time).toISOString()}`)
  const prices = (at: number): Prices => {
    const [open = 0n, high = 0n, low = 0n, close = 0n] = row
      .slice(at, at + 4)
      .map((text) => unitsIn(text, DECIMALS))
    return { open, high, low, close }
  }
  return { time, bid: prices(1), ask: prices(5) }
}
