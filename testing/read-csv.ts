/**
 * Reads CSV as a spreadsheet does, independently of the code that writes ours: outside quotes any kind of line break
 * ends the row. Throws for unbalanced quotes and for rows of different lengths. The first row is the header.
 */
export function readCsv(text: string): {
  readonly header: readonly string[]
  readonly rows: readonly string[][]
} {
  const [header = [], ...rows] = rowsOf(text.replace(/^\uFEFF/, ''))
  for (const row of rows)
    if (row.length !== header.length)
      throw new Error(`a row has ${row.length} cells, not ${header.length}: ${JSON.stringify(row)}`)
  return { header, rows }
}

/** A quoted or unquoted cell, and what ends it. */
const CELL =
  /(?:"((?:[^"]|"")*)"|([^",\n\r\v\f\u0085\u2028\u2029]*))(,|\r\n|[\n\r\v\f\u0085\u2028\u2029]|$)/uy

function rowsOf(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  CELL.lastIndex = 0
  while (CELL.lastIndex < text.length || row.length > 0) {
    const at = CELL.lastIndex
    const found = CELL.exec(text)
    if (!found) throw new Error(`no cell can be read at ${JSON.stringify(text.slice(at, at + 40))}`)
    const [, quoted, plain = '', end] = found
    row.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === ',') continue
    rows.push(row)
    row = []
  }
  return rows
}
