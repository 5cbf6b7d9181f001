import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { FeedInstrument } from '../feed.ts'
import { readLines } from './line-reader.ts'
import { createRowReader, shapeOf, type RowReader, type RowShape } from './row-reader.ts'

/** One file of a recording. */
export type RecordedFile = {
  readonly path: string
  readonly code: string
  readonly shape: RowShape
  /** Length of a bar; 0 for ticks. */
  readonly barMs: number
  /** Time of the first row that can be read, epoch ms. */
  readonly firstTime: number
  readonly readRow: RowReader
}

/** Files in the order of their first rows, never empty; `ignored` names those that are not of an instrument or not recordings. */
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
 * Looks at a recording: one file, or all files of a folder. A file's name begins with the instrument's code; `m1`, `m5`,
 * `m15`, `m30`, `h1` or `h4` in it is the length of its bars (m1 where none stands).
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
  const words = basename(path)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return BAR_MS[words.find((word) => word in BAR_MS) ?? 'm1'] ?? MINUTE_MS
}
