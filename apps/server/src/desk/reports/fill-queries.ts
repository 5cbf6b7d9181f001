import type { InstrumentFills, TriggerFills } from '@fairlot/contract/desk'
import { divideRounded, fromUnits, type Decimal, type Instrument } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../../database/open.ts'
import type { FillDayTable } from '../../database/report-schema.ts'
import type { ReportPeriod } from './report-queries.ts'
import { lastDays } from './utc-day.ts'

type FillSums = Omit<FillDayTable, 'day' | 'ledger'>

/** Digits that an average has more than a price. */
const MORE_DECIMALS = 2

/** Fills of a period, by instrument and by what caused them. */
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
    ...{ instrumentId, code: instrument?.code ?? String(instrumentId), ...qualityOf(rows) },
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
