/** A user's copies: the commands about them, and how they stand. */
import {
  PAGE_ROWS,
  type CopyChange,
  type CopyDetails,
  type CopyForm,
  type CopyLog,
  type CopyView,
  type OrderView,
} from '@fairlot/contract'
import {
  figuresOf,
  fromTicks,
  isCopy,
  isPosition,
  FROZEN_PROVIDER_MS,
  isRejection,
  isRoundedDown,
  lots,
  money,
  NO_MONEY,
  price,
  ratio,
  takeable,
  withdrawableAtFreshPrices,
  type Account,
  type CopyReason,
  type Core,
  type Lots,
  type Money,
} from '@fairlot/core'
import { sql } from 'kysely'
import { readEngine, resultOf } from '../engine/calls.ts'
import { isUnavailable, type EngineCommand } from '../engine/engine.ts'
import type { ProvenEvent } from '../engine/projection/receipt-chain.ts'
import { readReceipt } from '../engine/projection/receipt-chain.ts'
import type { CopyTable } from '../platform/database/copying-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { UserCall } from '../platform/http/api.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import { copyMoneyOf } from './copy-money.ts'
import type { CopyingServices } from './copying-services.ts'
import { publisherOf } from './publishers.ts'
import { ratioOf } from './strategy-figures.ts'

type CopyCommandName = 'pauseCopy' | 'resumeCopy' | 'stopCopy'
type OnCopy<Input = unknown> = UserCall<{ readonly copyId: number } & Input>

/** The copies of users. A copy of somebody else is reported as not found. */
export type Copies = {
  start(call: UserCall<CopyForm>): Promise<CopyView | Refusal>
  pause(call: OnCopy): Promise<CopyView | Refusal>
  resume(call: OnCopy): Promise<CopyView | Refusal>
  stop(call: OnCopy): Promise<CopyView | Refusal>
  add(call: OnCopy<{ readonly amount: Money }>): Promise<CopyView | Refusal>
  takeOut(call: OnCopy<{ readonly amount: Money }>): Promise<CopyView | Refusal>
  setStopLoss(call: OnCopy<{ readonly stopPercent: number }>): Promise<CopyView | Refusal>
  /** What is left out stays as it is. */
  setTerms(call: OnCopy<Omit<CopyChange, 'copyId'>>): Promise<CopyView | Refusal>
  /** Closes a whole position. */
  close(call: OnCopy<{ readonly orderId: number }>): Promise<OrderView | Refusal>
  /** Running ones first. */
  list(userId: number): Promise<CopyView[] | Refusal>
  details(userId: number, copyId: number): Promise<CopyDetails | Refusal>
  log(userId: number, copyId: number, page: number): Promise<CopyLog | Refusal>
}

export function createCopies(services: CopyingServices): Copies {
  const { engine, queries, orderQueries } = services

  const one = async (userId: number, copyId: number): Promise<CopyView | Refusal> => {
    const shown = await viewsOf(services, userId, copyId)
    if (isRefusal(shown)) return shown
    return shown[0] ?? refuse('copyNotFound', { copyId })
  }
  const carryOut = async (userId: number, command: EngineCommand & { copyId: number }) => {
    const entry = await resultOf(engine, command)
    return isRefusal(entry) ? endedOr(entry, userId, command.copyId) : one(userId, command.copyId)
  }
  /** A copy that has ended is no longer in the engine: stopping it from a second device changes nothing. */
  const endedOr = async (refusal: Refusal, userId: number, copyId: number): Promise<Refusal> => {
    if (refusal.rejected !== 'copyNotFound') return refusal
    return isRefusal(await one(userId, copyId)) ? refusal : refuse('copyEnded', { copyId })
  }
  const change =
    (type: CopyCommandName) =>
    ({ user, input, request }: OnCopy) =>
      carryOut(user.id, { type, accountId: user.id, copyId: input.copyId, request })

  return {
    start: async (call) => {
      const { user, input, request } = call
      const refusal = (await isRepeated(services, call)) ? null : await refusalOfStart(services, call)
      if (refusal) return refusal
      const entry = await resultOf(engine, {
        type: 'startCopy',
        accountId: user.id,
        strategyId: input.strategyId,
        amount: input.amount,
        terms: {
          multiplier: input.multiplier,
          exposureLimit: input.exposureLimit,
          stopLoss: input.stopPercent,
        },
        feeShown: input.feeShare ?? undefined,
        isWithOpenOrders: input.isWithOpenOrders,
        request,
      })
      if (isRefusal(entry)) return entry
      const started = entry.events.find((event) => event.type === 'copyStarted')
      return started ? one(user.id, started.accountId) : refuse('internal')
    },
    pause: change('pauseCopy'),
    resume: change('resumeCopy'),
    stop: change('stopCopy'),
    add: ({ user, input: { copyId, amount }, request }) =>
      carryOut(user.id, { type: 'addToCopy', accountId: user.id, copyId, amount, request }),
    takeOut: ({ user, input: { copyId, amount }, request }) =>
      carryOut(user.id, { type: 'takeFromCopy', accountId: user.id, copyId, amount, request }),
    setStopLoss: ({ user, input: { copyId, stopPercent: stopLoss }, request }) =>
      carryOut(user.id, { type: 'setCopyStopLoss', accountId: user.id, copyId, stopLoss, request }),
    setTerms: ({ user, input, request }) =>
      carryOut(user.id, {
        type: 'setCopyTerms',
        accountId: user.id,
        copyId: input.copyId,
        multiplier: input.multiplier ?? undefined,
        exposureLimit: input.exposureLimit ?? undefined,
        excluded: input.excluded ?? undefined,
        request,
      }),

    close: async ({ user, input: { copyId, orderId }, request }) => {
      const owned = await findCopy(queries, user.id, copyId)
      if (!owned) return refuse('copyNotFound', { copyId })
      const entry = await resultOf(engine, { type: 'closePosition', accountId: copyId, orderId, request })
      if (!isRefusal(entry)) return (await orderQueries.ended(user.id, orderId)) ?? refuse('internal')
      if (entry.rejected !== 'orderNotFound') return entry
      const ended = await orderQueries.ended(user.id, orderId)
      return ended?.accountId === copyId ? refuse('alreadyClosed', { orderId }) : entry
    },

    list: (userId) => viewsOf(services, userId, null),

    details: async (userId, copyId) => {
      const copy = await one(userId, copyId)
      if (isRefusal(copy)) return copy
      const ids = await readEngine(engine, ({ accounts }) => [...(accounts.get(copyId)?.orders.keys() ?? [])])
      if (isRefusal(ids)) return ids
      const orders = ids.length === 0 ? [] : await orderQueries.several(userId, ids)
      return isRefusal(orders) ? orders : { copy, orders: orders.toSorted((a, b) => b.id - a.id) }
    },

    log: async (userId, copyId, page) => {
      await engine.caughtUp()
      const owned = await findCopy(queries, userId, copyId)
      return owned ? readLog(services, owned, page) : refuse('copyNotFound', { copyId })
    },
  }
}

/** A repeated request gets its first answer, without another code of the second factor. */
async function isRepeated({ engine }: CopyingServices, { request }: UserCall<unknown>): Promise<boolean> {
  const earlier = request ? await engine.earlierAnswer(request) : null
  return earlier !== null && !isUnavailable(earlier) && !isRejection(earlier)
}

/** Checks that are not the engine's. The second factor comes last, as its code can be used only once. */
async function refusalOfStart(
  { queries, checkSecondFactor }: CopyingServices,
  { user, input }: UserCall<CopyForm>,
): Promise<Refusal | null> {
  const text = await queries
    .selectFrom('strategy_text')
    .select(['user_id', 'hidden_for'])
    .where('strategy_id', '=', BigInt(input.strategyId))
    .executeTakeFirst()
  const { accountIds } = await publisherOf(queries, user.id)
  if (text && accountIds.includes(Number(text.user_id))) return refuse('ownStrategy')
  if (text && text.hidden_for !== null) return refuse('strategyNotFound')
  if (user.isDemo) return null
  return checkSecondFactor(user.id, input.code === '' ? null : input.code, 'copying', 'code')
}

const findCopy = async (queries: Queries, userId: number, copyId: number): Promise<CopyTable | null> =>
  (await queries
    .selectFrom('copy')
    .selectAll()
    .where('account_id', '=', BigInt(copyId))
    .where('owner_id', '=', BigInt(userId))
    .executeTakeFirst()) ?? null

/** How a copy stands now: what the tables do not have. */
type Standing = Pick<CopyView, 'balance' | 'equity' | 'free' | 'stopEquity' | 'positions' | 'frozenUntil'>

const ENDED: Standing = {
  balance: NO_MONEY,
  equity: NO_MONEY,
  free: NO_MONEY,
  stopEquity: NO_MONEY,
  positions: 0,
  frozenUntil: null,
}

const HUNDRED = 100n

function standingOf(core: Core, account: Account | undefined, at: number): Standing {
  if (!isCopy(account)) return ENDED
  const { balance, equity } = figuresOf(core.state, account)
  const { base, stopLoss, providerId } = account.copy
  const frozenSince = core.state.frozenProviders.get(providerId)
  return {
    balance,
    equity,
    free: takeable(core.state, account, withdrawableAtFreshPrices(core, account, at)),
    stopEquity: money((base * BigInt(stopLoss)) / HUNDRED),
    positions: [...account.orders.values()].filter(isPosition).length,
    frozenUntil: frozenSince === undefined ? null : frozenSince + FROZEN_PROVIDER_MS,
  }
}

/** The user's copies, or the one asked for, running ones first, then the latest. */
async function viewsOf(
  { engine, queries, ranking, now }: CopyingServices,
  userId: number,
  copyId: number | null,
): Promise<CopyView[] | Refusal> {
  const standings = await readEngine(engine, ({ accounts }) => {
    const ids = copyId === null ? (accounts.get(userId)?.copies ?? []) : [copyId]
    return new Map(ids.map((id) => [id, standingOf(engine.core(), accounts.get(id), now())]))
  })
  if (isRefusal(standings)) return standings
  await engine.caughtUp()
  const rows = await queries
    .selectFrom('copy')
    .innerJoin('strategy', 'strategy.id', 'copy.strategy_id')
    .innerJoin('account', 'account.id', 'strategy.account_id')
    .leftJoin('strategy_text', 'strategy_text.strategy_id', 'copy.strategy_id')
    .selectAll('copy')
    .select(['strategy_text.name as name', 'account.ledger as ledger'])
    .where('copy.owner_id', '=', BigInt(userId))
    .$if(copyId !== null, (query) => query.where('copy.account_id', '=', BigInt(copyId ?? 0)))
    .execute()
  const moneyOf = await copyMoneyOf(
    queries,
    rows.map(({ account_id }) => account_id),
  )
  const growths = await ranking.growthSince(
    rows.map((row) => ({
      copyId: Number(row.account_id),
      strategyId: Number(row.strategy_id),
      from: Number(row.started_at),
      to: row.ended_at === null ? null : Number(row.ended_at),
    })),
  )
  const views = rows.map((row): CopyView => {
    const id = Number(row.account_id)
    const standing = row.status === 'ended' ? ENDED : (standings.get(id) ?? ENDED)
    const { putIn, takenOut, feePaid } = moneyOf(id)
    const result = money(standing.equity + takenOut - putIn)
    return {
      id,
      strategyId: Number(row.strategy_id),
      name: row.name ?? '',
      strategyKind: row.ledger as CopyView['strategyKind'],
      state: row.status as CopyView['state'],
      endReason: row.end_reason as CopyView['endReason'],
      startedAt: Number(row.started_at),
      endedAt: row.ended_at === null ? null : Number(row.ended_at),
      multiplier: ratio(Number(row.multiplier)),
      exposureLimit: Number(row.exposure_limit),
      stopPercent: Number(row.stop_loss),
      excluded: row.excluded === '' ? [] : row.excluded.split(',').map(Number),
      feeShare: ratio(Number(row.fee_share)),
      putIn,
      takenOut,
      ...standing,
      result,
      feePaid,
      rate: ratioOf(result, putIn),
      providerRate: growths.get(id) ?? null,
    }
  })
  const isOver = ({ state }: CopyView) => Number(state === 'ended')
  return views.toSorted((a, b) => isOver(a) - isOver(b) || b.id - a.id)
}

/** A line of the log: an order of the copy, a closed part of one, or a skipped order. */
type LogRow = {
  readonly at: bigint
  readonly action: 'opened' | 'reduced' | 'closed' | 'skipped'
  /** Of the copy; null for a skipped order. */
  readonly order_id: bigint | null
  readonly provider_order_id: bigint
  readonly reason: string | null
  readonly lots: bigint | null
  readonly provider_lots: bigint | null
  readonly price: bigint | null
  /** Of the copy, at a skipped order. */
  readonly equity: bigint | null
  readonly multiplier: bigint | null
}

/** What became of the provider's orders, the newest first: from the orders of the copy and the skipped ones. */
async function readLog(services: CopyingServices, copy: CopyTable, page: number): Promise<CopyLog> {
  const { queries } = services
  const id = copy.account_id
  const all = sql<LogRow>`
    select opened_at as at, 'opened' as action, id as order_id, copied_order_id as provider_order_id,
        null as reason, copied_lots as lots, copied_provider_lots as provider_lots, open_price as price,
        cast(null as bigint) as equity, cast(null as bigint) as multiplier
      from trade_order where account_id = ${id} and copied_order_id is not null
    union all
    select part.ended_at, 'reduced', part.parent_id, whole.copied_order_id, null, part.lots, null, part.close_price, null, null
      from trade_order part join trade_order whole on whole.id = part.parent_id
      where part.account_id = ${id} and part.parent_id is not null
    union all
    select ended_at, 'closed', id, copied_order_id, null, lots, null, close_price, null, null
      from trade_order where account_id = ${id} and copied_order_id is not null and ended_at is not null
    union all
    select at, 'skipped', null, provider_order_id, reason, null, null, null, equity, multiplier
      from copy_skip where account_id = ${id}`
  const count = await sql<{ total: bigint }>`select count(*) as total from (${all}) as line`.execute(queries)
  const offset = (page - 1) * PAGE_ROWS
  const { rows } = await sql<LogRow>`
    select * from (${all}) as line
      order by at desc, provider_order_id desc, action limit ${PAGE_ROWS} offset ${offset}`.execute(queries)
  const provider = await providerOrders(queries, rows)
  const openings = await openingsOf(queries, rows)
  const entries = rows.map((row) =>
    logEntry(services, row, { provider, sized: sizedOf(row, copy, openings) }),
  )
  return { entries, total: Number(count.rows[0]?.total ?? 0) }
}

type LogEntry = CopyLog['entries'][number]
type ProviderSide = Pick<LogEntry, 'providerLots'> & {
  readonly instrumentId: number
  readonly side: LogEntry['side']
  readonly price: number | null
}

/** The provider's side of each line: the order where it opened, its part or end where it was reduced or closed. */
async function providerOrders(
  queries: Queries,
  rows: readonly LogRow[],
): Promise<(row: LogRow) => ProviderSide | null> {
  const ids = [...new Set(rows.map(({ provider_order_id }) => provider_order_id))]
  const found =
    ids.length === 0
      ? []
      : await queries
          .selectFrom('trade_order')
          .select([
            'id',
            'parent_id',
            'instrument_id',
            'side',
            'lots',
            'open_price',
            'close_price',
            'ended_at',
          ])
          .where((where) => where.or([where('id', 'in', ids), where('parent_id', 'in', ids)]))
          .execute()
  const whole = new Map(found.filter((row) => row.parent_id === null).map((row) => [row.id, row]))
  const parts = Map.groupBy(found, ({ parent_id }) => parent_id)
  return (row) => {
    const order = whole.get(row.provider_order_id)
    if (!order) return null
    const common = { instrumentId: Number(order.instrument_id), side: order.side as LogEntry['side'] }
    const sized = (of: { lots: bigint }, shown: bigint | null): ProviderSide => ({
      ...common,
      providerLots: lots(Number(of.lots)),
      price: shown === null ? null : Number(shown),
    })
    const partsOf = parts.get(order.id) ?? []
    const openedLots = partsOf.reduce((sum, part) => sum + part.lots, order.lots)
    const isOfClosing = row.reason === 'belowStep' || row.reason === 'notHeld'
    if (row.action === 'opened' || (row.action === 'skipped' && !isOfClosing))
      return sized({ lots: row.provider_lots ?? openedLots }, order.open_price)
    const cause = [...partsOf, order].find(({ ended_at }) => ended_at === row.at)
    return sized(cause ?? order, cause?.close_price ?? null)
  }
}

type Openings = ReadonlyMap<bigint, Opening>

/** How the orders of opened and skipped lines opened, the copy's and the provider's. */
async function openingsOf(queries: Queries, rows: readonly LogRow[]): Promise<Openings> {
  const ids = rows
    .filter(({ action }) => action === 'opened' || action === 'skipped')
    .flatMap(({ order_id, provider_order_id }) => [
      ...(order_id === null ? [] : [order_id]),
      provider_order_id,
    ])
  if (ids.length === 0) return new Map()
  const receipts = await queries
    .selectFrom('receipt')
    .select(['order_id', 'body'])
    .where('order_id', 'in', ids)
    .orderBy('id')
    .execute()
  return new Map(
    receipts.flatMap(({ order_id, body }) => {
      const { event } = readReceipt(body)
      return event.type === 'positionOpened' ? [[order_id, event] as const] : []
    }),
  )
}

/** How the size of an opening or of a skipped order came about. */
type Sized = {
  /** Null where no size was asked for, or by an equity that is not known. */
  readonly proportion: NonNullable<LogEntry['sizing']> | null
  /** Lots before rounding. */
  readonly exactLots: Lots | null
  readonly isRounded: boolean
  readonly reason: CopyReason | null
}

/**
 * The proportion of a line of the log. Orders that were open when the copy started are left out where they were skipped:
 * the provider's equity of that moment is not in their own receipt.
 */
function sizedOf(row: LogRow, copy: CopyTable, openings: Openings): Sized {
  const own = row.action === 'opened' && row.order_id !== null ? openings.get(row.order_id) : undefined
  const provider = openings.get(row.provider_order_id)
  const reason = (row.reason as CopyReason | null) ?? own?.copied?.reason ?? null
  const none = { proportion: null, exactLots: null, isRounded: reason === 'maximumLot', reason }
  const equity = own?.copied?.equity ?? (row.equity === null ? null : money(row.equity))
  const providerEquity = row.at === copy.started_at ? undefined : provider?.strategyEquity
  if (!provider || providerEquity === undefined || equity === null) return none
  const multiplier = ratio(Number(own?.copied?.multiplier ?? row.multiplier ?? copy.multiplier))
  const proportion = { multiplier, lots: own?.copied?.providerLots ?? provider.lots, equity, providerEquity }
  const share = BigInt(multiplier) * BigInt(proportion.lots) * equity
  return {
    proportion,
    exactLots: providerEquity > 0n ? lots(Number(share / (RATIO_UNIT * providerEquity))) : null,
    isRounded: reason === 'maximumLot' || (own !== undefined && isRoundedDown(own.lots, proportion)),
    reason,
  }
}

type Opening = Extract<ProvenEvent, { type: 'positionOpened' }>

const RATIO_UNIT = 1_000_000n

function logEntry(
  { engine, instrumentOf }: CopyingServices,
  row: LogRow,
  sources: {
    readonly provider: (row: LogRow) => ProviderSide | null
    readonly sized: Sized
  },
): LogEntry {
  const provider = sources.provider(row)
  const { code, priceDecimals } = instrumentOf(provider?.instrumentId ?? 0)
  const shown = (value: bigint | number | null) =>
    value === null ? null : fromTicks(price(Number(value)), priceDecimals)
  const { proportion, exactLots, isRounded, reason } = sources.sized
  const openedAs = isRounded ? 'rounded' : 'copied'
  const tooSmall = reason === 'belowMinimumLot' ? exactLots : null
  const leastLots = engine.state().instruments.get(provider?.instrumentId ?? 0)?.lotMin
  return {
    at: Number(row.at),
    providerOrderId: Number(row.provider_order_id),
    orderId: row.order_id === null ? null : Number(row.order_id),
    code,
    priceDecimals,
    side: provider?.side ?? 'buy',
    action: row.action === 'opened' ? openedAs : row.action,
    reason,
    lots: row.lots === null ? null : (Number(row.lots) as Lots),
    providerLots: provider?.providerLots ?? lots(0),
    price: shown(row.price),
    providerPrice: shown(provider?.price ?? null),
    sizing: proportion && {
      multiplier: proportion.multiplier,
      equity: proportion.equity,
      providerEquity: proportion.providerEquity,
    },
    tooSmall: tooSmall === null || leastLots === undefined ? null : { lots: tooSmall, leastLots },
  }
}
