import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { formatDecimal } from '@fairlot/core'
import { priceInTicks, type FeedInstrument } from '../feed.ts'
import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'

/** Longer lines are cut, so that a file without line ends cannot fill the memory. */
const LONGEST_LINE = 65_536

/** Lines of a text file (`.gz` is unpacked), some thousand at a time. Throws when it cannot be read. */
export async function* readLines(path: string): AsyncGenerator<string[]> {
  let rest = ''
  for await (const chunk of textOf(path)) {
    const lines = (rest + String(chunk)).split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(0, LONGEST_LINE)
    if (lines.length > 0) yield lines
  }
  if (rest) yield [rest]
}

function textOf(path: string): AsyncIterable<unknown> {
  const bytes = createReadStream(path)
  if (!path.toLowerCase().endsWith('.gz')) return bytes.setEncoding('utf8')
  // The callback keeps a broken archive from ending the process; the reading loop throws the error.
  return pipeline(bytes, createGunzip(), () => undefined).setEncoding('utf8')
}

/** The kind of rows of a recording. Of two for the same instrument and time the better one is played. */
export type RowShape = 'ticks' | 'twoSidedBars' | 'oneSidedBars'

/** Best first. */
export const ROW_SHAPES: readonly RowShape[] = ['ticks', 'twoSidedBars', 'oneSidedBars']

/** A recorded quote: prices as recorded, time in epoch ms of the recording. */
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

/** The shape of a file by the column names in its first line; other columns are allowed. Null when it is not a recording. */
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
  const quotes = prices.map((mid) => quoteAround(mid, instrument))
  const bids = quotes.flatMap((quote) => quote?.bid ?? [])
  const asks = quotes.flatMap((quote) => quote?.ask ?? [])
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

/** With an odd spread the mid is half a tick below the price, and rounds up to it. */
function quoteAround(text: string, instrument: FeedInstrument): { bid: string; ask: string } | null {
  const { priceDecimals, typicalSpread } = instrument
  const mid = priceInTicks(text, priceDecimals)
  if (mid === null) return null
  const spread = Math.max(1, Math.round(typicalSpread * 10 ** priceDecimals))
  const bid = mid - Math.ceil(spread / 2)
  return { bid: formatDecimal(bid, priceDecimals), ask: formatDecimal(bid + spread, priceDecimals) }
}

/** One file of a recording. */
export type RecordedFile = {
  readonly path: string
  readonly code: string
  readonly shape: RowShape
  /** Length of a bar; 0 for ticks. */
  readonly barMs: number
  /** Time of the first readable row, epoch ms. */
  readonly firstTime: number
  readonly readRow: RowReader
}

/** Files in order of their first rows, never empty; `ignored` names other files of the folder. */
export type Recording = { readonly files: readonly RecordedFile[]; readonly ignored: readonly string[] }

type Problem = { readonly problem: string }

const FILE_NAME = /\.csv(\.gz)?$/i
const MINUTE_MS = 60_000
const BAR_MS: Readonly<Record<string, number>> = {
  m1: MINUTE_MS,
  m5: 5 * MINUTE_MS,
  m15: 15 * MINUTE_MS,
  m30: 30 * MINUTE_MS,
  h1: 60 * MINUTE_MS,
  h4: 240 * MINUTE_MS,
}

/**
 * Opens a recording: one file, or all files of a folder. A file's name begins with the instrument's code; `m1`, `m5`, `m15`,
 * `m30`, `h1` or `h4` in it is the length of its bars, m1 by default.
 */
export async function openRecording(
  path: string,
  instruments: readonly FeedInstrument[],
): Promise<Recording | Problem> {
  const paths = await filesAt(path)
  if (paths === null) return { problem: `the recording "${path}" does not exist or cannot be read` }
  const files: RecordedFile[] = []
  const ignored: string[] = []
  for (const file of paths) {
    const opened = await openFile(file, instruments)
    if (opened) files.push(opened)
    else ignored.push(basename(file))
  }
  if (files.length === 0)
    return { problem: `"${path}" holds no recording (.csv or .csv.gz) of an instrument` }
  return { files: files.sort((a, b) => a.firstTime - b.firstTime), ignored }
}

async function filesAt(path: string): Promise<string[] | null> {
  try {
    if (!(await stat(path)).isDirectory()) return [path]
    const names = (await readdir(path)).filter((name) => FILE_NAME.test(name))
    return names.sort().map((name) => join(path, name))
  } catch {
    return null
  }
}

async function openFile(path: string, instruments: readonly FeedInstrument[]): Promise<RecordedFile | null> {
  const name = basename(path).toUpperCase()
  const code = /^[A-Z0-9]+/.exec(name)?.[0]
  const instrument = instruments.find((candidate) => candidate.code.toUpperCase() === code)
  if (!instrument || !FILE_NAME.test(name)) return null
  try {
    return await readBeginning(path, instrument)
  } catch {
    return null
  }
}

async function readBeginning(path: string, instrument: FeedInstrument): Promise<RecordedFile | null> {
  let header: string | null = null
  for await (const lines of readLines(path)) {
    header ??= lines.shift() ?? ''
    const shape = shapeOf(header)
    if (!shape) return null
    const barMs = shape === 'ticks' ? 0 : barLength(path)
    const readRow = createRowReader(shape, header, barMs, instrument)
    for (const line of lines) {
      const first = readRow(line)?.[0]
      if (first) return { path, code: instrument.code, shape, barMs, firstTime: first.time, readRow }
    }
  }
  return null
}

function barLength(path: string): number {
  const parts = basename(path)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return BAR_MS[parts.find((part) => part in BAR_MS) ?? 'm1'] ?? MINUTE_MS
}
