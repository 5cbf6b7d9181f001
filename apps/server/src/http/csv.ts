import { setImmediate as nextTurn } from 'node:timers/promises'
import { csv } from '../load-when-needed.ts'

/** A row of a list as a spreadsheet has it; money and prices as their exact text. */
export type CsvRow = Readonly<Record<string, string | number | null>>

const OPTIONS = { record_delimiter: 'windows' } as const

/**
 * A list as CSV by RFC 4180, piece by piece, with a first line of names. Cells that a spreadsheet would take for a formula are disarmed
 * by an apostrophe before them; amounts below zero stay numbers.
 */
export async function* csvOf(
  columns: readonly string[],
  pages: AsyncIterable<readonly CsvRow[]> | Iterable<readonly CsvRow[]>,
): AsyncGenerator<string> {
  const { stringify } = csv()
  yield stringify([columns], { ...OPTIONS, bom: true })
  for await (const rows of pages)
    yield stringify(rows as CsvRow[], { ...OPTIONS, columns: [...columns], cast: { string: disarmed } })
}

/** Rows written at once. */
const SLICE_ROWS = 1_000

/** The same of rows that are at hand: whoever waits for an order has their turn between their slices. */
export async function csvInSlices(columns: readonly string[], rows: readonly CsvRow[]): Promise<string> {
  const pieces: string[] = []
  for await (const piece of csvOf(columns, slicesOf(rows))) pieces.push(piece)
  return pieces.join('')
}

async function* slicesOf(rows: readonly CsvRow[]): AsyncGenerator<readonly CsvRow[]> {
  for (let place = 0; place < rows.length; place += SLICE_ROWS) {
    if (place > 0) await nextTurn()
    yield rows.slice(place, place + SLICE_ROWS)
  }
}

const NUMBER = /^-?\d+(\.\d+)?$/

const disarmed = (text: string): string =>
  /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/u.test(text) && !NUMBER.test(text) ? `'${text}` : text
