import { sql, type SelectQueryBuilder } from 'kysely'
import type { Tables } from '../../database/schema.ts'
import { csvOf, type CsvRow } from '../../http/csv.ts'

/** One list of what is kept about somebody, page by page: no more than a page of it is in memory. */
export type Section = {
  /** The name of its files. */
  readonly name: string
  readonly columns: readonly string[]
  pages(): AsyncIterable<readonly CsvRow[]>
}

/** Rows that are read at once. */
const SECTION_ROWS = 200

/** Pages of a list that is read on from a running number, which its column `key` has, the first above 0. */
export async function* byNumber<From extends keyof Tables, Row, Key extends keyof Row & string>(
  rowsOf: SelectQueryBuilder<Tables, From, Row>,
  key: Key,
  shown: (row: Row) => CsvRow,
): AsyncGenerator<readonly CsvRow[]> {
  const column = sql.ref<bigint>(key)
  for (let after = 0n; ;) {
    const rows = await rowsOf.where(column, '>', after).orderBy(column).limit(SECTION_ROWS).execute()
    const last = rows.at(-1)
    if (last !== undefined) yield rows.map(shown)
    if (last === undefined || rows.length < SECTION_ROWS) return
    after = last[key] as bigint
  }
}

/** Pages of a list that has no running number. */
export async function* byPlace<Row>(
  load: (part: { readonly offset: number; readonly limit: number }) => Promise<readonly Row[]>,
  shown: (row: Row) => CsvRow,
): AsyncGenerator<readonly CsvRow[]> {
  for (let offset = 0; ; offset += SECTION_ROWS) {
    const rows = await load({ offset, limit: SECTION_ROWS })
    if (rows.length > 0) yield rows.map(shown)
    if (rows.length < SECTION_ROWS) return
  }
}

/** A section as a JSON array, a row a line. */
export async function* jsonOf({ pages }: Section): AsyncGenerator<string> {
  let separator = '[\n'
  for await (const rows of pages()) {
    yield separator + rows.map((row) => JSON.stringify(row)).join(',\n')
    separator = ',\n'
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n'
}

/** A section as CSV. */
export const csvFileOf = ({ columns, pages }: Section): AsyncGenerator<string> => csvOf(columns, pages())
