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
  stringify(rows as CsvRow[], {
    ...{ header: true, bom: true, columns: [...columns], record_delimiter: 'windows' },
    cast: { string: (text, { header }) => (header ? text : disarmed(text)) },
  })

const NUMBER = /^-?\d+(\.\d+)?$/

const disarmed = (text: string): string =>
  /^[=+\-@\t\r\uFF0B\uFF0D\uFF1D\uFF20]/u.test(text) && !NUMBER.test(text) ? `'${text}` : text
