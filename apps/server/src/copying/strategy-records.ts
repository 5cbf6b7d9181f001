/** Loads a strategy's history from the tables of the journal, and computes its record from the first changed day on. */
import {
  availableOf,
  createCore,
  evolveEvent,
  money,
  TRADING_KINDS,
  type Core,
  type Quote,
  type TermsChange,
} from '@fairlot/core'
import { sql } from 'kysely'
import type { Committed } from '../engine/engine.ts'
import { decodeTermsChange } from '../engine/journal/event-codec.ts'
import { type ProvenEvent, readReceipt } from '../engine/projection/receipt-chain.ts'
import { recordFrom, tickFrom, type OrderRecord } from '../engine/projection/row-mapping.ts'
import type { StrategyDayTable, StrategyTable } from '../platform/database/copying-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import {
  DAY_MS,
  dayOf,
  GROWTH_UNIT,
  lastMomentBefore,
  strategyRecord,
  type ClosedOrder,
  type HeldPosition,
  type Movement,
  type StrategyDay,
  type StrategyHistory,
  type StrategyRecord,
  type TermsAt,
} from './strategy-figures.ts'

/** Values in one list of a query. */
const CHUNK = 500
/** Price snapshots in memory: more than two days of hours. */
const MAX_SNAPSHOTS = 60

/** What was computed, and the complete days before it. */
export type ComputedRecord = {
  readonly strategy: StrategyTable
  readonly ledger: string
  readonly days: readonly StrategyDay[]
  readonly record: StrategyRecord
  /** Orders that closed in the computed days. */
  readonly closed: readonly ClosedOrder[]
  readonly upTo: number
}

export type StrategyTrading = {
  readonly events: readonly { readonly at: number; readonly event: ProvenEvent }[]
  /** A core of the caller's own, with the terms of `since`. */
  readonly terms: TermsAt
  /** Hourly prices of the instruments that were needed, oldest first. */
  readonly snapshots: StrategyHistory['snapshots']
}

export type StrategyRecords = {
  /**
   * The record from the day of `since` (epoch ms) on, up to the last moment that the journal knows, or to `until`. Null
   * for an unknown strategy.
   */
  compute(
    id: number,
    which: { readonly since: number; readonly until?: number },
  ): Promise<ComputedRecord | null>
  /** What a strategy's account opened since a moment, and what became of it, in the order of the journal. */
  trading(strategy: StrategyTable, since: number): Promise<StrategyTrading>
  /** Follows the commits: terms and late prices. */
  note(committed: Pick<Committed, 'entry'>): void
}

export function createStrategyRecords(queries: Queries): StrategyRecords {
  const terms = createTermsBook(queries)
  const snapshots = createSnapshots(queries)
  return {
    note: ({ entry }) => {
      for (const event of entry.events) {
        if (event.type === 'termsSet' || event.type === 'termsTookEffect') terms.forget()
        if (event.type === 'pricesMarked') snapshots.forget(event.moment)
      }
    },
    trading: async (strategy, since) => {
      const events = await openedSince(queries, strategy, since)
      const upTo = events.at(-1)?.at ?? since
      const instruments = new Set(
        events.flatMap(({ event }) => pricesIn(event).map((tick) => tick.instrumentId)),
      )
      return {
        events,
        terms: await terms.ofOwn(since, Infinity),
        snapshots: await snapshotsOf(queries, [...instruments], { from: since, upTo }),
      }
    },
    compute: async (id, { since, until }) => {
      const strategy = await queries
        .selectFrom('strategy')
        .innerJoin('account', 'account.id', 'strategy.account_id')
        .selectAll('strategy')
        .select('account.ledger as ledger')
        .where('strategy.id', '=', BigInt(id))
        .executeTakeFirst()
      if (!strategy) return null
      const last = until ?? (await lastMoment(queries, strategy))
      const days = await daysBefore(queries, id, dayOf(Math.min(since, last)))
      const from = await beginningOf(queries, strategy, days.at(-1))
      const upTo = Math.max(last, from.at)
      const { positions, closed, ticks } = await tradingOf(queries, strategy, { from: from.at, upTo })
      const history: StrategyHistory = {
        from,
        upTo,
        movements: await movementsOf(queries, strategy, { from: from.at, upTo }),
        positions,
        ticks,
        closed,
        ranges: await rangesOf(queries, strategy, { from: from.at, upTo }),
        snapshots: positions.length === 0 ? [] : await snapshots.between(from.at, upTo),
      }
      const record = strategyRecord(history, await terms.from(from.at, upTo))
      return { strategy, ledger: strategy.ledger, days, record, closed, upTo }
    },
  }
}

type Period = { readonly from: number; readonly upTo: number }
type OfAccount = Pick<StrategyTable, 'account_id' | 'published_at' | 'ended_at' | 'equity'>

/** Among the last of so many ledger rows is the latest: swaps may be booked late. */
const LAST_TRANSFERS = 100

/** The last full hour with prices, or the last change of the account; for an ended strategy its end. */
async function lastMoment(queries: Queries, { account_id, ended_at }: OfAccount): Promise<number> {
  if (ended_at !== null) return Number(ended_at)
  const [hour, transfers] = await Promise.all([
    queries
      .selectFrom('price_moment')
      .select(({ fn }) => fn.max('moment').as('at'))
      .executeTakeFirst(),
    queries
      .selectFrom('transfer')
      .select('at')
      .where('account_id', '=', account_id)
      .orderBy('id', 'desc')
      .limit(LAST_TRANSFERS)
      .execute(),
  ])
  return Math.max(0, ...[hour, ...transfers].map((row) => Number(row?.at ?? 0n)))
}

/** The complete days before a day, oldest first. */
async function daysBefore(queries: Queries, id: number, day: number): Promise<StrategyDay[]> {
  const rows = await queries
    .selectFrom('strategy_day')
    .selectAll()
    .where('strategy_id', '=', BigInt(id))
    .where('day', '<', BigInt(day))
    .orderBy('day')
    .execute()
  const days = rows.map(dayFrom)
  const firstOpen = days.findIndex((one) => one.upTo < (one.day + 1) * DAY_MS)
  return firstOpen < 0 ? days : days.slice(0, firstOpen)
}

const dayFrom = (row: StrategyDayTable): StrategyDay => ({
  day: Number(row.day),
  upTo: Number(row.up_to),
  growth: row.growth,
  highest: row.highest,
  lowest: row.lowest,
  fallFrom: row.fall_from,
  fallTo: row.fall_to,
  balance: money(row.balance),
  equity: money(row.equity),
  countedMs: Number(row.counted_ms),
  exposedMs: Number(row.exposed_ms),
  leverageMs: row.leverage_ms,
  highestLeverage: Number(row.highest_leverage),
  orders: Number(row.orders),
  wins: Number(row.wins),
  gains: money(row.gains),
  losses: money(row.losses),
  best: money(row.best),
})

export const dayRow = (strategyId: number, day: StrategyDay): StrategyDayTable => ({
  strategy_id: BigInt(strategyId),
  day: BigInt(day.day),
  up_to: BigInt(day.upTo),
  growth: day.growth,
  highest: day.highest,
  lowest: day.lowest,
  fall_from: day.fallFrom,
  fall_to: day.fallTo,
  balance: day.balance,
  equity: day.equity,
  counted_ms: BigInt(day.countedMs),
  exposed_ms: BigInt(day.exposedMs),
  leverage_ms: day.leverageMs,
  highest_leverage: BigInt(day.highestLeverage),
  orders: BigInt(day.orders),
  wins: BigInt(day.wins),
  gains: day.gains,
  losses: day.losses,
  best: day.best,
})

/** After the last complete day, or after publication. */
async function beginningOf(
  queries: Queries,
  { account_id, published_at, equity }: OfAccount,
  last: StrategyDay | undefined,
): Promise<StrategyHistory['from']> {
  if (last)
    return {
      at: (last.day + 1) * DAY_MS,
      growth: last.growth,
      balance: last.balance,
      equity: last.equity,
    }
  const own = availableOf(Number(account_id))
  const row = await queries
    .selectFrom('transfer')
    .select(
      sql<bigint>`cast(coalesce(sum(case when credit = ${own} then amount when debit = ${own} then -amount else 0 end), 0) as bigint)`.as(
        'balance',
      ),
    )
    .where('account_id', '=', account_id)
    .where('at', '<=', published_at)
    .executeTakeFirstOrThrow()
  return {
    at: Number(published_at) + 1,
    growth: GROWTH_UNIT,
    balance: money(BigInt(row.balance)),
    equity: money(equity),
  }
}

async function movementsOf(
  queries: Queries,
  { account_id }: OfAccount,
  { from, upTo }: Period,
): Promise<Movement[]> {
  const own = availableOf(Number(account_id))
  const rows = await queries
    .selectFrom('transfer')
    .select(['at', 'debit', 'credit', 'amount', 'kind'])
    .where('account_id', '=', account_id)
    .where('at', '>=', BigInt(from))
    .where('at', '<=', BigInt(upTo))
    .where((where) => where.or([where('debit', '=', own), where('credit', '=', own)]))
    .orderBy('id')
    .execute()
  return rows.map(({ at, credit, amount, kind }) => ({
    at: Number(at),
    amount: money(credit === own ? amount : -amount),
    isFlow: !TRADING_KINDS.has(kind),
  }))
}

async function rangesOf(
  queries: Queries,
  { account_id }: OfAccount,
  { from, upTo }: Period,
): Promise<StrategyHistory['ranges']> {
  const rows = await queries
    .selectFrom('equity_range')
    .selectAll()
    .where('account_id', '=', account_id)
    .where('moment', '>', BigInt(from))
    .where('moment', '<=', BigInt(upTo))
    .orderBy('moment')
    .execute()
  return rows.map(({ moment, lowest, highest, equity }) => ({
    at: lastMomentBefore(Number(moment)),
    lowest: money(lowest),
    highest: money(highest),
    equity: money(equity),
  }))
}

type Trading = Pick<StrategyHistory, 'positions' | 'closed' | 'ticks'>

/** Positions of a period with the prices in their receipts, and the orders that closed in it. */
async function tradingOf(queries: Queries, strategy: OfAccount, period: Period): Promise<Trading> {
  const records = await positionsOf(queries, strategy.account_id, period)
  const receipts = await receiptsOf(
    queries,
    records.map(({ id }) => id),
  )
  const positions = records.map((record): HeldPosition => ({
    // Open, whatever it is now.
    order: { ...record, status: 'holding' },
    openedAt: record.openedAt ?? 0,
    endedAt: record.endedAt !== null && record.endedAt <= period.upTo ? record.endedAt : Infinity,
  }))
  const ticks = [...receipts.values()]
    .flat()
    .flatMap(({ at, event }) => pricesIn(event).map((tick) => ({ at, tick })))
  return { positions, ticks, closed: await closedOrders(queries, strategy, records, { receipts, period }) }
}

async function positionsOf(
  queries: Queries,
  accountId: bigint,
  { from, upTo }: Period,
): Promise<OrderRecord[]> {
  const opened = queries
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('opened_at', '<=', BigInt(upTo))
  const [held, ended] = await Promise.all([
    opened.where('status', '=', 'holding').execute(),
    opened.where('ended_at', 'is not', null).where('ended_at', '>=', BigInt(from)).execute(),
  ])
  return [...held, ...ended].map(recordFrom).toSorted((a, b) => a.id - b.id)
}

/** Every price in the receipt of an event. */
export const pricesIn = ({ receipt }: ProvenEvent): Quote[] =>
  [receipt.tick, ...receipt.conversion, ...(receipt.prices ?? [])].filter((tick) => tick !== null)

/** Orders that a simulation walks through: the latest. */
const WALKED_ORDERS = 2_000

async function openedSince(
  queries: Queries,
  { account_id, published_at, ended_at }: StrategyTable,
  since: number,
): Promise<StoredReceipt[]> {
  const rows = await queries
    .selectFrom('trade_order')
    .select('id')
    .where('account_id', '=', account_id)
    .where('opened_at', '>', published_at)
    .where('opened_at', '>=', BigInt(since))
    .$if(ended_at !== null, (query) => query.where('opened_at', '<=', ended_at ?? 0n))
    .orderBy('id', 'desc')
    .limit(WALKED_ORDERS)
    .execute()
  const receipts = await receiptsOf(
    queries,
    rows.map(({ id }) => Number(id)),
  )
  return [...receipts.values()].flat().toSorted((a, b) => a.number - b.number)
}

async function snapshotsOf(
  queries: Queries,
  instrumentIds: readonly number[],
  { from, upTo }: Period,
): Promise<Snapshot[]> {
  if (instrumentIds.length === 0) return []
  const rows = await queries
    .selectFrom('price_mark')
    .selectAll()
    .where('moment', '>=', BigInt(from))
    .where('moment', '<=', BigInt(upTo))
    .where('instrument_id', 'in', instrumentIds.map(BigInt))
    .orderBy('moment')
    .execute()
  return [...Map.groupBy(rows, ({ moment }) => Number(moment))].map(([moment, prices]) => ({
    moment,
    prices: prices.map(tickFrom),
  }))
}

type StoredReceipt = { readonly number: number; readonly at: number; readonly event: ProvenEvent }

async function receiptsOf(
  queries: Queries,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, StoredReceipt[]>> {
  const found = new Map<number, StoredReceipt[]>()
  for (const ids of chunks(orderIds)) {
    const rows = await queries
      .selectFrom('receipt')
      .select(['order_id', 'body'])
      .where('order_id', 'in', ids.map(BigInt))
      .orderBy('id')
      .execute()
    for (const { order_id, body } of rows) {
      const { number, at, event } = readReceipt(body)
      // An order that only waits has no position.
      if (event.type === 'orderPlaced' || event.type === 'orderCancelled') continue
      const id = Number(order_id)
      found.set(id, [...(found.get(id) ?? []), { number, at, event }])
    }
  }
  return found
}

/** Orders opened after publication that closed in a period; the parts of one count with it. */
async function closedOrders(
  queries: Queries,
  { account_id, published_at }: OfAccount,
  records: readonly OrderRecord[],
  { receipts, period }: { readonly receipts: ReadonlyMap<number, StoredReceipt[]>; readonly period: Period },
): Promise<ClosedOrder[]> {
  const whole = records.filter(
    ({ parentId, openedAt, endedAt }) =>
      parentId === null &&
      openedAt !== null &&
      openedAt > Number(published_at) &&
      endedAt !== null &&
      endedAt >= period.from &&
      endedAt <= period.upTo,
  )
  const openedLots = (record: OrderRecord): number => {
    const opening = receipts.get(record.id)?.find(({ event }) => event.type === 'positionOpened')
    return opening?.event.type === 'positionOpened' ? opening.event.lots : record.lots
  }
  const reduced = whole.filter((record) => openedLots(record) !== record.lots).map(({ id }) => id)
  const ofParts = await profitOfParts(queries, account_id, reduced)
  return whole
    .map((record): ClosedOrder => {
      const swaps = (receipts.get(record.id) ?? []).reduce(
        (sum, { event }) => sum + (event.type === 'swapBooked' ? event.amount : 0n),
        0n,
      )
      return {
        id: record.id,
        instrumentId: record.instrumentId,
        lots: openedLots(record),
        openedAt: record.openedAt ?? 0,
        endedAt: record.endedAt ?? 0,
        result: money(record.profit + (ofParts.get(record.id) ?? 0n) + swaps - record.fee),
      }
    })
    .toSorted((a, b) => a.endedAt - b.endedAt || a.id - b.id)
}

async function profitOfParts(
  queries: Queries,
  accountId: bigint,
  orderIds: readonly number[],
): Promise<ReadonlyMap<number, bigint>> {
  const sums = new Map<number, bigint>()
  for (const ids of chunks(orderIds)) {
    const rows = await queries
      .selectFrom('trade_order')
      .select(['parent_id', sql<bigint>`cast(sum(profit) as bigint)`.as('profit')])
      .where('account_id', '=', accountId)
      .where('parent_id', 'in', ids.map(BigInt))
      .groupBy('parent_id')
      .execute()
    for (const { parent_id, profit } of rows) sums.set(Number(parent_id), BigInt(profit))
  }
  return sums
}

export const chunks = <Value>(values: readonly Value[]): Value[][] =>
  Array.from({ length: Math.ceil(values.length / CHUNK) }, (_, index) =>
    values.slice(index * CHUNK, (index + 1) * CHUNK),
  )

type Snapshot = StrategyHistory['snapshots'][number]

/** Price snapshots; the latest ones are kept in memory, because after an hour every strategy needs the same. */
function createSnapshots(queries: Queries) {
  const known = new Map<number, Quote[]>()
  const load = async (moments: readonly number[]) => {
    for (const part of chunks(moments.filter((moment) => !known.has(moment)))) {
      const rows = await queries
        .selectFrom('price_mark')
        .selectAll()
        .where('moment', 'in', part.map(BigInt))
        .execute()
      for (const moment of part) known.set(moment, [])
      for (const row of rows) known.get(Number(row.moment))?.push(tickFrom(row))
    }
  }
  return {
    forget: (moment: number) => void known.delete(moment),
    /** Those in a period, and the last one before it. */
    between: async (from: number, upTo: number): Promise<Snapshot[]> => {
      const before = await queries
        .selectFrom('price_moment')
        .select(({ fn }) => fn.max('moment').as('moment'))
        .where('moment', '<', BigInt(from))
        .executeTakeFirst()
      const rows = await queries
        .selectFrom('price_moment')
        .select('moment')
        .where('moment', '>=', before?.moment ?? BigInt(from))
        .where('moment', '<=', BigInt(upTo))
        .orderBy('moment')
        .execute()
      const moments = rows.map(({ moment }) => Number(moment))
      await load(moments)
      const snapshots = moments.map((moment) => ({ moment, prices: known.get(moment) ?? [] }))
      for (const moment of known.keys()) {
        if (known.size <= MAX_SNAPSHOTS) break
        known.delete(moment)
      }
      return snapshots
    },
  }
}

type PastTerms = { readonly changeId: number; readonly at: number; readonly change: TermsChange }

/** All changes of settings and instruments that have taken effect, and cores that have them. */
function createTermsBook(queries: Queries) {
  let loading: Promise<readonly PastTerms[]> | null = null
  /** The core with the first so many changes, which strategies share while no terms change in their period. */
  let shared: { readonly count: number; readonly core: Core } | null = null
  const between = async (from: number, upTo: number) => {
    const all = await (loading ??= loadTerms(queries))
    const count = all.filter(({ at }) => at < from).length
    return { before: all.slice(0, count), later: all.slice(count).filter(({ at }) => at <= upTo) }
  }
  const ofOwn = async (from: number, upTo: number): Promise<TermsAt> => {
    const { before, later } = await between(from, upTo)
    const core = coreWith(before)
    let place = 0
    return {
      core,
      advance: (at) => {
        for (let next = later[place]; next && next.at <= at; next = later[place]) {
          takeTerms(core, next)
          place += 1
        }
      },
    }
  }
  return {
    forget: () => {
      loading = null
      shared = null
    },
    /** A core with the terms of a moment, for a walk to another. */
    ofOwn,
    /** The same, or one that others use afterwards: it must be left without accounts. */
    from: async (from: number, upTo: number): Promise<TermsAt> => {
      const { before, later } = await between(from, upTo)
      if (later.length > 0) return ofOwn(from, upTo)
      if (shared?.count !== before.length) shared = { count: before.length, core: coreWith(before) }
      return { core: shared.core, advance: () => undefined }
    },
  }
}

function coreWith(terms: readonly PastTerms[]): Core {
  // Whether a market was open has been decided: what is in the journal has happened.
  const core = createCore({ isOpen: () => true })
  for (const one of terms) takeTerms(core, one)
  return core
}

const takeTerms = (core: Core, { changeId, at, change }: PastTerms): void =>
  void evolveEvent(core, { type: 'termsSet', changeId, effectiveAt: at, change }, at)

/** In the order in which they took effect, which decides how currencies are converted. */
async function loadTerms(queries: Queries): Promise<PastTerms[]> {
  const rows = await queries
    .selectFrom('terms_change')
    .select(['change_id', 'at', 'effective_at', 'body'])
    .where('kind', 'in', ['settings', 'instrument'])
    .where('version', 'is not', null)
    .orderBy('version')
    .execute()
  return rows.map((row) => ({
    changeId: Number(row.change_id),
    at: Math.max(Number(row.at), Number(row.effective_at)),
    change: decodeTermsChange(row.body),
  }))
}
