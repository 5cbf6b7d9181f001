import { readLines, type RecordedFile, type RecordedTick, type Recording, ROW_SHAPES } from './recording.ts'

/** A tick of a merged recording. */
export type MergedTick = RecordedTick & { readonly code: string }

/** Reads a file row by row; `head` is its next tick, null at its end. */
type Cursor = {
  readonly file: RecordedFile
  head: RecordedTick | null
  /** Ticks of the rows read so far, and the index of `head` in them. */
  batch: RecordedTick[]
  next: number
  lines: AsyncGenerator<string[]> | null
}

/**
 * All ticks of a recording in the order of their time, some hundred at a time; equal times of one file stay in its order.
 * Each file is opened when its first tick is due and holds one chunk in memory. A bar is left out when a better file
 * of the same instrument has a tick inside it. `onBroken` is called for each line that cannot be read.
 */
export async function* mergeRecording(
  { files }: Recording,
  onBroken: () => void,
): AsyncGenerator<MergedTick[]> {
  // At equal times the worse file comes first, while the better one still covers the bar.
  const cursors = files.map(unopened).sort((a, b) => rankOf(b.file) - rankOf(a.file))
  try {
    let merged: MergedTick[] = []
    for (let cursor = earliest(cursors); cursor; cursor = earliest(cursors)) {
      const tick = cursor.lines ? take(cursor, cursors) : null
      if (tick) merged.push(tick)
      if (cursor.next < cursor.batch.length) continue
      if (merged.length > 0) yield merged
      merged = []
      await refill(cursor, onBroken)
    }
  } finally {
    for (const cursor of cursors) await cursor.lines?.return(undefined)
  }
}

const rankOf = (file: RecordedFile): number => ROW_SHAPES.indexOf(file.shape)

const unopened = (file: RecordedFile): Cursor => ({
  file,
  head: { time: file.firstTime, bid: '', ask: '' },
  batch: [],
  next: 0,
  lines: null,
})

function earliest(cursors: readonly Cursor[]): Cursor | null {
  let found: Cursor | null = null
  for (const cursor of cursors) {
    if (cursor.head && (!found?.head || cursor.head.time < found.head.time)) found = cursor
  }
  return found
}

/** Takes the head of a cursor, or skips its bar when a better file covers it. */
function take(cursor: Cursor, cursors: readonly Cursor[]): MergedTick | null {
  const { head, file } = cursor
  if (!head) return null
  const isOpenOfBar = file.barMs > 0 && cursor.next % 4 === 0
  if (isOpenOfBar && isCovered(file, head.time, cursors)) {
    advance(cursor, 4)
    return null
  }
  advance(cursor, 1)
  return { ...head, code: file.code }
}

function advance(cursor: Cursor, count: number): void {
  cursor.next += count
  cursor.head = cursor.batch[cursor.next] ?? cursor.head
}

const isCovered = (bars: RecordedFile, start: number, cursors: readonly Cursor[]): boolean =>
  cursors.some(
    ({ file, head }) =>
      file.code === bars.code &&
      rankOf(file) < rankOf(bars) &&
      head !== null &&
      head.time < start + bars.barMs,
  )

/** Reads until the next readable row; a truncated file counts as one broken line and ends there. */
async function refill(cursor: Cursor, onBroken: () => void): Promise<void> {
  const isFirst = cursor.lines === null
  cursor.lines ??= readLines(cursor.file.path)
  cursor.batch = []
  cursor.next = 0
  let skipsHeader = isFirst
  while (cursor.batch.length === 0) {
    const lines = await nextLines(cursor.lines, onBroken)
    if (!lines) break
    const rows = skipsHeader ? lines.slice(1) : lines
    skipsHeader = false
    cursor.batch = rows.flatMap((row) => ticksOf(cursor.file, row, onBroken))
  }
  cursor.head = cursor.batch[0] ?? null
}

async function nextLines(lines: AsyncGenerator<string[]>, onBroken: () => void): Promise<string[] | null> {
  try {
    const { value, done } = await lines.next()
    return done ? null : value
  } catch {
    onBroken()
    return null
  }
}

function ticksOf(file: RecordedFile, row: string, onBroken: () => void): readonly RecordedTick[] {
  if (row === '') return []
  const ticks = file.readRow(row)
  if (!ticks) onBroken()
  return ticks ?? []
}
