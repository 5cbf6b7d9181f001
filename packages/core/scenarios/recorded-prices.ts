import { existsSync, readFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { parseDecimal } from '../src/model/decimal.ts'
import { price, type Price } from '../src/model/number.ts'

/** The sample of this repository, and recordings beside it that a clone may lack. */
export const SAMPLES = new URL('../../../samples/', import.meta.url)
export const RECORDINGS = new URL('../../../../shared/data/', import.meta.url)

/** True when the recordings are there; says loudly on the console when they are not. */
export function hasRecordings(): boolean {
  const isThere = existsSync(RECORDINGS)
  if (!isThere) console.warn('SKIPPED: no recorded market data in ../shared/data, its tests do not run')
  return isThere
}

/** One line of a recording: its time (epoch ms), then prices in ticks. */
export type RecordedRow = { readonly time: number; readonly prices: readonly Price[] }

/** Reads a gzipped CSV of `ts_ms` and then `count` prices with at most `decimals` digits after the point. */
export function readRecording(folder: URL, file: string, decimals: number, count: number): RecordedRow[] {
  const lines = gunzipSync(readFileSync(new URL(file, folder)))
    .toString('utf8')
    .trim()
    .split('\n')
  return lines.slice(1).map((line) => {
    const [time, ...cells] = line.split(',')
    return { time: Number(time), prices: cells.slice(0, count).map((cell) => toTicks(cell, decimals)) }
  })
}

function toTicks(cell: string, decimals: number): Price {
  const ticks = parseDecimal(cell, decimals)
  if (ticks === null) throw new Error(`"${cell}" is no price with ${decimals} decimals`)
  return price(Number(ticks))
}
