import type { ActiveDay, BrokerDay, InstrumentFills, MoneyDay, TriggerFills } from '@fairlot/contract/desk'
import {
  type Decimal,
  divideRounded,
  fromUnits,
  type Instrument,
  type LedgerKind,
  money,
  type Money,
  type TransferKind,
} from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../../platform/database/open.ts'
import type { FillDayTable } from '../../platform/database/report-schema.ts'
import { lastDays, utcDayOf, utcWeekOf } from './utc-day.ts'

/** The last `days` UTC days, up to the one of `at` (epoch ms). */
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

/** The broker's result by day, the oldest first, including days without bookings. */
export async function brokerDays(queries: Queries, period: ReportPeriod): Promise<BrokerDay[]> {
  const byDay = await moneyByDay(queries, period)
  return lastDays(period.at, period.days).map((day) => brokerDayOf(day, byDay.get(day)))
}

function brokerDayOf(day: number, sums: DaySums | undefined): BrokerDay {
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
      day,
      deposits: countOf(sums, 'deposit'),
      deposited,
      withdrawals: countOf(sums, 'withdrawalPaid'),
      withdrawn,
      net: money(deposited - withdrawn),
    }
  })
}

/** The sum of rows of days, amounts and counts alike, with the first day. */
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

/** The number of accounts that placed orders, by day and by week. */
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

type FillSums = Omit<FillDayTable, 'day' | 'ledger'>

/** An average has this many decimals more than a price. */
const MORE_DECIMALS = 2

/** Fills of a period, by instrument and by trigger. */
export type Fills = {
  readonly sum: Omit<TriggerFills, 'trigger'>
  readonly instruments: readonly InstrumentFills[]
  readonly triggers: readonly TriggerFills[]
}

export async function fillsOf(
  queries: Queries,
  { at, days, ledger }: ReportPeriod,
  instruments: ReadonlyMap<number, Pick<Instrument, 'code' | 'priceDecimals'>>,
): Promise<Fills> {
  const rows = await queries
    .selectFrom('fill_day')
    .select(['instrument_id', 'trigger'])
    .select(({ fn }) => fn.max('delay_most_ms').as('delay_most_ms'))
    .select(['fills', 'spread', 'slippage', 'better', 'worse', 'delay_ms'].map(summed))
    .where('day', '>=', BigInt(lastDays(at, days)[0] ?? 0))
    .where('ledger', '=', ledger)
    .groupBy(['instrument_id', 'trigger'])
    .execute()
  const sums = rows as unknown as FillSums[]
  return {
    sum: qualityOf(sums),
    instruments: [...Map.groupBy(sums, (row) => Number(row.instrument_id))]
      .map(([id, own]) => instrumentFills(id, own, instruments.get(id)))
      .toSorted((a, b) => b.fills - a.fills || a.instrumentId - b.instrumentId),
    triggers: [...Map.groupBy(sums, ({ trigger }) => trigger)]
      .map(([trigger, own]) => ({ trigger: trigger as TriggerFills['trigger'], ...qualityOf(own) }))
      .toSorted((a, b) => b.fills - a.fills || (a.trigger < b.trigger ? -1 : 1)),
  }
}

const summed = (column: string) => sql<bigint>`cast(sum(${sql.ref(column)}) as bigint)`.as(column)

const total = (rows: readonly FillSums[], of: (row: FillSums) => bigint): bigint =>
  rows.reduce((sum, row) => sum + of(row), 0n)

const average = (sum: bigint, count: bigint, decimals: number): Decimal =>
  fromUnits(
    count === 0n ? 0n : divideRounded(sum * 10n ** BigInt(MORE_DECIMALS), count),
    decimals + MORE_DECIMALS,
  )

function qualityOf(rows: readonly FillSums[]): Omit<TriggerFills, 'trigger'> {
  const fills = total(rows, (row) => row.fills)
  return {
    fills: Number(fills),
    better: Number(total(rows, (row) => row.better)),
    worse: Number(total(rows, (row) => row.worse)),
    delayMs: average(
      total(rows, (row) => row.delay_ms),
      fills,
      0,
    ),
    delayMostMs: Number(rows.reduce((most, { delay_most_ms: one }) => (one > most ? one : most), 0n)),
  }
}

function instrumentFills(
  instrumentId: number,
  rows: readonly FillSums[],
  instrument: Pick<Instrument, 'code' | 'priceDecimals'> | undefined,
): InstrumentFills {
  const fills = total(rows, (row) => row.fills)
  const decimals = instrument?.priceDecimals ?? 0
  return {
    instrumentId,
    code: instrument?.code ?? String(instrumentId),
    ...qualityOf(rows),
    spread: average(
      total(rows, (row) => row.spread),
      fills,
      decimals,
    ),
    slippage: average(
      total(rows, (row) => row.slippage),
      fills,
      decimals,
    ),
  }
}
