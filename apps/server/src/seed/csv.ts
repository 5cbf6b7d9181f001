import { readFileSync } from 'node:fs'

/** One line of a table: the cell of a named column, as text. Throws an Error when there is no such column. */
export type Row = { readonly line: number; readonly cell: (column: string) => string }

/**
 * Reads one of the tables in this folder: a header, then one row a line, cells between commas, no quoting. Throws an Error
 * naming the line whose cells are not as many as the header's.
 */
export function readTable(file: string): Row[] {
  const lines = readFileSync(new URL(file, import.meta.url), 'utf8')
    .trim()
    .split(/\r?\n/)
  const columns = (lines[0] ?? '').split(',')
  return lines.slice(1).map((text, index) => toRow(file, columns, text, index + 2))
}

function toRow(file: string, columns: readonly string[], text: string, line: number): Row {
  const cells = text.split(',')
  if (cells.length !== columns.length) {
    throw new Error(`${file} line ${line} has ${cells.length} cells, not ${columns.length}`)
  }
  return {
    line,
    cell(column) {
      const value = cells[columns.indexOf(column)]
      if (value === undefined) throw new Error(`${file} has no column ${column}`)
      return value
    },
  }
}
