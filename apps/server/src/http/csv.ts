import { setImmediate as nextTurn } from 'node:timers/promises'
import { stringify } from 'csv-stringify/sync'

/** A row of a list as a spreadsheet has it; money and prices as their exact text. */
export type CsvRow = Readonly<Record<string, string | number | null>>

/** Rows in one file at most: what is more is searched for more narrowly. */
export const CSV_ROWS_MAX = 50_000

/**
 * A list as CSV by RFC 4180, with a first line of names. Cells that a spreadsheet would take for a formula are disarmed by an apostrophe
 * before them; amounts below zero stay numbers.
 */
export const csvOf = (columns: readonly string[], rows: readonly CsvRow[]): string =>
  linesOf(columns, rows, true)

/** Rows written at once. */
const SLICE_ROWS = 1_000

/** The same in slices, for files that may be long: whoever waits for an order has their turn between them. */
export async function csvInSlices(columns: readonly string[], rows: readonly CsvRow[]): Promise<string> {
  const slices = [linesOf(columns, rows.slice(0, SLICE_ROWS), true)]
  for (let place = SLICE_ROWS; place < rows.length; place += SLICE_ROWS) {
    await nextTurn()
    slices.push(linesOf(columns, rows.slice(place, place + SLICE_ROWS), false))
  }
  return slices.join('')
}

const linesOf = (columns: readonly string[], rows: readonly CsvRow[], isFirst: boolean): string =>
  stringify(rows as CsvRow[], {
    ...{ header: isFirst, bom: isFirst, columns: [...columns], record_delimiter: 'windows' },
    cast: { string: (text, { header }) => (header ? text : disarmed(text)) },
  })

const NUMBER = /^-?\d+(\.\d+)?$/

const disarmed = (text: string): string =>
  /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/u.test(text) && !NUMBER.test(text) ? `'${text}` : text
