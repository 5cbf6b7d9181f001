import { sql } from 'kysely'
import {
  convert,
  type Entry,
  pathFrom,
  PERIODS,
  price,
  type Quote,
  type ReceiptTick,
  roundedRate,
  type State,
} from '@fairlot/core'
import type { TermsRows } from '../engine/projection/terms-rows.ts'
import type { FeedKind } from '../market/feeds/feed.ts'
import type { Written } from '../platform/database/bulk.ts'
import type { QuoteTable } from '../platform/database/market-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { RolloverTable } from '../platform/database/schema.ts'
import { firstDifference } from './figure.ts'

/** Each start reserves this many tick numbers, so that the last quote of the previous run is stored under a later number. */
const NUMBERS_PER_START = 1_000_000n

/** Bars of these periods start at a multiple of their length; a day at a full hour. */
const LENGTH_MS = { '1min': 60_000, '5min': 300_000, '15min': 900_000, '30min': 1_800_000 } as const
const HOUR_MS = 3_600_000

/** Bars that no sequence of ticks can produce; the ticks themselves are not stored. */
export async function* candleFaults(
  queries: Queries,
  { instruments }: Pick<State, 'instruments'>,
): AsyncGenerator<string> {
  const bars = queries.selectFrom('candle').selectAll()
  const shapes = {
    'its low is above another of its prices': sql<boolean>`low > open or low > close or low > high`,
    'its high is below another of its prices': sql<boolean>`high < open or high < close`,
    'its volume is below zero': sql<boolean>`volume < 0`,
    'no bars have such a period': sql<boolean>`period not in (${sql.join([...PERIODS])})`,
    'no instrument has such a number': sql<boolean>`instrument_id not in (${sql.join([0, ...instruments.keys()])})`,
    'it does not start where bars of its period do': startsElsewhere(),
  }
  for (const [fault, condition] of Object.entries(shapes)) {
    const row = await bars.where(condition).limit(1).executeTakeFirst()
    if (row)
      yield `candle ${row.period} of instrument ${row.instrument_id} (${row.source}) at ${row.time}: ${fault}`
  }
}

function startsElsewhere() {
  const cases = PERIODS.map((period) => {
    const length = period in LENGTH_MS ? LENGTH_MS[period as keyof typeof LENGTH_MS] : HOUR_MS
    return sql`(period = ${period} and time % ${sql.lit(length)} <> 0)`
  })
  return sql<boolean>`(${sql.join(cases, sql` or `)})`
}

const MINUTE_MS = LENGTH_MS['1min']
const SOURCES: readonly FeedKind[] = ['live', 'recorded', 'simulated']

/** A range of rates. */
type Range = { readonly lowest: bigint; readonly highest: bigint }

/**
 * A deposit whose arrival is before its decision has the rate of the last full minute before its arrival, or the mid at
 * the moment when one operator requested the credit that a second one approved later. The journal does not hold that
 * price: where the bars are stored, the rate is within one of the two. `state` is that before the entry.
 */
export async function* arrivalFaults(
  queries: Queries,
  state: State,
  { at, events }: Entry,
): AsyncGenerator<string> {
  for (const event of events) {
    if (event.type !== 'depositEnded' || !event.arrived || event.arrived.at === at) continue
    const deposit = state.cases.get(event.caseId)
    if (deposit?.kind !== 'deposit' || deposit.sent?.fixedRate !== null) continue
    const { rate, currency, at: arrivedAt } = event.arrived
    const isOutside = (range: Range | null): range is Range =>
      range !== null && (rate < range.lowest || rate > range.highest)
    const before = await ratesIn(queries, state, { currency, latest: arrivedAt - MINUTE_MS })
    if (isOutside(before) && isOutside(await ratesIn(queries, state, { currency, latest: arrivedAt })))
      yield `depositEnded: arrived rate is "${rate}", it should be from "${before.lowest}" to "${before.highest}"`
  }
}

type BarOf = {
  readonly currency: string
  /** The bar is the last that starts at or before this moment, epoch ms. */
  readonly latest: number
}

/** The lowest and highest rate of a one-minute bar; null if a pair has no bar so early. */
async function ratesIn(queries: Queries, state: State, { currency, latest }: BarOf): Promise<Range | null> {
  const path = pathFrom(state, currency)
  if (!path) return null
  const [lowest, highest] = [new Map<number, Quote>(), new Map<number, Quote>()]
  for (const { instrument, isInverse } of path) {
    // The source that priced the pair then may have been replaced since.
    const bars = await Promise.all(
      SOURCES.map((source) =>
        queries
          .selectFrom('candle')
          .select(['low', 'high'])
          .where('instrument_id', '=', BigInt(instrument.id))
          .where('source', '=', source)
          .where('period', '=', '1min')
          .where('time', '<=', BigInt(latest))
          .orderBy('time', 'desc')
          .limit(1)
          .executeTakeFirst(),
      ),
    )
    const found = bars.filter((bar) => bar !== undefined)
    if (found.length === 0) return null
    const low = Math.min(...found.map((bar) => Number(bar.low)))
    const high = Math.max(...found.map((bar) => Number(bar.high)))
    lowest.set(instrument.id, quoteOf(instrument.id, isInverse ? high : low))
    highest.set(instrument.id, quoteOf(instrument.id, isInverse ? low : high))
  }
  const [from, to] = [lowest, highest].map((quotes) => convert(path, (id) => quotes.get(id)))
  return from && to ? { lowest: roundedRate(from.rate), highest: roundedRate(to.rate) } : null
}

const quoteOf = (instrumentId: number, mid: number): Quote => ({
  instrumentId,
  bid: price(mid),
  ask: price(mid),
  time: 0,
  source: '',
  seq: 0,
  receivedAt: 0,
})

/** The newest tick of each instrument that the journal names. */
export function createQuoteRows(queries: Queries) {
  const newest = new Map<number, ReceiptTick>()
  return {
    take: (ticks: readonly ReceiptTick[]) => {
      for (const tick of ticks) {
        const known = newest.get(tick.instrumentId)
        if (!known || tick.seq > known.seq) newest.set(tick.instrumentId, tick)
      }
    },
    finish: async function* (): AsyncGenerator<string> {
      for (const row of await queries.selectFrom('quote').selectAll().orderBy('instrument_id').execute()) {
        const fault = quoteFault(row, newest.get(Number(row.instrument_id)))
        if (fault !== null) yield `quote of instrument ${row.instrument_id}: ${fault}`
      }
    },
  }
}

function quoteFault(row: QuoteTable, tick: ReceiptTick | undefined): string | null {
  // A row without a price holds only the number.
  if (row.received_at === 0n) return null
  if (row.bid > row.ask) return `bid ${row.bid} is above ask ${row.ask}`
  if (row.mark_up < 0n) return `mark_up is below zero`
  if (!tick) return null
  const ahead = row.seq - BigInt(tick.seq)
  // A crash loses unsaved quotes, and the reserved numbers run ahead of them.
  if (ahead < 0n || ahead % NUMBERS_PER_START !== 0n || row.received_at !== BigInt(tick.receivedAt))
    return null
  const { bid, ask, time, source, markUp = 0 } = tick
  const { bid: foundBid, ask: foundAsk, time: foundTime, source: foundSource, mark_up: foundMarkUp } = row
  return firstDifference(
    { bid: foundBid, ask: foundAsk, time: foundTime, source: foundSource, markUp: foundMarkUp },
    { bid, ask, time, source, markUp },
    '',
  )
}

/** Price snapshots: each price is compared when it is journaled, since a later entry may add one; the snapshots at the end. */
export function createSnapshotRows(queries: Queries) {
  const journaledAt = new Map<number, number>()
  let count = 0
  return {
    compare: async function* ({
      snapshots,
      snapshotPrices,
    }: Pick<TermsRows, 'snapshots' | 'snapshotPrices'>): AsyncGenerator<string> {
      for (const row of snapshots.values()) journaledAt.set(Number(row.moment), Number(row.told_at))
      count += snapshotPrices.length
      for (const [moment, expected] of Map.groupBy(snapshotPrices, (row) => Number(row.moment))) {
        const found = await queries
          .selectFrom('price_mark')
          .selectAll()
          .where('moment', '=', BigInt(moment))
          .execute()
        const byInstrument = new Map(found.map((row) => [Number(row.instrument_id), row]))
        for (const row of expected) {
          const name = `price of instrument ${row.instrument_id} at ${moment}`
          const stored = byInstrument.get(Number(row.instrument_id))
          if (!stored) yield `${name}: it is missing`
          const difference = firstDifference(stored, row, name)
          if (difference !== null) yield difference
        }
      }
    },
    finish: async function* (): AsyncGenerator<string> {
      const stored = await queries.selectFrom('price_moment').selectAll().orderBy('moment').execute()
      for (const { moment, told_at } of stored) {
        const name = `price snapshot ${moment}`
        const expected = journaledAt.get(Number(moment))
        if (expected === undefined) yield `${name} is not in the journal`
        const difference = firstDifference(told_at, expected, `${name}: told_at`)
        if (difference !== null) yield difference
      }
      if (stored.length !== journaledAt.size)
        yield `there are ${stored.length} price snapshots in the table, the journal knows ${journaledAt.size}`
      const { found } = await queries
        .selectFrom('price_mark')
        .select(({ fn }) => fn.countAll<bigint>().as('found'))
        .executeTakeFirstOrThrow()
      if (BigInt(found) !== BigInt(count))
        yield `there are ${found} snapshot prices in the table, the journal knows ${count}`
    },
  }
}

/** Rollovers: their journaled swap rates, and when every swap was booked. */
export function createRolloverRows(queries: Queries) {
  const expected = new Map<number, Partial<Written<RolloverTable>>>()
  return {
    take: ({ rollovers, rolloverEnds }: Pick<TermsRows, 'rollovers' | 'rolloverEnds'>) => {
      for (const [rollover, row] of rollovers) expected.set(rollover, { ended_at: null, ...row })
      // Rollovers of the first version have an end in the journal but no beginning.
      for (const [rollover, end] of rolloverEnds)
        expected.set(rollover, { ...expected.get(rollover), ...end })
    },
    finish: async function* (): AsyncGenerator<string> {
      const rows = await queries.selectFrom('night').selectAll().orderBy('rollover').execute()
      const found = new Map(rows.map((row) => [Number(row.rollover), row]))
      for (const [rollover, journaled] of expected) {
        const name = `rollover ${rollover}`
        const row = found.get(rollover)
        // The first version had no table of rollovers.
        if (!row && journaled.rates === undefined) continue
        if (!row) yield `${name} is missing`
        for (const [column, value] of Object.entries(journaled)) {
          const difference = firstDifference(
            row?.[column as keyof RolloverTable],
            value,
            `${name}: ${column}`,
          )
          if (difference !== null) yield difference
        }
      }
      for (const rollover of found.keys())
        if (!expected.has(rollover)) yield `rollover ${rollover} is not in the journal`
    },
  }
}
