/** The ranking, a strategy's page, and the spec's list of followed traders. */
import {
  getStrategy,
  listFollowed,
  listStrategies,
  listStrategyOrders,
  PAGE_ROWS,
  type InputOf,
  type OutputOf,
  type StrategyDetails,
  type StrategyQuery,
  type StrategyRow,
} from '@fairlot/contract'
import {
  availableOf,
  figuresOf,
  money,
  NO_MONEY,
  ratio,
  smaller,
  TRADING_KINDS,
  type Money,
  type Ratio,
  type State,
} from '@fairlot/core'
import { sql } from 'kysely'
import { readEngine } from '../engine/calls.ts'
import type { StrategyFiguresTable } from '../platform/database/copying-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Api, Call } from '../platform/http/api.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import type { CopyingServices } from './copying-services.ts'
import {
  listedFigures,
  listedByOpenLoss,
  listedPage,
  listedStrategies,
  sorted,
  strategiesWithFigures,
  type ListedRow,
} from './listed-strategies.ts'
import { publicOrders } from './public-orders.ts'
import { publisherOf } from './publishers.ts'
import {
  DAY_MS,
  deepestOf,
  firstDayOf,
  GROWTH_UNIT,
  medianOf,
  ratioOf,
  SPAN_NAMES,
  type DayFalls,
  type Span,
} from './strategy-figures.ts'

/** Points of a small curve, and of the curve of a strategy's page. */
const SMALL_CURVE = 30
const LARGE_CURVE = 400
/** Closed orders by which instruments and holding times are judged: the latest. */
const JUDGED_ORDERS = 10_000

/** Who asks, if somebody is logged in. */
type CallerOf = (call: Pick<Call<unknown>, 'token'>) => Promise<{ readonly id: number } | null>

export function registerRanking(api: Api, services: CopyingServices, callerOf: CallerOf): void {
  const ownCopies = async (call: Pick<Call<unknown>, 'token'>) => {
    const caller = await callerOf(call)
    return caller ? copyIdsOf(services.engine.state(), caller.id) : new Map<number, number>()
  }
  api.visitor(listStrategies, async (call) => {
    const page = await strategyPage(services, call.input)
    if (isRefusal(page)) return page
    const copies = await ownCopies(call)
    const strategies = page.strategies.map((row) => ({ ...row, copyId: copies.get(row.id) ?? null }))
    return { ...page, strategies }
  })
  api.visitor(getStrategy, async (call) => {
    const caller = await callerOf(call)
    const details = await strategyDetails(services, call.input.id, caller?.id ?? null)
    if (isRefusal(details)) return details
    return { ...details, copyId: (await ownCopies(call)).get(details.id) ?? null }
  })
  api.visitor(listStrategyOrders, ({ input }) => strategyOrders(services, input))
  api.visitor(listFollowed, async (call) => followed(services, call.input.page, await callerOf(call)))
}

/** The caller's running copies by strategy. */
function copyIdsOf({ accounts }: State, userId: number): Map<number, number> {
  const copies = accounts.get(userId)?.copies ?? []
  return new Map(copies.flatMap((id) => [[accounts.get(id)?.copy?.strategyId ?? 0, id] as const]))
}

type StrategyPage = {
  readonly strategies: readonly Omit<StrategyRow, 'copyId'>[]
  readonly total: number
}

async function strategyPage(
  services: CopyingServices,
  query: StrategyQuery,
): Promise<StrategyPage | Refusal> {
  const { engine, queries, now } = services
  const { window: span, sort } = query
  const lossesOf = (accountIds: readonly number[]) =>
    readEngine(engine, (state) => accountIds.map((id) => openLossOf(state, id)))
  const page =
    sort === 'openLoss'
      ? await listedByOpenLoss(queries, query, { now: now(), lossesOf })
      : await listedPage(queries, { ...query, sort }, now())
  if (isRefusal(page)) return page
  const { ids, total } = page
  // A strategy that has been hidden meanwhile is left out.
  const found =
    ids.length === 0
      ? []
      : await listedStrategies(queries, now())
          .where('strategy_figures.span', '=', span)
          .where('strategy_figures.strategy_id', 'in', ids)
          .execute()
  const rows = new Map(found.map((row) => [row.strategy_id, row]))
  const strategies = await shownRows(
    services,
    ids.flatMap((id) => rows.get(id) ?? []),
    span,
  )
  return isRefusal(strategies) ? strategies : { strategies, total }
}

async function shownRows(
  { engine, queries }: CopyingServices,
  rows: readonly ListedRow[],
  span: Span,
): Promise<Omit<StrategyRow, 'copyId'>[] | Refusal> {
  const losses = await readEngine(engine, (state) => rows.map((row) => shownLoss(state, row)))
  if (isRefusal(losses)) return losses
  const days = await growthsOf(
    queries,
    rows.map(({ strategy_id }) => strategy_id),
  )
  return rows.map((row, index) => ({
    ...identityOf(row),
    ...figuresShown(row),
    feeShare: ratio(Number(row.fee_share)),
    openLoss: losses[index] ?? NO_MONEY,
    copiers: Number(row.copiers),
    copiedMoney: money(row.copied_money),
    isShort: row.is_short === 1n,
    curve: smallCurve(days.get(row.strategy_id) ?? [], span),
  }))
}

/** The open loss of the account of a running strategy, zero or less. */
function openLossOf(state: State, accountId: number): Money {
  const account = state.accounts.get(accountId)
  return account ? smaller(NO_MONEY, figuresOf(state, account).profit) : NO_MONEY
}

/** The open loss of a strategy; one that has ended has none. */
const shownLoss = (state: State, { account_id, ended_at }: ListedRow): Money =>
  ended_at === null ? openLossOf(state, Number(account_id)) : NO_MONEY

const identityOf = (
  row: ListedRow,
): Pick<StrategyRow, 'id' | 'name' | 'kind' | 'publishedAt' | 'endedAt' | 'endedAs'> => ({
  id: Number(row.strategy_id),
  name: row.name,
  kind: row.ledger as StrategyRow['kind'],
  publishedAt: Number(row.published_at),
  endedAt: row.ended_at === null ? null : Number(row.ended_at),
  endedAs: row.end_reason as StrategyRow['endedAs'],
})

const ratioOrNull = (value: bigint | null): Ratio | null => (value === null ? null : ratio(Number(value)))

const figuresShown = (row: StrategyFiguresTable) => ({
  rate: ratioOrNull(row.rate),
  profit: money(row.profit),
  winRate: ratioOrNull(row.win_rate),
  drawdown: ratio(Number(row.drawdown)),
  profitFactor: ratioOrNull(row.profit_factor),
  averageLeverage: ratioOrNull(row.average_leverage),
  highestLeverage: ratioOrNull(row.highest_leverage),
  exposedShare: ratio(Number(row.exposed_share)),
  orders: Number(row.orders),
  days: Number(row.days),
  copiersResult: money(row.copiers_result),
  copiersInProfit: ratioOrNull(row.copiers_in_profit),
  copiersMedian: ratioOrNull(row.copiers_median),
  flags: (row.flags === '' ? [] : row.flags.split(',')) as StrategyRow['flags'],
})

type DayGrowth = DayFalls & { readonly day: number; readonly growth: bigint }

/** The days of strategies, oldest first. */
async function growthsOf(
  queries: Queries,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, DayGrowth[]>> {
  if (ids.length === 0) return new Map()
  const rows = await queries
    .selectFrom('strategy_day')
    .select(['strategy_id', 'day', 'growth', 'highest', 'lowest', 'fall_from', 'fall_to'])
    .where('strategy_id', 'in', ids)
    .orderBy('strategy_id')
    .orderBy('day')
    .execute()
  const days = rows.map(({ fall_from: fallFrom, fall_to: fallTo, day, ...row }) => ({
    ...row,
    day: Number(day),
    fallFrom,
    fallTo,
  }))
  return Map.groupBy(days, ({ strategy_id }) => strategy_id)
}

/** The growth of one unit since the window began, at the ends of days. */
function smallCurve(days: readonly DayGrowth[], span: Span): Ratio[] {
  const first = firstDayOf(span, days.at(-1)?.day ?? 0)
  const before = days.findLast(({ day }) => day < first)?.growth ?? GROWTH_UNIT
  const growths = [before, ...days.filter(({ day }) => day >= first).map(({ growth }) => growth)]
  return thinned(growths, SMALL_CURVE).flatMap((growth) => ratioOf(growth, before) ?? [])
}

/** At most so many values, evenly spread, the first and the last among them. */
function thinned<Value>(values: readonly Value[], most: number): Value[] {
  if (values.length <= most) return [...values]
  const step = (values.length - 1) / (most - 1)
  return Array.from({ length: most }, (_, index) => values[Math.round(index * step)] as Value)
}

/** A strategy with all its windows; hidden ones only for their owner. */
async function strategyDetails(
  services: CopyingServices,
  id: number,
  callerId: number | null,
): Promise<Omit<StrategyDetails, 'copyId'> | Refusal> {
  const { engine, queries, instrumentOf } = services
  const text = await queries
    .selectFrom('strategy_text')
    .innerJoin('strategy', 'strategy.id', 'strategy_text.strategy_id')
    .select(['description', 'hidden_for', 'account_id', 'published_at'])
    .where('strategy_id', '=', BigInt(id))
    .executeTakeFirst()
  if (!text || (text.hidden_for !== null && Number(text.account_id) !== callerId))
    return refuse('strategyNotFound')
  const rows = await allFigures(queries, id)
  const [first] = rows
  if (!first) return refuse('strategyNotFound')
  const openLoss = await readEngine(engine, (state) => shownLoss(state, first))
  if (isRefusal(openLoss)) return openLoss
  const days = (await growthsOf(queries, [BigInt(id)])).get(BigInt(id)) ?? []
  const orders = await queries
    .selectFrom('strategy_order')
    .select(['instrument_id', 'opened_at', 'ended_at', 'result'])
    .where('strategy_id', '=', BigInt(id))
    .orderBy('ended_at', 'desc')
    .limit(JUDGED_ORDERS)
    .execute()
  const traded = [...Map.groupBy(orders, ({ instrument_id }) => Number(instrument_id))]
  return {
    ...identityOf(first),
    description: text.description,
    feeShare: ratio(Number(first.fee_share)),
    openLoss,
    copiers: Number(first.copiers),
    copiedMoney: money(first.copied_money),
    isShort: first.is_short === 1n,
    windows: SPAN_NAMES.flatMap((span) => {
      const row = rows.find((one) => one.span === span)
      return row ? [{ window: span, ...figuresShown(row) }] : []
    }),
    curve: largeCurve(days, Number(text.published_at)),
    months: monthsOf(days),
    instruments: traded
      .map(([instrumentId, of]) => {
        const { code, name } = instrumentOf(instrumentId)
        const profit = money(of.reduce((sum, { result }) => sum + result, 0n))
        return { instrumentId, code, name, orders: of.length, profit }
      })
      .toSorted((a, b) => b.orders - a.orders || a.instrumentId - b.instrumentId),
    holdingTime: medianOf(orders.map(({ opened_at, ended_at }) => Number(ended_at - opened_at))),
    ...(await resultsBefore(queries, text)),
    others: await othersOf(services, id, text.account_id),
    isOwn: Number(text.account_id) === callerId,
  }
}

const allFigures = (queries: Queries, id: number): Promise<ListedRow[]> =>
  strategiesWithFigures(queries).where('strategy_figures.strategy_id', '=', BigInt(id)).execute()

/** Growth since publication at the ends of days, with the deepest fall of each day from the highest before. */
function largeCurve(days: readonly DayGrowth[], publishedAt: number): StrategyDetails['curve'] {
  let peak = GROWTH_UNIT
  const points = days.map((day) => {
    const { from, to } = deepestOf(day, peak)
    if (day.highest > peak) peak = day.highest
    return {
      at: Math.max((day.day + 1) * DAY_MS, publishedAt),
      growth: ratioOf(day.growth, GROWTH_UNIT) ?? ratio(0),
      drawdown: ratioOf(from - to, from) ?? ratio(0),
    }
  })
  const start = { at: publishedAt, growth: ratio(1_000_000), drawdown: ratio(0) }
  return thinned([start, ...points], LARGE_CURVE)
}

/** The return of each calendar month (UTC). */
function monthsOf(days: readonly DayGrowth[]): StrategyDetails['months'] {
  const startOf = (day: number): number => {
    const date = new Date(day * DAY_MS)
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
  }
  let before = GROWTH_UNIT
  return [...Map.groupBy(days, ({ day }) => startOf(day))].map(([start, of]) => {
    const after = of.at(-1)?.growth ?? before
    const rate = ratioOf(after - before, before)
    before = after
    return { start, rate }
  })
}

/** Closed orders of the account from before publication: shown apart and never ranked. */
async function resultsBefore(
  queries: Queries,
  { account_id, published_at }: { readonly account_id: bigint; readonly published_at: bigint },
): Promise<Pick<StrategyDetails, 'ordersBefore' | 'profitBefore'>> {
  const closed = queries
    .selectFrom('trade_order')
    .where('account_id', '=', account_id)
    .where('status', '=', 'closed')
    .where('parent_id', 'is', null)
    .where('ended_at', '<=', published_at)
  const { orders } = await closed
    .select(({ fn }) => fn.countAll<bigint>().as('orders'))
    .executeTakeFirstOrThrow()
  const own = availableOf(Number(account_id))
  // Everything that was booked for them and their parts.
  const { profit } = await queries
    .selectFrom('transfer')
    .innerJoin('trade_order', 'trade_order.id', 'transfer.order_id')
    .select(
      sql<bigint>`cast(coalesce(sum(case when credit = ${own} then amount when debit = ${own} then -amount else 0 end), 0) as bigint)`.as(
        'profit',
      ),
    )
    .where('transfer.account_id', '=', account_id)
    .where('transfer.kind', 'in', [...TRADING_KINDS])
    .where(({ fn }) => fn.coalesce('parent_id', 'trade_order.id'), 'in', closed.select('id'))
    .executeTakeFirstOrThrow()
  return { ordersBefore: Number(orders), profitBefore: money(BigInt(profit)) }
}

/** The other strategies that the same person has published, the latest first. */
async function othersOf(
  { queries }: CopyingServices,
  id: number,
  accountId: bigint,
): Promise<StrategyDetails['others']> {
  const { accountIds } = await publisherOf(queries, Number(accountId))
  const rows = await strategiesWithFigures(queries)
    .where('strategy.account_id', 'in', accountIds.map(BigInt))
    .where('strategy.id', '!=', BigInt(id))
    .where('strategy_figures.span', '=', 'all')
    .where('strategy_text.hidden_for', 'is', null)
    .orderBy('strategy.id', 'desc')
    .execute()
  return rows.map((row) => ({ ...identityOf(row), rate: ratioOrNull(row.rate) }))
}

const listedStrategy = (queries: Queries, id: number, now: number): Promise<ListedRow | undefined> =>
  listedStrategies(queries, now)
    .where('strategy_figures.strategy_id', '=', BigInt(id))
    .where('strategy_figures.span', '=', 'all')
    .executeTakeFirst()

/** The closed orders of a listed strategy. */
async function strategyOrders(
  services: CopyingServices,
  { id, page }: InputOf<typeof listStrategyOrders>,
): Promise<OutputOf<typeof listStrategyOrders> | Refusal> {
  const strategy = await listedStrategy(services.queries, id, services.now())
  return strategy ? publicOrders(services, id, page) : refuse('strategyNotFound')
}

type Followed = OutputOf<typeof listFollowed>

/** The strategies that a user copies; for visitors and users without copies the first of the ranking. */
async function followed(
  services: CopyingServices,
  page: number,
  caller: { readonly id: number } | null,
): Promise<Followed | Refusal> {
  const { engine, queries, instrumentOf } = services
  const copies = caller ? copyIdsOf(engine.state(), caller.id) : new Map<number, number>()
  const strategyIds =
    copies.size > 0 ? [...copies.keys()] : await firstOfRanking(queries, services.now(), caller !== null)
  const shown = strategyIds.slice((page - 1) * PAGE_ROWS, page * PAGE_ROWS)
  const rows = await Promise.all(
    shown.map(async (id): Promise<Followed['rows']> => {
      const figures = await allFigures(queries, id)
      const [weeks, all] = [
        figures.find(({ span }) => span === 'threeWeeks'),
        figures.find(({ span }) => span === 'all'),
      ]
      if (!weeks || !all) return []
      const copyId = copies.get(id) ?? null
      const copy = copyId === null ? null : engine.state().accounts.get(copyId)?.copy
      return [
        {
          id,
          copyId,
          kind: all.ledger as StrategyRow['kind'],
          name: all.name,
          multiplier: copy?.multiplier ?? ratio(1_000_000),
          rate: ratioOrNull(weeks.rate),
          winRate: ratioOrNull(weeks.win_rate),
          profit: money(weeks.profit),
          totalRate: ratioOrNull(all.rate),
          totalOrders: Number(all.orders),
          codes: await tradedCodes(queries, id, instrumentOf),
        },
      ]
    }),
  )
  return { rows: rows.flat(), total: strategyIds.length }
}

/** For a visitor the first page of the ranking, real strategies before demo ones; a user without copies has none. */
async function firstOfRanking(queries: Queries, now: number, isUser: boolean): Promise<number[]> {
  if (isUser) return []
  const running = listedFigures(queries, now)
    .where('strategy_figures.span', '=', 'threeWeeks')
    .where('strategy_figures.ended_at', 'is', null)
    .select('strategy_figures.strategy_id')
    .orderBy('strategy_figures.ledger', 'desc')
  const rows = await sorted(running, 'score').limit(PAGE_ROWS).execute()
  return rows.map((row) => Number(row.strategy_id))
}

async function tradedCodes(
  queries: Queries,
  id: number,
  instrumentOf: CopyingServices['instrumentOf'],
): Promise<string> {
  const rows = await queries
    .selectFrom('strategy_order')
    .select(['instrument_id', ({ fn }) => fn.countAll<bigint>().as('count')])
    .where('strategy_id', '=', BigInt(id))
    .groupBy('instrument_id')
    .orderBy('count', 'desc')
    .orderBy('instrument_id')
    .execute()
  return rows.map(({ instrument_id }) => instrumentOf(Number(instrument_id)).code).join(', ')
}
