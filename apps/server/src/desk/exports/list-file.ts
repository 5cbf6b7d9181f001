import { Readable } from 'node:stream'
import type { DeskExport } from '@fairlot/contract/desk'
import { type Decimal, decimalText, formatDecimal, MONEY_DECIMALS } from '@fairlot/core'
import type { FastifyReply } from 'fastify'
import { csvOf, type CsvRow } from '../../platform/http/csv.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'

/** Rows read at once, and the most rows of a file: longer lists must be filtered. */
const READ_ROWS = 1_000
const FILE_ROWS_MAX = 100_000

/** A page of a list, and the number of rows of all pages. */
export type ListPage = { readonly rows: readonly object[]; readonly total: number }

/** Reads a page of at most `limit` rows; pages count from 1. */
export type ReadPage = (page: number, limit: number) => Promise<ListPage | Refusal>

/** Reads a list page by page, as chunks of a CSV file. Refused if the first page is, or if the list is too long. */
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
      // The error ends the connection, so that nobody takes an incomplete file for a complete one.
      if (isRefusal(next)) throw new Error(`${list.name} ended on page ${page + 1}: ${next.rejected}`)
      rows = withoutRepeated(next.rows, rows)
    }
  }
  return csvOf(columns, pages())
}

/** New rows push others onto the next page, which must not be written twice. */
function withoutRepeated(rows: readonly object[], written: readonly object[]): readonly object[] {
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

const DAYS = new Set(['day', 'week'])
const DATE_LENGTH = 10
/** Columns of times (epoch ms), such as `since` and `createdAt`. */
const TIME = /^(at|since|moment)$|At$/

/**
 * The cells of a row: money with all decimals, times as ISO 8601, days as dates, lists separated by semicolons.
 * `columns`: the fields of the row, in this order.
 */
const csvRowOf = (row: object, columns: readonly string[]): CsvRow =>
  Object.fromEntries(
    columns.map((column) => [column, cellOf(column, (row as Record<string, unknown>)[column])]),
  )

function cellOf(column: string, value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  if (Array.isArray(value)) return value.join('; ')
  if (typeof value === 'bigint') return formatDecimal(value, MONEY_DECIMALS)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return null
  if (DAYS.has(column)) return new Date(value).toISOString().slice(0, DATE_LENGTH)
  return TIME.test(column) ? new Date(value).toISOString() : decimalText(value as Decimal)
}
