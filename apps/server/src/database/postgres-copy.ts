/** PostgreSQL's COPY as a statement like any other, so that a transaction of the query layer can carry it out. */
import pg from 'pg'
import { listed, quoted, type TableChange } from './bulk.ts'

const COPY = /^copy .* from stdin$/

export const copyStatement = (table: string, columns: readonly string[]): string =>
  `copy ${quoted(table)} (${listed(columns)}) from stdin`

export const isCopy = (text: string): boolean => COPY.test(text)

/** Rows in COPY's text format: a line each, tabs between the columns. One text from the start: lists of parts cost twice as much. */
export function copyText(columns: readonly string[], rows: TableChange['rows']): string {
  let text = ''
  for (const row of rows) {
    let gap = ''
    for (const column of columns) {
      text += gap + cellOf(row[column] ?? null)
      gap = '\t'
    }
    text += '\n'
  }
  return text
}

const SPECIAL = /[\\\t\n\r]/g
const ESCAPED: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function cellOf(value: number | string | null): string {
  if (value === null) return '\\N'
  if (typeof value === 'number') return String(value)
  return isPlain(value) ? value : value.replace(SPECIAL, (found) => ESCAPED[found] ?? found)
}

/** Nearly all are; four plain searches are faster than one pattern. */
const isPlain = (value: string): boolean =>
  !value.includes('\\') && !value.includes('\t') && !value.includes('\n') && !value.includes('\r')

/** What the driver calls when the server is ready for the rows. Not in its types. */
type CopyIn = { sendCopyFromChunk(chunk: Buffer): void; endCopyFrom(): void }

class CopyQuery extends pg.Query {
  readonly #rows: string

  constructor(text: string, rows: string, callback: (error: Error | null, result: pg.QueryResult) => void) {
    super(text, [], callback as never)
    this.#rows = rows
  }

  handleCopyInResponse(connection: CopyIn): void {
    connection.sendCopyFromChunk(Buffer.from(this.#rows))
    connection.endCopyFrom()
  }
}

/** A client that copies the rows in the parameter of a `copy ... from stdin`, and answers how many as an insert does. */
export class CopyClient extends pg.Client {
  override query(...given: readonly unknown[]): never {
    const [text, values] = given
    if (typeof text !== 'string' || !isCopy(text)) return super.query(...(given as [string])) as never
    const [rows = ''] = values as readonly string[]
    return new Promise<pg.QueryResult>((resolve, reject) => {
      const query = new CopyQuery(text, rows, (error, result) =>
        error ? reject(error) : resolve({ ...result, command: 'INSERT' }),
      )
      super.query(query as never)
    }) as never
  }
}
