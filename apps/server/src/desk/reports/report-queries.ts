import type { ActiveDay, HouseDay, MoneyDay } from '@fairlot/contract/desk'
import { money, type LedgerKind, type Money, type TransferKind } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../../database/open.ts'
import { lastDays, utcDayOf, utcWeekOf } from './utc-day.ts'

/** UTC days up to the one that `at` (epoch ms) lies in, `days` of them. */
export type ReportPeriod = { readonly at: number; readonly days: number; readonly ledger: LedgerKind }

type DaySums = { amounts: Map<string, bigint>; counts: Map<string, number> }

const firstDayOf = ({ at, days }: ReportPeriod): bigint => BigInt(lastDays(at, days)[0] ?? utcDayOf(at))

async function moneyByDay(queries: Queries, period: ReportPeriod): Promise<Map<number, DaySums>> {
  const rows = await queries
    .selectFrom('money_day')
    .selectAll()
    .where('day', '>=', firstDayOf(period))
    .where('ledger', '=', period.ledger)
    .execute()
  const byDay = new Map<number, DaySums>()
  for (const { day, kind, amount, count } of rows) {
    const sums = byDay.get(Number(day)) ?? { amounts: new Map(), counts: new Map() }
    sums.amounts.set(kind, amount)
    sums.counts.set(kind, Number(count))
    byDay.set(Number(day), sums)
  }
  return byDay
}

const amountOf = (sums: DaySums | undefined, kind: TransferKind): Money =>
  money(sums?.amounts.get(kind) ?? 0n)
const countOf = (sums: DaySums | undefined, kind: TransferKind): number => sums?.counts.get(kind) ?? 0

/** What the house earned by day, the oldest first; days without bookings too. */
export async function houseDays(queries: Queries, period: ReportPeriod): Promise<HouseDay[]> {
  const byDay = await moneyByDay(queries, period)
  return lastDays(period.at, period.days).map((day) => houseDayOf(day, byDay.get(day)))
}

function houseDayOf(day: number, sums: DaySums | undefined): HouseDay {
  const parts = {
    fees: amountOf(sums, 'fee'),
    swaps: amountOf(sums, 'swap'),
    clientResults: amountOf(sums, 'result'),
    protection: amountOf(sums, 'protection'),
    withdrawalFees: amountOf(sums, 'withdrawalFee'),
    adjustments: amountOf(sums, 'adjustment'),
  }
  return { day, ...parts, total: money(Object.values(parts).reduce<bigint>((sum, part) => sum + part, 0n)) }
}

/** Deposits and withdrawals of real money by day, the oldest first. */
export async function moneyDays(queries: Queries, period: ReportPeriod): Promise<MoneyDay[]> {
  const byDay = await moneyByDay(queries, period)
  return lastDays(period.at, period.days).map((day) => {
    const sums = byDay.get(day)
    const deposited = money(-amountOf(sums, 'deposit'))
    const withdrawn = amountOf(sums, 'withdrawalPaid')
    return {
      ...{ day, deposits: countOf(sums, 'deposit'), deposited },
      ...{ withdrawals: countOf(sums, 'withdrawalPaid'), withdrawn },
      net: money(deposited - withdrawn),
    }
  })
}

/** Money columns of days summed, under the first day; counts are summed too. */
export function sumOf<Row extends { readonly day: number }>(rows: readonly Row[]): Row | null {
  const [first, ...others] = rows
  if (!first) return null
  const sum = { ...first } as Record<string, bigint | number>
  for (const row of others)
    for (const [name, value] of Object.entries(row as Record<string, bigint | number>)) {
      const before = sum[name]
      if (name !== 'day' && typeof value === 'bigint' && typeof before === 'bigint')
        sum[name] = before + value
      else if (name !== 'day' && typeof value === 'number' && typeof before === 'number')
        sum[name] = before + value
    }
  return sum as Row
}

/** Who placed orders, by day and by week. */
export async function activeTraders(
  queries: Queries,
  period: ReportPeriod,
): Promise<{ days: ActiveDay[]; weeks: { week: number; traders: number }[] }> {
  const active = queries
    .selectFrom('account_day')
    .innerJoin('account', 'account.id', 'account_day.account_id')
    .where('account.ledger', '=', period.ledger)
    .where('account_day.orders', '>', 0n)
  const rows = await active
    .where('day', '>=', firstDayOf(period))
    .select(({ fn }) => [
      'day',
      fn.countAll<bigint>().as('traders'),
      sql<bigint>`cast(sum(orders) as bigint)`.as('orders'),
    ])
    .groupBy('day')
    .execute()
  const byDay = new Map(rows.map((row) => [Number(row.day), row]))
  const days = lastDays(period.at, period.days)
  const weeks = [...new Set(days.map(utcWeekOf))]
  const counted = weeks.map(async (week) => {
    const own = days.filter((day) => utcWeekOf(day) === week)
    const { traders } = await active
      .where('day', '>=', BigInt(own[0] ?? week))
      .where('day', '<=', BigInt(own.at(-1) ?? week))
      .select(({ fn }) => fn.count<bigint>('account_day.account_id').distinct().as('traders'))
      .executeTakeFirstOrThrow()
    return { week, traders: Number(traders) }
  })
  return {
    days: days.map((day) => ({
      day,
      traders: Number(byDay.get(day)?.traders ?? 0n),
      orders: Number(byDay.get(day)?.orders ?? 0n),
    })),
    weeks: await Promise.all(counted),
  }
}
