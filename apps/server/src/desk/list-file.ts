import type { FastifyReply } from 'fastify'
import { Readable } from 'node:stream'
import type { DeskExport } from '@fairlot/contract/desk'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { csvOf } from '../http/csv.ts'
import { csvRowOf } from './csv-row.ts'

/** Rows that are read at once, and rows of one file: what is longer is narrowed first. */
const READ_ROWS = 1_000
const FILE_ROWS_MAX = 100_000

/** A page of a list: its rows, and how many all pages have. */
export type ListPage = { readonly rows: readonly object[]; readonly total: number }

/** Reads a page of at most `limit` rows; pages count from 1. */
export type ReadPage = (page: number, limit: number) => Promise<ListPage | Refusal>

/** A list that comes page by page, as pieces of a file; the first page says whether it can be had. */
export async function textOfList(
  { columns, list }: DeskExport,
  read: ReadPage,
): Promise<AsyncIterable<string> | Refusal> {
  const first = await read(1, READ_ROWS)
  if (isRefusal(first)) return first
  if (first.total > FILE_ROWS_MAX) return refuse('listTooLong', { most: FILE_ROWS_MAX })
  const pages = async function* () {
    let { rows } = first
    for (let page = 1; ; page += 1) {
      yield rows.map((row) => csvRowOf(row, columns))
      if (page * READ_ROWS >= first.total) return
      const next = await read(page + 1, READ_ROWS)
      // Half a list is none: the connection ends, and nobody takes the file for the whole.
      if (isRefusal(next)) throw new Error(`${list.name} ended on page ${page + 1}: ${next.rejected}`)
      rows = without(next.rows, rows)
    }
  }
  return csvOf(columns, pages())
}

/** Rows that came meanwhile push others onto the next page: those are not written twice. */
function without(rows: readonly object[], written: readonly object[]): readonly object[] {
  const ids = new Set(written.flatMap((row) => ('id' in row ? row.id : [])))
  return rows.filter((row) => !('id' in row) || !ids.has(row.id))
}

export const sendListFile = (
  reply: FastifyReply,
  { name }: DeskExport,
  text: AsyncIterable<string>,
): FastifyReply =>
  reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .header('x-content-type-options', 'nosniff')
    .send(Readable.from(text))
