import {
  type OrderList,
  type OrderPage,
  type OrderView,
  PAGE_ROWS,
  type Receipt as ReceiptView,
  type SealedReceipt,
} from '@fairlot/contract'
import {
  type Account,
  closingPrice,
  convert,
  type Entry,
  type Event,
  floatingProfit,
  fromTicks,
  fromUnits,
  type Instrument,
  money,
  type Money,
  NO_MONEY,
  type Order,
  type Price,
  profitOf,
  type Quote,
  type Receipt,
  type State,
} from '@fairlot/core'
import type { TotalsBook } from '../engine/projection/account-totals.ts'
import type { Engine } from '../engine/engine.ts'
import { isRefusal, refuse, type Refusal } from '../platform/refusal.ts'
import { readEngine } from '../engine/calls.ts'
import { type OrderRecord, recordFrom } from '../engine/projection/row-mapping.ts'
import { type ProvenEvent, readReceipt } from '../engine/projection/receipt-chain.ts'
import type { Queries } from '../platform/database/open.ts'
import { positionsClosedByOperators } from '../engine/projection/operator-actions.ts'

/** An instrument's name, short name and logo in lists. */
type InstrumentNames = (instrumentId: number) => { showCode: string; name: string; logo: string }

/** Queries for orders: active ones come from the engine's memory, finished ones from the tables. */
export type OrderQueries = {
  /** Up to `limit` rows of a user's orders: a page, or the rows after an order; null for an unknown account. */
  page(
    accountId: number,
    list: OrderList,
    from: Omit<Rows, 'limit'>,
    limit?: number,
  ): Promise<OrderPage | Refusal | null>
  /** The order that a change has created, derived from its events, so that a repeated request returns the same. */
  created(events: readonly Event[]): OrderView | null
  ended(accountId: number, orderId: number): Promise<OrderView | null>
  /** The orders that a change has ended, and how many positions it left open. */
  allEnded(accountId: number, entry: Entry): Promise<ClosedOrders>
  /** An order as it is now, active or finished. */
  present(accountId: number, orderId: number): Promise<OrderView | Refusal | null>
  /** Orders of an account as they are now, active or finished, unsorted; without ids all active ones. */
  several(accountId: number, orderIds?: readonly number[]): Promise<readonly OrderView[] | Refusal>
  /** The receipts of an order as they were hashed; none for an order that is not this account's. */
  sealed(accountId: number, orderId: number): Promise<SealedReceipt[]>
}

/** The result of closing all positions. */
export type ClosedOrders = { readonly orders: readonly OrderView[]; readonly remainingCount: number }

export function createOrderQueries(
  engine: Engine,
  repository: OrderRepository,
  namesOf: InstrumentNames,
  totals: TotalsBook,
): OrderQueries {
  const contextOf = (instrumentId: number) => contextAt(engine.state(), instrumentId, namesOf)
  const snapshotOf = (state: State, order: Order): OrderSnapshot => ({
    record: fromActive({ ...order }, floatingProfit(state, order) ?? NO_MONEY),
    context: contextAt(state, order.instrumentId, namesOf),
  })
  const finished = (record: OrderRecord): OrderSnapshot => ({
    record,
    context: contextOf(record.instrumentId),
  })

  const withReceipts = joinReceipts(repository)

  const pageOf = (state: State, accountId: number, list: OrderList, rows: Rows) => {
    const account = state.accounts.get(accountId)
    if (!account) return null
    const { shown, ...sums } = activePage(state, account, list, rows)
    return { ...sums, orders: shown.map((order) => snapshotOf(state, order)) }
  }

  const ended = async (accountId: number, orderId: number): Promise<OrderView | null> => {
    await engine.caughtUp()
    const records = await repository.finished(accountId, [orderId])
    const [shown] = await withReceipts(records.map(finished))
    return shown ?? null
  }

  const several = ordersById({ engine, repository, snapshotOf, finished, withReceipts })

  return {
    page: async (accountId, list, { page, before }, limit = PAGE_ROWS) => {
      const rows = { page, before, limit }
      const found = await readEngine(engine, (state) => pageOf(state, accountId, list, rows))
      if (found === null || isRefusal(found)) return found
      await engine.caughtUp()
      if (list !== 'history') return { ...found, orders: await withReceipts(found.orders) }
      const { endedOrders: total, profit } = await totals.of(accountId)
      const isWithin = before !== null || (page - 1) * limit < total
      const orders = isWithin ? await repository.history(accountId, rows) : []
      if (orders === null) return refuse('orderNotFound', { orderId: before ?? 0, field: 'before' })
      return { orders: await withReceipts(orders.map(finished)), total, profit, balance: found.balance }
    },
    created: (events) => createdView(engine.state(), events, contextOf),
    ended,
    allEnded: async (accountId, { at, events }) => {
      await engine.caughtUp()
      const ids = events.flatMap((event) => (event.type === 'positionClosed' ? event.orderId : []))
      const records = await repository.finished(accountId, ids)
      const orders = await withReceipts(records.map(finished))
      return { orders, remainingCount: await repository.remainingCount(accountId, at) }
    },
    present: async (accountId, orderId) => {
      const found = await several(accountId, [orderId])
      return isRefusal(found) ? found : (found[0] ?? null)
    },
    several,
    sealed: async (accountId, orderId) => {
      await engine.caughtUp()
      return repository.sealed(accountId, orderId)
    },
  }
}

/** A page of an account's active orders, and the sums over all of them. */
function activePage(
  state: State,
  { orders, available }: Account,
  list: OrderList,
  { page, before, limit }: Rows,
) {
  const all = [...orders.values()].filter(({ status }) => status === list).toSorted((a, b) => b.id - a.id)
  return {
    // The order itself may have left the list meanwhile: its number still says where it stood.
    shown:
      before === null
        ? all.slice((page - 1) * limit, page * limit)
        : all.filter(({ id }) => id < before).slice(0, limit),
    total: all.length,
    profit: money(all.reduce((sum, order) => sum + (floatingProfit(state, order) ?? NO_MONEY), 0n)),
    balance: available.balance,
  }
}

/** The market data of an order at current prices. Throws for an unknown instrument. */
function contextAt(state: State, instrumentId: number, namesOf: InstrumentNames): OrderContext {
  const instrument = state.instruments.get(instrumentId)
  if (!instrument) throw new Error(`order of an unknown instrument: ${instrumentId}`)
  const priceDecimalsOf = (id: number) => state.instruments.get(id)?.priceDecimals ?? 0
  const quote = state.quotes.get(instrumentId) ?? null
  return { instrument, ...namesOf(instrumentId), quote, priceDecimalsOf }
}

/** The order that a change has created, with the prices of the decision, so that a repeated request returns the same. */
function createdView(
  state: State,
  events: readonly Event[],
  contextOf: (instrumentId: number) => OrderContext,
): OrderView | null {
  const event = events.find(isCreation)
  if (!event) return null
  const { receipt, createdAt } = event
  const context = { ...contextOf(event.instrumentId), quote: receipt.tick }
  const record = fromCreation(event, profitAtFill(state, event))
  return orderView(record, context, [{ at: createdAt, event, hash: null, previousHash: null }])
}

type Creation = Extract<Event, { type: 'orderPlaced' | 'positionOpened' }>

const isCreation = (event: Event): event is Creation =>
  event.type === 'orderPlaced' || event.type === 'positionOpened'

/** A new order, from its first event. */
const fromCreation = (event: Creation, profit: Money): OrderRecord => ({
  ...event,
  id: event.orderId,
  parentId: null,
  trailingDistance: null,
  openedSeq: 0,
  financedAt: 0,
  // Copies place no orders.
  copied: null,
  status: event.type === 'positionOpened' ? 'holding' : 'pending',
  endReason: 'none',
  openPrice: event.type === 'positionOpened' ? event.openPrice : null,
  closePrice: null,
  profit,
  openedAt: event.type === 'positionOpened' ? event.createdAt : null,
  endedAt: null,
})

/** The profit right after the fill, which is the spread, at the prices of the receipt. */
function profitAtFill(state: State, event: Creation): Money {
  const instrument = state.instruments.get(event.instrumentId)
  const path = state.conversionPaths.get(event.instrumentId)
  const { tick, conversion } = event.receipt
  if (event.type !== 'positionOpened' || !instrument || !path || !tick) return NO_MONEY
  const rate = convert(path, (id) => conversion.find((used) => used.instrumentId === id))?.rate
  return rate ? profitOf(instrument, event, closingPrice(event.side, tick), rate) : NO_MONEY
}

/** Adds to orders their receipts, and the operators who closed them. The tables must have caught up with the engine. */
const joinReceipts =
  (repository: Pick<OrderRepository, 'receipts' | 'operators'>) =>
  async (orders: readonly OrderSnapshot[]): Promise<OrderView[]> => {
    const receipts = await repository.receipts(orders.map(({ record }) => record.id))
    const operators = await repository.operators(orders.map(({ record }) => record))
    return orders.map(({ record, context }) =>
      orderView(record, context, receipts.get(record.id) ?? [], operators.get(record.id) ?? null),
    )
  }

/** An order with the market at the same moment. */
type OrderSnapshot = { readonly record: OrderRecord; readonly context: OrderContext }

type OrderSources = {
  readonly engine: Pick<Engine, 'read' | 'caughtUp'>
  readonly repository: Pick<OrderRepository, 'finished'>
  readonly snapshotOf: (state: State, order: Order) => OrderSnapshot
  readonly finished: (record: OrderRecord) => OrderSnapshot
  readonly withReceipts: (orders: readonly OrderSnapshot[]) => Promise<OrderView[]>
}

/**
 * Orders of a user as they are now, active before finished: those with the given ids, also of the user's copies; without
 * ids all active ones of the own account. Orders of others are left out.
 */
const ordersById =
  ({ engine, repository, snapshotOf, finished, withReceipts }: OrderSources) =>
  async (accountId: number, orderIds?: readonly number[]): Promise<readonly OrderView[] | Refusal> => {
    const found = await readEngine(engine, (state) => {
      const ids = orderIds ?? [...(state.accounts.get(accountId)?.orders.keys() ?? [])]
      return ids.flatMap((id) => {
        const order = state.orders.get(id)
        const isOwn = order && state.accounts.get(order.accountId)?.ownerId === accountId
        return isOwn ? snapshotOf(state, order) : []
      })
    })
    if (isRefusal(found)) return found
    // An order that is no longer active is in the tables by now.
    await engine.caughtUp()
    const activeIds = new Set(found.map(({ record }) => record.id))
    const ended = await repository.finished(accountId, orderIds?.filter((id) => !activeIds.has(id)) ?? [])
    return withReceipts([...found, ...ended.map(finished)])
  }

/** An active order from the engine's memory, with its current profit. */
const fromActive = (order: Order, profit: Money): OrderRecord => ({
  ...order,
  parentId: null,
  endReason: 'none',
  closePrice: null,
  profit,
  endedAt: null,
})

/** The instrument and market data that an order view contains. */
export type OrderContext = {
  readonly instrument: Instrument
  readonly showCode: string
  readonly name: string
  readonly logo: string
  /** Null before the first price. */
  readonly quote: Quote | null
  readonly priceDecimalsOf: (instrumentId: number) => number
}

/** A receipt with the event that it proves and the time of the decision. */
export type StoredReceipt = {
  readonly at: number
  readonly event: ProvenEvent
  /** Its hash in the account's chain; null until it is in the tables. */
  readonly hash: string | null
  readonly previousHash: string | null
}

function orderView(
  order: OrderRecord,
  context: OrderContext,
  receipts: readonly StoredReceipt[],
  endedBy: OrderView['endedBy'] = null,
): OrderView {
  const { instrument, quote } = context
  const show = (value: Price | null) => (value === null ? null : fromTicks(value, instrument.priceDecimals))
  const isOver = order.status === 'closed' || order.status === 'cancelled'
  const now = quote ? closingPrice(order.side, quote) : null
  return {
    id: order.id,
    parentId: order.parentId,
    accountId: order.accountId,
    instrument: {
      id: instrument.id,
      code: instrument.code,
      showCode: context.showCode,
      name: context.name,
      logo: context.logo,
      priceDecimals: instrument.priceDecimals,
      contractSize: instrument.contractSize,
      marginMode: instrument.marginMode,
      lotStep: instrument.lotStep,
    },
    side: order.side,
    kind: order.kind,
    status: order.status,
    endReason: order.endReason,
    endedBy,
    lots: order.lots,
    leverage: order.leverage,
    acceptedPrice: fromTicks(order.acceptedPrice, instrument.priceDecimals),
    openPrice: show(order.openPrice),
    currentPrice: show(isOver ? order.closePrice : now),
    takeProfit: show(order.takeProfit),
    stopLoss: show(order.stopLoss),
    trailingDistance: show(order.trailingDistance),
    originalMargin: order.margin,
    margin: isOver ? NO_MONEY : order.margin,
    profit: order.profit,
    fee: order.openPrice === null && isOver ? NO_MONEY : order.fee,
    swap: swapOf(receipts),
    createdAt: order.createdAt,
    openedAt: order.openedAt,
    endedAt: order.endedAt,
    expiresAt: order.expiresAt,
    receipts: receipts.map((stored) => receiptView(stored, context)),
  }
}

const swapOf = (receipts: readonly StoredReceipt[]): Money =>
  money(receipts.reduce((sum, { event }) => sum + (event.type === 'swapBooked' ? event.amount : 0n), 0n))

function receiptView(
  { at, event: { receipt }, hash, previousHash }: StoredReceipt,
  context: OrderContext,
): ReceiptView {
  const { priceDecimals } = context.instrument
  const show = (value: Price | null) => (value === null ? null : fromTicks(value, priceDecimals))
  return {
    at,
    action: receipt.action,
    trigger: receipt.trigger,
    tick: receipt.tick && tickView(receipt.tick, context),
    quoteSide: receipt.quoteSide,
    requestedPrice: show(receipt.requestedPrice),
    filledPrice: show(receipt.filledPrice),
    slippage: fromUnits(receipt.slippage, priceDecimals),
    delayMs: receipt.delayMs,
    conversion: receipt.conversion.map((tick) => tickView(tick, context)),
    ruleVersion: receipt.ruleVersion,
    terms: receipt.terms,
    ground: receipt.ground ?? null,
    kind: receipt.kind ?? null,
    hash,
    previousHash,
  }
}

function tickView(
  tick: NonNullable<Receipt['tick']>,
  context: OrderContext,
): NonNullable<ReceiptView['tick']> {
  const priceDecimals = context.priceDecimalsOf(tick.instrumentId)
  return {
    ...tick,
    bid: fromTicks(tick.bid, priceDecimals),
    ask: fromTicks(tick.ask, priceDecimals),
    markUp: fromUnits(tick.markUp ?? 0, priceDecimals),
    admitted: tick.admitted ? 'yes' : null,
  }
}

const FINISHED = ['closed', 'cancelled']

/** A page of a list, from 1, or in its place the rows after an order, and how many. */
export type Rows = { readonly page: number; readonly before: number | null; readonly limit: number }

/** Finished orders and receipts in the tables. */
export type OrderRepository = {
  /** Rows of finished orders, the latest end first; null where the order to begin after is not one of them. */
  history(accountId: number, rows: Rows): Promise<OrderRecord[] | null>
  /** Those of the orders that belong to the account and are finished. */
  finished(accountId: number, orderIds: readonly number[]): Promise<OrderRecord[]>
  /** The number of positions that a `closeAll` at `at` (epoch ms) left open. */
  remainingCount(accountId: number, at: number): Promise<number>
  /** Receipts by order, oldest first. */
  receipts(orderIds: readonly number[]): Promise<Map<number, StoredReceipt[]>>
  /** Role and reason of the operators who closed orders; contains only such orders. */
  operators(orders: readonly OrderRecord[]): Promise<Map<number, NonNullable<OrderView['endedBy']>>>
  /** Receipts of one of an account's orders, as they were hashed, oldest first. */
  sealed(accountId: number, orderId: number): Promise<SealedReceipt[]>
}

export const createOrderRepository = (queries: Queries): OrderRepository => ({
  history: (accountId, rows) => loadHistory(queries, accountId, rows),

  finished: async (accountId, orderIds) => {
    if (orderIds.length === 0) return []
    const rows = await queries
      .selectFrom('trade_order')
      .selectAll()
      .where('id', 'in', orderIds.map(BigInt))
      .where('account_id', 'in', ownedBy(queries, accountId))
      .where('status', 'in', FINISHED)
      .orderBy('id', 'desc')
      .execute()
    return rows.map(recordFrom)
  },

  remainingCount: async (accountId, at) => {
    const { count } = await queries
      .selectFrom('trade_order')
      .select(({ fn }) => fn.countAll<bigint>().as('count'))
      .where('account_id', '=', BigInt(accountId))
      // A closed part has its own row, but was never a position.
      .where('parent_id', 'is', null)
      // A position opened in the same millisecond was either closed, as its price was fresh, or opened afterwards.
      .where('opened_at', '<', BigInt(at))
      .where((is) => is.or([is('ended_at', 'is', null), is('ended_at', '>', BigInt(at))]))
      .executeTakeFirstOrThrow()
    return Number(count)
  },

  receipts: async (orderIds) => {
    if (orderIds.length === 0) return new Map()
    const rows = await queries
      .selectFrom('receipt')
      .select(['order_id', 'at', 'body', 'hash', 'previous_hash'])
      .where('order_id', 'in', orderIds.map(BigInt))
      .orderBy('id')
      .execute()
    const stored = rows.map((row) => ({
      orderId: Number(row.order_id),
      at: Number(row.at),
      event: readReceipt(row.body).event,
      hash: row.hash,
      previousHash: row.previous_hash,
    }))
    return Map.groupBy(stored, ({ orderId }) => orderId)
  },

  operators: async (orders) => {
    const closed = orders.filter(({ endReason }) => endReason === 'operator')
    const byAccount = Map.groupBy(closed, ({ accountId }) => accountId)
    const found = await Promise.all(
      [...byAccount].map(([accountId, ordersOfAccount]) =>
        positionsClosedByOperators(
          queries,
          accountId,
          ordersOfAccount.flatMap(({ endedAt }) => endedAt ?? []),
        ),
      ),
    )
    return new Map(
      found.flatMap((closes) => [...closes].map(([id, { role, reason }]) => [id, { role, reason }])),
    )
  },

  sealed: (accountId, orderId) => loadSealed(queries, accountId, orderId),
})

/** The accounts of a user: the own one, and those of copies. */
const ownedBy = (queries: Queries, userId: number) =>
  queries.selectFrom('account').select('id').where('owner_id', '=', BigInt(userId))

async function loadHistory(
  queries: Queries,
  accountId: number,
  { page, before, limit }: Rows,
): Promise<OrderRecord[] | null> {
  const ended = queries
    .selectFrom('trade_order')
    .selectAll()
    .where('account_id', '=', BigInt(accountId))
    // Matches the condition of the index.
    .where('ended_at', 'is not', null)
  const latestFirst = ended.orderBy('ended_at', 'desc').orderBy('id', 'desc').limit(limit)
  if (before === null) {
    const rows = await latestFirst.offset((page - 1) * limit).execute()
    return rows.map(recordFrom)
  }
  const last = await ended.where('id', '=', BigInt(before)).executeTakeFirst()
  if (!last) return null
  const rows = await latestFirst
    .where((is) =>
      is.or([
        is('ended_at', '<', last.ended_at),
        is.and([is('ended_at', '=', last.ended_at), is('id', '<', last.id)]),
      ]),
    )
    .execute()
  return rows.map(recordFrom)
}

async function loadSealed(queries: Queries, accountId: number, orderId: number): Promise<SealedReceipt[]> {
  const rows = await queries
    .selectFrom('receipt')
    .select(['number', 'previous_hash', 'body', 'hash'])
    .where('order_id', '=', BigInt(orderId))
    .where('account_id', 'in', ownedBy(queries, accountId))
    .orderBy('number')
    .execute()
  return rows.map((row) => ({
    number: Number(row.number),
    orderId,
    previousHash: row.previous_hash,
    body: row.body,
    hash: row.hash,
  }))
}
