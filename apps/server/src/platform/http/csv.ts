import { setImmediate as yieldToLoop } from 'node:timers/promises'
import { csv } from '../lazy-packages.ts'

/** A row of a CSV file; money and prices are exact text. */
export type CsvRow = Readonly<Record<string, string | number | null>>

/** A column: the key of its cells, and its head where that differs. */
export type CsvColumn = string | { readonly key: string; readonly header: string }

/** All characters that some program reads as the end of a line. */
const LINE_END = /[\n\r\v\f\u0085\u2028\u2029]/u

const OPTIONS = { record_delimiter: 'windows', quoted_match: LINE_END } as const

/**
 * A list as CSV (RFC 4180) in chunks, with a header; cells that contain a line end are quoted. An apostrophe prevents that
 * a spreadsheet evaluates a cell as a formula. It is added at the start of each line of a cell, because a program that
 * splits lines first would start a cell there. Negative amounts stay numbers.
 */
export async function* csvOf(
  columns: readonly CsvColumn[],
  pages: AsyncIterable<readonly CsvRow[]> | Iterable<readonly CsvRow[]>,
): AsyncGenerator<string> {
  const { stringify } = csv()
  const heads = columns.map((column) => (typeof column === 'string' ? column : column.header))
  yield stringify([heads], { ...OPTIONS, bom: true })
  for await (const rows of pages)
    yield stringify(rows as CsvRow[], {
      ...OPTIONS,
      columns: [...columns],
      cast: { string: withoutFormulas },
    })
}

/** Rows written in one slice. */
const SLICE_ROWS = 1_000

/** The CSV text of rows, written in slices, so that other requests are handled in between. */
export async function csvInSlices(columns: readonly CsvColumn[], rows: readonly CsvRow[]): Promise<string> {
  const pieces: string[] = []
  for await (const piece of csvOf(columns, slicesOf(rows))) pieces.push(piece)
  return pieces.join('')
}

async function* slicesOf(rows: readonly CsvRow[]): AsyncGenerator<readonly CsvRow[]> {
  for (let place = 0; place < rows.length; place += SLICE_ROWS) {
    if (place > 0) await yieldToLoop()
    yield rows.slice(place, place + SLICE_ROWS)
  }
}

const NUMBER = /^-?\d+(\.\d+)?$/

/** The start of a line that would be a formula, quoted or not. */
const FORMULA = /(?<=^|[\n\r\v\f\u0085\u2028\u2029])(?="*[=+\-@\t\uFF0B\uFF0D\uFF1D\uFF20])/gu

const withoutFormulas = (text: string): string => (NUMBER.test(text) ? text : text.replace(FORMULA, "'"))
