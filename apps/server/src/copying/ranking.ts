/**
 * The table of the ranking: figures of every strategy and window, computed from the tables of the journal. A strategy
 * is computed again soon after its account or its copies have changed, and after every full hour. Complete days are
 * kept, so only the days that have changed are walked through again.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { figuresOf, money, NO_MONEY, type Event, type Money, type Ratio } from '@fairlot/core'
import type { Committed, Engine } from '../engine/engine.ts'
import { isUnavailable } from '../engine/engine.ts'
import { userOf } from '../engine/projection/row-mapping.ts'
import { readProjectionPosition } from '../engine/projection/segment-writer.ts'
import type {
  StrategyFiguresTable,
  StrategyOrderTable,
  StrategyTable,
} from '../platform/database/copying-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { copyMoneyOf } from './copy-money.ts'
import {
  copiersFigures,
  dayOf,
  lastMomentBefore,
  ratioOf,
  SPAN_NAMES,
  windowFigures,
  type ClosedOrder,
  type CopyResult,
  type Flag,
  type Span,
  type WindowFigures,
} from './strategy-figures.ts'
import { chunks, createStrategyRecords, dayRow, type StrategyRecords } from './strategy-records.ts'

/** A copy, and the time for which the growth of its strategy is wanted: epoch ms; `to` is null for now. */
type GrowthQuery = {
  readonly copyId: number
  readonly strategyId: number
  readonly from: number
  readonly to: number | null
}

export type Ranking = {
  readonly records: StrategyRecords
  /** The strategy's return since each copy started, by copy. */
  growthSince(copies: readonly GrowthQuery[]): Promise<ReadonlyMap<number, Ratio | null>>
  /** Computes at once what has changed. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

type RankingOptions = {
  readonly engine: Engine
  readonly queries: Queries
  /** Epoch ms on the market clock. */
  readonly now: () => number
  /** From how many days and closed orders on a strategy is ranked. */
  readonly rankedAfter: () => { readonly days: number; readonly orders: number }
  readonly onError: (error: unknown, doing: string) => void
}

/** Changed strategies are computed at this interval, ms: a closed order shows within five seconds. */
const EVERY_MS = 1_000
/** How long a round computes strategies without a change of their own, ms: changed ones wait for the next round. */
const ROUND_MS = 1_000
/** After this time strategies are computed again of which only copies have changed, ms. */
const COPIERS_MS = 30_000
/** Closed orders by which flags are judged: the latest. */
const JUDGED_ORDERS = 1_000

/** Keeps the table up to date while the engine runs; begins with every strategy that runs. */
export async function startRanking(options: RankingOptions): Promise<Ranking> {
  const { engine, queries, now, onError } = options
  const due = createDueStrategies(now)
  const records = createStrategyRecords(queries)
  const stopListening = engine.onCommitted((committed) => {
    due.note(committed)
    records.note(committed)
  })
  // Afterwards the tables have everything that was committed before the first change that was noted.
  await engine.caughtUp()
  await due.load(queries)
  let isStopped = false
  let inProgress: Promise<void> | null = null

  const work = async (withinMs: number) => {
    const { strategies: taken, urgent } = due.take()
    if (taken.length === 0) return
    let [done, until] = [0, Infinity]
    try {
      await engine.caughtUp()
      for (const { id, since } of taken) {
        if (done === urgent) until = performance.now() + withinMs
        if (isStopped || performance.now() > until) return
        await computeStrategy(options, records, id, since)
        done += 1
        await nextTurn()
      }
    } finally {
      due.putBack(taken.slice(done))
    }
  }
  const round = (withinMs: number) => (inProgress ??= work(withinMs).finally(() => (inProgress = null)))
  const timer = setInterval(
    () => void round(ROUND_MS).catch((error: unknown) => isStopped || onError(error, 'ranking strategies')),
    EVERY_MS,
  )
  return {
    records,
    growthSince: (copies) => growthSince(queries, records, copies),
    refresh: async () => {
      await inProgress?.catch(() => undefined)
      due.hasten()
      await round(Infinity)
    },
    stop: async () => {
      isStopped = true
      clearInterval(timer)
      stopListening()
      await inProgress?.catch(() => undefined)
    },
  }
}

/** A strategy to compute again, and the earliest moment that has changed, epoch ms; Infinity: only its copiers have. */
type Due = { readonly id: number; readonly since: number }

type DueStrategies = {
  /** Everything may have changed since the last computed moment, while no server ran. */
  load(queries: Queries): Promise<void>
  note(committed: Committed): void
  /** All that are due; the first so many are urgent: their own account or their copies have changed. */
  take(): { readonly strategies: readonly Due[]; readonly urgent: number }
  putBack(strategies: readonly Due[]): void
  /** Nothing waits for its time any more. */
  hasten(): void
}

function createDueStrategies(now: () => number): DueStrategies {
  /** Running strategies by account, and by copy. */
  const [byAccount, byCopy] = [new Map<number, number>(), new Map<number, number>()]
  const [changed, hourly] = [new Map<number, number>(), new Map<number, number>()]
  /** Strategies whose copies have changed: when they are computed, epoch ms. */
  const copiers = new Map<number, number>()

  const add = (to: Map<number, number>, id: number | undefined, since: number) => {
    if (id !== undefined) to.set(id, Math.min(since, to.get(id) ?? Infinity))
  }

  const noteEvent = (event: Event, at: number) => {
    if (event.type === 'pricesMarked') for (const id of byAccount.values()) add(hourly, id, event.moment)
    if (event.type === 'equityRangeNoted')
      return add(hourly, byAccount.get(event.accountId), lastMomentBefore(event.moment))
    if (event.type === 'strategyPublished') byAccount.set(event.accountId, event.strategyId)
    if (event.type === 'copyStarted') byCopy.set(event.accountId, event.strategyId)
    if (!('accountId' in event) || event.accountId === null) return
    add(changed, byAccount.get(event.accountId), at)
    const isAtOnce = event.type === 'copyStarted' || event.type === 'copyEnded'
    add(copiers, byCopy.get(event.accountId), now() + (isAtOnce ? 0 : COPIERS_MS))
    if (event.type === 'strategyEnded') byAccount.delete(event.accountId)
    if (event.type === 'copyEnded') byCopy.delete(event.accountId)
  }

  return {
    load: async (queries) => {
      for (const { id, accountId, since } of await unfinishedStrategies(queries)) {
        if (accountId !== null) byAccount.set(accountId, id)
        add(hourly, id, since)
      }
      const running = await queries
        .selectFrom('copy')
        .select(['account_id', 'strategy_id'])
        .where('ended_at', 'is', null)
        .execute()
      for (const copy of running) byCopy.set(Number(copy.account_id), Number(copy.strategy_id))
    },
    note: ({ entry, postings }) => {
      for (const event of entry.events) noteEvent(event, entry.at)
      // A swap is dated with its rollover, however late it was booked.
      for (const { debit, credit, at } of postings) {
        const accountId = userOf(debit) ?? userOf(credit)
        if (accountId !== null) add(changed, byAccount.get(accountId), at)
      }
    },
    take: () => {
      const taken = new Map(changed)
      changed.clear()
      const moment = now()
      for (const [id, when] of copiers)
        if (when <= moment) {
          copiers.delete(id)
          add(taken, id, Infinity)
        }
      const urgent = taken.size
      for (const [id, since] of hourly) add(taken, id, since)
      hourly.clear()
      return { strategies: [...taken].map(([id, since]) => ({ id, since })), urgent }
    },
    putBack: (strategies) => {
      for (const { id, since } of strategies) add(hourly, id, since)
    },
    hasten: () => {
      for (const id of copiers.keys()) copiers.set(id, 0)
    },
  }
}

/** Running strategies, and ended ones whose end is not computed; since the moment up to which they are. */
async function unfinishedStrategies(queries: Queries) {
  const rows = await queries
    .selectFrom('strategy')
    .leftJoin('strategy_figures', (join) =>
      join.onRef('strategy_figures.strategy_id', '=', 'strategy.id').on('strategy_figures.span', '=', 'all'),
    )
    .select(['strategy.id', 'strategy.account_id', 'strategy.ended_at', 'strategy.published_at'])
    .select('strategy_figures.up_to as up_to')
    .execute()
  return rows
    .filter(({ ended_at, up_to }) => ended_at === null || up_to === null || up_to < ended_at)
    .map((row) => ({
      id: Number(row.id),
      accountId: row.ended_at === null ? Number(row.account_id) : null,
      since: Number(row.up_to ?? row.published_at),
    }))
}

/** Computes a strategy from the first day that has changed, and its rows of the ranking. */
async function computeStrategy(
  { engine, queries, rankedAfter }: RankingOptions,
  records: StrategyRecords,
  id: number,
  since: number,
): Promise<void> {
  const { seq } = await readProjectionPosition(queries)
  const computed = await records.compute(id, { since })
  if (!computed) return
  const { strategy, ledger, days, closed, record, upTo } = computed
  const first = record.days[0]?.day ?? 0
  const all = [...days.filter(({ day }) => day < first), ...record.days]
  const judged = await latestClosed(queries, id, { before: first, newer: closed })
  const copies = await copyResults(engine, queries, id)
  const whole = windowFigures('all', { days: all, closed: judged, open: record.open })
  const ranked = rankedAfter()
  const isShort = whole.days < ranked.days || whole.orders < ranked.orders
  const rows = SPAN_NAMES.map((span) => {
    const { flags, ...figures } = windowFigures(span, { days: all, closed: judged, open: record.open })
    return figuresRow({
      strategy,
      span,
      ledger,
      upTo,
      seq,
      isShort,
      figures: { ...figures, ...copiersFigures(copies, span, upTo) },
      flags,
      running: copies.filter(({ endedAt }) => endedAt === null),
    })
  })
  await queries.transaction().execute(async (within) => {
    await within
      .deleteFrom('strategy_day')
      .where('strategy_id', '=', BigInt(id))
      .where('day', '>=', BigInt(first))
      .execute()
    for (const part of chunks(record.days))
      await within
        .insertInto('strategy_day')
        .values(part.map((day) => dayRow(id, day)))
        .execute()
    for (const part of chunks(closed))
      await within
        .insertInto('strategy_order')
        .values(part.map((order) => orderRowOf(id, order)))
        .onConflict((conflict) =>
          conflict.column('order_id').doUpdateSet(({ ref }) => ({ result: ref('excluded.result') })),
        )
        .execute()
    await within.deleteFrom('strategy_figures').where('strategy_id', '=', BigInt(id)).execute()
    await within.insertInto('strategy_figures').values(rows).execute()
  })
}

const orderRowOf = (strategyId: number, order: ClosedOrder): StrategyOrderTable => ({
  order_id: BigInt(order.id),
  strategy_id: BigInt(strategyId),
  instrument_id: BigInt(order.instrumentId),
  lots: BigInt(order.lots),
  opened_at: BigInt(order.openedAt),
  ended_at: BigInt(order.endedAt),
  result: order.result,
})

const closedFrom = (row: StrategyOrderTable): ClosedOrder => ({
  id: Number(row.order_id),
  instrumentId: Number(row.instrument_id),
  lots: Number(row.lots),
  openedAt: Number(row.opened_at),
  endedAt: Number(row.ended_at),
  result: money(row.result),
})

/** The latest closed orders, oldest first: stored ones from before a day, and newer ones. */
async function latestClosed(
  queries: Queries,
  id: number,
  { before, newer }: { readonly before: number; readonly newer: readonly ClosedOrder[] },
): Promise<ClosedOrder[]> {
  const rows = await queries
    .selectFrom('strategy_order')
    .selectAll()
    .where('strategy_id', '=', BigInt(id))
    .orderBy('ended_at', 'desc')
    .orderBy('order_id', 'desc')
    .limit(JUDGED_ORDERS)
    .execute()
  const older = rows.map(closedFrom).filter(({ endedAt }) => dayOf(endedAt) < before)
  return [...older.toReversed(), ...newer].slice(-JUDGED_ORDERS)
}

/** How every copy of a strategy did, ended ones included and the provider's own left out, and what it is worth now. */
type CopyStanding = CopyResult & { readonly ownerId: bigint; readonly equity: Money }

async function copyResults(engine: Engine, queries: Queries, strategyId: number): Promise<CopyStanding[]> {
  const rows = await queries
    .selectFrom('copy')
    .select(['account_id', 'owner_id', 'started_at', 'ended_at'])
    .where('strategy_id', '=', BigInt(strategyId))
    .whereRef('owner_id', '!=', 'provider_id')
    .execute()
  const equities = await engine.read((state) => {
    const accounts = rows.flatMap(({ account_id }) => state.accounts.get(Number(account_id)) ?? [])
    return new Map(
      accounts.map((account) => [account.id, account.copy ? figuresOf(state, account).equity : NO_MONEY]),
    )
  })
  if (isUnavailable(equities)) throw new Error(`the copies of strategy ${strategyId} cannot be read`)
  const moneyOf = await copyMoneyOf(
    queries,
    rows.map(({ account_id }) => account_id),
  )
  return rows.map(({ account_id, owner_id, started_at, ended_at }) => {
    const id = Number(account_id)
    const { putIn, takenOut } = moneyOf(id)
    const equity = ended_at === null ? (equities.get(id) ?? NO_MONEY) : NO_MONEY
    return {
      ownerId: owner_id,
      putIn,
      equity,
      result: money(equity + takenOut - putIn),
      startedAt: Number(started_at),
      endedAt: ended_at === null ? null : Number(ended_at),
    }
  })
}

type RowParts = {
  readonly strategy: StrategyTable
  readonly span: Span
  readonly ledger: string
  readonly upTo: number
  readonly seq: number
  readonly isShort: boolean
  readonly figures: Omit<WindowFigures, 'flags'> & ReturnType<typeof copiersFigures>
  readonly flags: readonly Flag[]
  readonly running: readonly CopyStanding[]
}

const orNull = (value: number | null): bigint | null => (value === null ? null : BigInt(value))

function figuresRow({ strategy, figures, running, ...row }: RowParts): StrategyFiguresTable {
  return {
    strategy_id: strategy.id,
    span: row.span,
    ledger: row.ledger,
    ended_at: strategy.ended_at,
    up_to: BigInt(row.upTo),
    journal_seq: BigInt(row.seq),
    is_short: row.isShort ? 1n : 0n,
    score: figures.score,
    rate: orNull(figures.rate),
    profit: figures.profit,
    win_rate: orNull(figures.winRate),
    drawdown: BigInt(figures.drawdown),
    profit_factor: orNull(figures.profitFactor),
    average_leverage: orNull(figures.averageLeverage),
    highest_leverage: orNull(figures.highestLeverage),
    exposed_share: BigInt(figures.exposedShare),
    orders: BigInt(figures.orders),
    days: BigInt(figures.days),
    flags: row.flags.join(','),
    copiers: BigInt(new Set(running.map(({ ownerId }) => ownerId)).size),
    copied_money: running.reduce((sum, { equity }) => sum + equity, 0n),
    copiers_result: figures.copiersResult,
    copiers_in_profit: orNull(figures.copiersInProfit),
    copiers_median: orNull(figures.copiersMedian),
  }
}

/** Growth from a copy's start to its end, or up to the last computed moment. */
async function growthSince(
  queries: Queries,
  records: StrategyRecords,
  copies: readonly GrowthQuery[],
): Promise<ReadonlyMap<number, Ratio | null>> {
  const growthAt = async (strategyId: number, at: number | null): Promise<bigint | null> => {
    if (at === null) {
      const last = await queries
        .selectFrom('strategy_day')
        .select('growth')
        .where('strategy_id', '=', BigInt(strategyId))
        .orderBy('day', 'desc')
        .limit(1)
        .executeTakeFirst()
      return last?.growth ?? null
    }
    const computed = await records.compute(strategyId, { since: at, until: at })
    return computed?.record.days.at(-1)?.growth ?? null
  }
  const rates = new Map<number, Ratio | null>()
  for (const { copyId, strategyId, from, to } of copies) {
    const [before, after] = [await growthAt(strategyId, from), await growthAt(strategyId, to)]
    rates.set(copyId, before === null || after === null ? null : ratioOf(after - before, before))
  }
  return rates
}
