/** Which strategies anybody may see, and the orders of their lists (trading-rules §13). */
import type { StrategyQuery } from '@fairlot/contract'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { StrategyFiguresTable } from '../platform/database/copying-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Tables } from '../platform/database/schema.ts'
import type { CopyingServices } from './copying-services.ts'
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
} as const satisfies Record<StrategyQuery['sort'], keyof StrategyFiguresTable>

/** Of these the smallest come first. */
const SMALLEST_FIRST: ReadonlySet<StrategyQuery['sort']> = new Set([
  'drawdown',
  'averageLeverage',
  'highestLeverage',
])

/**
 * Sorts a list. Where strategies are ranked, those of which too little is known stand below the others; where nothing
 * can be said, they stand last. Ties go to more closed orders, then to the older publication.
 */
export function sorted<Row>(
  list: SelectQueryBuilder<Tables, 'strategy_figures' | 'strategy' | 'strategy_text', Row>,
  sort: StrategyQuery['sort'],
): SelectQueryBuilder<Tables, 'strategy_figures' | 'strategy' | 'strategy_text', Row> {
  const column = sql.ref<bigint | null>(`strategy_figures.${SORT_COLUMNS[sort]}`)
  return list
    .$if(sort === 'score', (ranked) => ranked.orderBy('strategy_figures.is_short'))
    .orderBy(sql<SqlBool>`${column} is null`)
    .orderBy(column, SMALLEST_FIRST.has(sort) ? 'asc' : 'desc')
    .orderBy('strategy_figures.orders', 'desc')
    .orderBy('strategy.published_at')
    .orderBy('strategy_figures.strategy_id')
}

/** The order of a list is read again after this time, ms; until then pages come from the one that is known. */
const ORDER_FRESH_MS = 1_000
/** After this time a page waits for the new order, ms. */
const ORDER_USEFUL_MS = 3_000

/** The ids of a list in its order. */
export type Ordering = (query: Omit<StrategyQuery, 'page'>) => Promise<readonly bigint[]>

/** Keeps the orders of lists for a moment: sorting ten thousand strategies takes longer than reading ten. */
export function createOrdering({ queries, now }: Pick<CopyingServices, 'queries' | 'now'>): Ordering {
  const known = new Map<string, { readonly ids: readonly bigint[]; readonly at: number }>()
  const reading = new Map<string, Promise<readonly bigint[]>>()
  return async (query) => {
    const key = `${query.window} ${query.kind} ${query.sort}`
    const read = async () => {
      const at = performance.now()
      const ids = await sortedIds(queries, query, now())
      known.set(key, { ids, at })
      return ids
    }
    const begin = () => {
      const begun = reading.get(key) ?? read().finally(() => reading.delete(key))
      reading.set(key, begun)
      return begun
    }
    const last = known.get(key)
    const age = last ? performance.now() - last.at : Infinity
    if (!last || age > ORDER_USEFUL_MS) return begin()
    // A failure is found again by the call that waits.
    if (age > ORDER_FRESH_MS) begin().catch(() => undefined)
    return last.ids
  }
}

/** The ids of all listed strategies in an order. */
export async function sortedIds(
  queries: Queries,
  { window: span, kind, sort }: Omit<StrategyQuery, 'page'>,
  now: number,
): Promise<bigint[]> {
  const listed = listedStrategies(queries, now)
    .where('strategy_figures.span', '=', span)
    .where('strategy_figures.ledger', '=', kind)
    .clearSelect()
    .select('strategy_figures.strategy_id')
  const rows = await sorted(listed, sort).execute()
  return rows.map(({ strategy_id }) => strategy_id)
}
