import { decimalText, formatDecimal, MONEY_DECIMALS, type Decimal } from '@fairlot/core'
import type { CsvRow } from '../http/csv.ts'

const DAYS = new Set(['day', 'week'])
const DATE_LENGTH = 10

/** A row of a list as the desk's wire has it, as cells: money in full, days as dates. `columns` names what is wanted, in this order. */
export const csvRowOf = (row: object, columns: readonly string[]): CsvRow =>
  Object.fromEntries(
    columns.map((column) => [column, cellOf(column, (row as Record<string, unknown>)[column])]),
  )

function cellOf(column: string, value: unknown): string | number | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'bigint') return formatDecimal(value, MONEY_DECIMALS)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value
  if (typeof value !== 'number') return null
  return DAYS.has(column)
    ? new Date(value).toISOString().slice(0, DATE_LENGTH)
    : decimalText(value as Decimal)
}
