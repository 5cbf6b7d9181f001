/** Which strategies anybody may see, and the orders of their lists (trading-rules §13). */
import { PAGE_ROWS, type StrategyQuery } from '@fairlot/contract'
import { NO_MONEY, type Money } from '@fairlot/core'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { StrategyFiguresTable } from '../platform/database/copying-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Tables } from '../platform/database/schema.ts'
import { isRefusal, type Refusal } from '../platform/refusal.ts'
import { DAY_MS } from './strategy-figures.ts'

/** Ended strategies stay listed for a year, ms. */
const LISTED_AFTER_END_MS = 365 * DAY_MS

/** Figures with the strategy they belong to. */
export type ListedRow = StrategyFiguresTable & {
  readonly name: string
  readonly account_id: bigint
  readonly fee_share: bigint
  readonly published_at: bigint
  readonly end_reason: string | null
}

type ListedQuery = SelectQueryBuilder<Tables, 'strategy_figures' | 'strategy' | 'strategy_text', ListedRow>

/** Figures of every window, each with its strategy and the name of that. */
export const strategiesWithFigures = (queries: Queries): ListedQuery =>
  queries
    .selectFrom('strategy_figures')
    .innerJoin('strategy', 'strategy.id', 'strategy_figures.strategy_id')
    .innerJoin('strategy_text', 'strategy_text.strategy_id', 'strategy.id')
    .selectAll('strategy_figures')
    .select(['strategy_text.name', 'strategy.account_id', 'strategy.fee_share', 'strategy.published_at'])
    .select('strategy.end_reason') as ListedQuery

/** Strategies that anybody may see: named, not hidden, and running or ended within the year. */
export const listedStrategies = (queries: Queries, now: number): ListedQuery =>
  strategiesWithFigures(queries)
    .where('strategy_text.hidden_for', 'is', null)
    .where((where) =>
      where.or([
        where('strategy.ended_at', 'is', null),
        where('strategy.ended_at', '>', BigInt(Math.floor(now) - LISTED_AFTER_END_MS)),
      ]),
    )

/** Orders by a figure of the table; what is open now stands in the engine only. */
type StoredSort = Exclude<StrategyQuery['sort'], 'openLoss'>

const SORT_COLUMNS = {
  score: 'score',
  rate: 'rate',
  profit: 'profit',
  winRate: 'win_rate',
  drawdown: 'drawdown',
  orders: 'orders',
  days: 'days',
  copiers: 'copiers',
  copiedMoney: 'copied_money',
  copiersResult: 'copiers_result',
  copiersInProfit: 'copiers_in_profit',
  copiersMedian: 'copiers_median',
  profitFactor: 'profit_factor',
  averageLeverage: 'average_leverage',
  highestLeverage: 'highest_leverage',
  exposedShare: 'exposed_share',
} as const satisfies Record<StoredSort, keyof StrategyFiguresTable>

/** Of these the smallest come first. */
const SMALLEST_FIRST: ReadonlySet<StoredSort> = new Set(['drawdown', 'averageLeverage', 'highestLeverage'])

/**
 * The figures of strategies that anybody may see: not hidden, and running or ended within the year. One that was published
 * a moment ago may still be without its name.
 */
export const listedFigures = (queries: Queries, now: number) =>
  queries
    .selectFrom('strategy_figures')
    .where((where) =>
      where.or([
        where('strategy_figures.ended_at', 'is', null),
        where('strategy_figures.ended_at', '>', BigInt(Math.floor(now) - LISTED_AFTER_END_MS)),
      ]),
    )
    .where('strategy_figures.strategy_id', 'not in', ({ selectFrom }) =>
      selectFrom('strategy_text').select('strategy_id').where('hidden_for', 'is not', null),
    )

/**
 * Sorts a list. In the default order, which an index of the table has, strategies of which too little is known stand
 * below the others. Where nothing can be said, they stand last. Ties go to more closed orders, then to the older
 * publication, in the order of which they are numbered.
 */
export const sorted = <Row>(
  list: SelectQueryBuilder<Tables, 'strategy_figures', Row>,
  sort: StoredSort,
): SelectQueryBuilder<Tables, 'strategy_figures', Row> => {
  const column = sql.ref<bigint | null>(`strategy_figures.${SORT_COLUMNS[sort]}`)
  return list
    .$if(sort === 'score', (ranked) => ranked.orderBy('strategy_figures.is_short'))
    .$if(sort !== 'score', (others) => others.orderBy(sql<SqlBool>`${column} is null`))
    .orderBy(column, SMALLEST_FIRST.has(sort) ? 'asc' : 'desc')
    .orderBy('strategy_figures.orders', 'desc')
    .orderBy('strategy_figures.strategy_id')
}

/** The ids of a page of a list, and how many strategies the list has. */
type ListedPage = { readonly ids: readonly bigint[]; readonly total: number }

const listOf = (
  queries: Queries,
  { window: span, kind }: Pick<StrategyQuery, 'window' | 'kind'>,
  now: number,
) =>
  listedFigures(queries, now)
    .where('strategy_figures.span', '=', span)
    .where('strategy_figures.ledger', '=', kind)

/** A page of a list in its order. */
export async function listedPage(
  queries: Queries,
  { sort, page, ...query }: StrategyQuery & { readonly sort: StoredSort },
  now: number,
): Promise<ListedPage> {
  const list = listOf(queries, query, now)
  const [{ total }, rows] = await Promise.all([
    list.select(({ fn }) => fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
    sorted(list.select('strategy_figures.strategy_id'), sort)
      .limit(PAGE_ROWS)
      .offset((page - 1) * PAGE_ROWS)
      .execute(),
  ])
  return { ids: rows.map(({ strategy_id }) => strategy_id), total: Number(total) }
}

/** The losses of running strategies by the ids of their accounts, in the same order: zero or less. */
type OpenLossesOf = (accountIds: readonly number[]) => Promise<readonly Money[] | Refusal>

/** So many accounts are looked at in one turn of the engine. */
const LOOKED_AT = 500

/** A page of a list by what is open now, the smallest loss first; strategies that have ended have none and stand last. */
export async function listedByOpenLoss(
  queries: Queries,
  { page, ...query }: StrategyQuery,
  { now, lossesOf }: { readonly now: number; readonly lossesOf: OpenLossesOf },
): Promise<ListedPage | Refusal> {
  const rows = await listOf(queries, query, now)
    .innerJoin('strategy', 'strategy.id', 'strategy_figures.strategy_id')
    .select(['strategy_figures.strategy_id as id', 'strategy.account_id', 'strategy_figures.ended_at'])
    .orderBy('strategy_figures.orders', 'desc')
    .orderBy('strategy_figures.strategy_id')
    .execute()
  const running = rows.filter(({ ended_at }) => ended_at === null)
  const losses: Money[] = []
  for (let first = 0; first < running.length; first += LOOKED_AT) {
    const part = running.slice(first, first + LOOKED_AT).map(({ account_id }) => Number(account_id))
    const found = await lossesOf(part)
    if (isRefusal(found)) return found
    losses.push(...found)
  }
  const byLoss = running
    .map(({ id }, index) => ({ id, loss: losses[index] ?? NO_MONEY }))
    .toSorted((a, b) => (a.loss === b.loss ? 0 : a.loss > b.loss ? -1 : 1))
  const ids = [...byLoss, ...rows.filter(({ ended_at }) => ended_at !== null)].map(({ id }) => id)
  return { ids: ids.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS), total: ids.length }
}
