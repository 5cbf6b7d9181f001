/** The curve of an account's equity, out of the tables (trading-rules §3). */
import { availableOf, money, NO_MONEY, type LedgerAccountId, type Money } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { OrderTable, TransferTable } from '../database/schema.ts'
import { recordFrom, tickFrom } from '../engine/projection/row-mapping.ts'
import { decodeTermsChange } from '../engine/journal/terms-codec.ts'
import {
  equityCurve,
  type AccountHistory,
  type EquityPoint,
  type MarkedMoment,
  type PastPosition,
  type PastTerms,
} from './equity-curve.ts'

/** Marked moments, both ends included, epoch ms. */
export type Period = { readonly from: number; readonly to: number }

/** Points that are worked out at once: more than a month of hours. */
const MOST_POINTS = 1_000

/**
 * The equity of an account at each moment whose prices were marked, oldest first: at most 1,000, whoever wants more asks
 * again behind the last. Moments before the account was opened have none; no account, no points.
 */
export async function equityHistory(
  queries: Queries,
  accountId: number,
  period: Period,
): Promise<EquityPoint[]> {
  // Moments first: what the tables learn meanwhile is dated later than all of them.
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
    .limit(MOST_POINTS)
    .execute()
  return rows.map(({ moment }) => Number(moment))
}

/** The balance before a period, and what moved in it. */
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
  // A night that was booked late stands behind rows of a later date: its balance has them in it.
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

/** What was open at some moment of a period. A part that was closed is a row of its own, opened with the whole. */
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
  // As it was: only its worth is asked for.
  order: { ...recordFrom(row), status: 'holding' },
  openedAt: Number(row.opened_at),
  endedAt: row.ended_at === null ? Infinity : Number(row.ended_at),
})

/** Settings and instruments from the first on: they are as many as operators have made. */
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
): Promise<MarkedMoment[]> {
  const [first, last] = [moments[0], moments.at(-1)]
  if (!isNeeded || first === undefined || last === undefined)
    return moments.map((moment) => ({ moment, prices: [] }))
  const marks = await queries
    .selectFrom('price_mark')
    .selectAll()
    .where('moment', '>=', BigInt(first))
    .where('moment', '<=', BigInt(last))
    .execute()
  const byMoment = Map.groupBy(marks, ({ moment }) => Number(moment))
  return moments.map((moment) => ({ moment, prices: (byMoment.get(moment) ?? []).map(tickFrom) }))
}
