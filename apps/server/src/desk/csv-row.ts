import { decimalText, formatDecimal, MONEY_DECIMALS, type Decimal } from '@fairlot/core'
import type { CsvRow } from '../http/csv.ts'

const DAYS = new Set(['day', 'week'])
const DATE_LENGTH = 10
/** Columns of moments, epoch ms: `since`, `createdAt` and the like. */
const MOMENT = /^(at|since|moment)$|At$/

/**
 * A row of a list as the desk's wire has it, as cells: money in full, moments by ISO 8601, days as dates, lists with semicolons.
 * `columns` names what is wanted, in this order.
 */
export const csvRowOf = (row: object, columns: readonly string[]): CsvRow =>
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
  return MOMENT.test(column) ? new Date(value).toISOString() : decimalText(value as Decimal)
}
