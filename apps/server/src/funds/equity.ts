/** The equity curve of an account, computed from the tables by the core's rules (trading-rules §3). */
import {
  type Account,
  addAccount,
  availableOf,
  type Core,
  createCore,
  evolveEvent,
  indexOrder,
  isPriced,
  type LedgerAccountId,
  money,
  type Money,
  NO_MONEY,
  openProfit,
  type Order,
  type Quote,
  type State,
  type TermsChange,
  unindexOrder,
} from '@fairlot/core'
import { decodeTermsChange } from '../engine/journal/event-codec.ts'
import { recordFrom, tickFrom } from '../engine/projection/row-mapping.ts'
import type { Queries } from '../platform/database/open.ts'
import type { OrderTable, TransferTable } from '../platform/database/schema.ts'

/** Epoch ms, both ends included. */
export type Period = { readonly from: number; readonly to: number }

/** The most points of one call: more than a month of hours. */
const POINTS_MAX = 1_000

/**
 * The equity of an account at each moment with a price snapshot, oldest first: at most 1,000 points, so longer
 * periods take several calls. Moments before the account was opened have no point.
 */
export async function equityHistory(
  queries: Queries,
  accountId: number,
  period: Period,
): Promise<EquityPoint[]> {
  // Moments first: rows that are written meanwhile are dated later than all of them.
  const moments = await momentsOf(queries, accountId, period)
  const [first, last] = [moments[0], moments.at(-1)]
  if (first === undefined || last === undefined) return []
  const positions = await positionsOf(queries, accountId, { from: first, to: last })
  return equityCurve({
    ...(await moneyOf(queries, accountId, { from: first, to: last })),
    positions,
    terms: positions.length === 0 ? [] : await termsUpTo(queries, last),
    moments: await withPrices(queries, moments, positions.length > 0),
  })
}

async function momentsOf(queries: Queries, accountId: number, { from, to }: Period): Promise<number[]> {
  const rows = await queries
    .selectFrom('price_moment')
    .innerJoin('account', (join) =>
      join.onRef('account.opened_at', '<', 'price_moment.moment').on('account.id', '=', BigInt(accountId)),
    )
    .select('price_moment.moment as moment')
    .where('price_moment.moment', '>=', BigInt(from))
    .where('price_moment.moment', '<=', BigInt(to))
    .orderBy('price_moment.moment')
    .limit(POINTS_MAX)
    .execute()
  return rows.map(({ moment }) => Number(moment))
}

/** The balance before a period, and the movements in it. */
async function moneyOf(
  queries: Queries,
  accountId: number,
  { from, to }: Period,
): Promise<Pick<AccountHistory, 'balance' | 'movements'>> {
  const owner = availableOf(accountId)
  const rows = queries
    .selectFrom('transfer')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    .where((where) => where.or([where('debit', '=', owner), where('credit', '=', owner)]))
  const before = await rows.where('at', '<', BigInt(from)).orderBy('id', 'desc').limit(1).executeTakeFirst()
  const beforeId = before?.id ?? 0n
  const since = await rows
    .where('at', '>=', BigInt(from))
    .where((where) => where.or([where('at', '<', BigInt(to)), where('id', '<', beforeId)]))
    .execute()
  // The last row may be a swap that was booked late, after rows of a later date: its balance includes them.
  const early = since.filter(({ id }) => id < beforeId).map((row) => amountOf(row, owner))
  const known = before ? balanceAfter(before, owner) : NO_MONEY
  return {
    balance: money(early.reduce<bigint>((rest, amount) => rest - amount, known)),
    movements: since.map((row) => ({ at: Number(row.at), amount: amountOf(row, owner) })),
  }
}

const amountOf = ({ credit, amount }: TransferTable, owner: LedgerAccountId): Money =>
  money(credit === owner ? amount : -amount)

const balanceAfter = (row: TransferTable, owner: LedgerAccountId): bigint =>
  row.credit === owner ? row.credit_balance : row.debit_balance

/** The positions open at some time in a period. A partial close is a row of its own, opened with its position. */
async function positionsOf(
  queries: Queries,
  accountId: number,
  { from, to }: Period,
): Promise<PastPosition[]> {
  const rows = await queries
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    .where('opened_at', '<', BigInt(to))
    .where((where) => where.or([where('ended_at', 'is', null), where('ended_at', '>=', BigInt(from))]))
    .execute()
  return rows.map(positionFrom)
}

const positionFrom = (row: OrderTable): PastPosition => ({
  // Open, whatever it is now: the curve needs its value while it was open.
  order: { ...recordFrom(row), status: 'holding' },
  openedAt: Number(row.opened_at),
  endedAt: row.ended_at === null ? Infinity : Number(row.ended_at),
})

/** Every change of settings and instruments before a moment. */
async function termsUpTo(queries: Queries, last: number): Promise<PastTerms[]> {
  const rows = await queries
    .selectFrom('terms_change')
    .selectAll()
    .where('kind', 'in', ['settings', 'instrument'])
    .where('version', 'is not', null)
    .where('at', '<', BigInt(last))
    .orderBy('version')
    .execute()
  return rows.map((row) => ({
    changeId: Number(row.change_id),
    at: Number(row.at),
    effectiveAt: Number(row.effective_at),
    change: decodeTermsChange(row.body),
  }))
}

async function withPrices(
  queries: Queries,
  moments: readonly number[],
  isNeeded: boolean,
): Promise<PricedMoment[]> {
  const [first, last] = [moments[0], moments.at(-1)]
  if (!isNeeded || first === undefined || last === undefined)
    return moments.map((moment) => ({ moment, prices: [] }))
  const snapshots = await queries
    .selectFrom('price_mark')
    .selectAll()
    .where('moment', '>=', BigInt(first))
    .where('moment', '<=', BigInt(last))
    .execute()
  const byMoment = Map.groupBy(snapshots, ({ moment }) => Number(moment))
  return moments.map((moment) => ({ moment, prices: (byMoment.get(moment) ?? []).map(tickFrom) }))
}

/** An account at the moment (epoch ms) of a price snapshot. Equity is null if a price of its positions was unknown. */
type EquityPoint = {
  readonly moment: number
  readonly balance: Money
  readonly equity: Money | null
}

/** Money paid to the account (above zero) or from it (below zero). */
export type Movement = { readonly at: number; readonly amount: Money }

/** A position or a partial close, as it was while open, without its stop loss and take profit. */
type PastPosition = {
  readonly order: Order
  readonly openedAt: number
  /** Infinity while it is open. */
  readonly endedAt: number
}

/** A change of settings or of an instrument that has taken effect. */
type PastTerms = {
  readonly changeId: number
  /** When it was decided, and when it took effect. */
  readonly at: number
  readonly effectiveAt: number
  readonly change: TermsChange
}

/** A moment and its price snapshot. */
type PricedMoment = { readonly moment: number; readonly prices: readonly Quote[] }

type AccountHistory = {
  /** Oldest first. */
  readonly moments: readonly PricedMoment[]
  /** The balance before the first of the movements. */
  readonly balance: Money
  readonly movements: readonly Movement[]
  readonly positions: readonly PastPosition[]
  /** All of them, by version: the order of the instruments decides how currencies are converted. */
  readonly terms: readonly PastTerms[]
}

/**
 * A point for each moment, without what is dated with the moment itself: that is part of the next point. So a swap
 * counts from its rollover on, however late it was booked.
 */
function equityCurve(history: AccountHistory): EquityPoint[] {
  const core = createCore()
  const { state } = core
  const account = addAccount(state, 1, 'demo')
  const hasBegun = createReader(
    history.terms,
    ({ at, effectiveAt }, moment) => at < moment && effectiveAt <= moment,
  )
  const moved = createReader(
    sorted(history.movements, ({ at }) => at),
    ({ at }, moment) => at < moment,
  )
  const opened = createReader(
    sorted(history.positions, ({ openedAt }) => openedAt),
    ({ openedAt }, moment) => openedAt < moment,
  )
  const ended = createReader(
    sorted(history.positions, ({ endedAt }) => endedAt),
    ({ endedAt }, moment) => endedAt < moment,
  )
  let balance = history.balance
  return history.moments.map(({ moment, prices }) => {
    for (const terms of hasBegun(moment)) takeTerms(core, terms)
    for (const { amount } of moved(moment)) balance = money(balance + amount)
    for (const { order } of opened(moment)) indexOrder(core, account, order)
    for (const { order } of ended(moment)) unindexOrder(core, account, order)
    return { moment, balance, equity: equityAt(state, account, balance, prices) }
  })
}

function equityAt(state: State, account: Account, balance: Money, prices: readonly Quote[]): Money | null {
  state.quotes.clear()
  for (const quote of prices) state.quotes.set(quote.instrumentId, quote)
  return isPriced(state, account) ? money(balance + openProfit(state, account)) : null
}

function takeTerms(core: Core, { changeId, effectiveAt, change }: PastTerms): void {
  evolveEvent(core, { type: 'termsSet', changeId, effectiveAt, change }, effectiveAt)
}

/** Two open positions both end at Infinity, whose difference is NaN: they count as equal. */
const sorted = <Row>(rows: readonly Row[], timeOf: (row: Row) => number): Row[] =>
  rows.toSorted((a, b) => timeOf(a) - timeOf(b) || 0)

/** Yields each row once, in order, up to a moment. */
function createReader<Row>(rows: readonly Row[], isBefore: (row: Row, moment: number) => boolean) {
  let place = 0
  return function* (moment: number): Generator<Row> {
    for (let row = rows[place]; row !== undefined && isBefore(row, moment); row = rows[place]) {
      place += 1
      yield row
    }
  }
}
