import {
  type OrderList,
  type OrderPage,
  type OrderView,
  PAGE_ROWS,
  type SealedReceipt,
} from '@fairlot/contract'
import {
  type Account,
  closingPrice,
  convert,
  type Entry,
  type Event,
  floatingProfit,
  money,
  type Money,
  NO_MONEY,
  type Order,
  profitOf,
  type State,
} from '@fairlot/core'
import type { TotalsBook } from '../engine/projection/account-totals.ts'
import type { Engine } from '../engine/engine.ts'
import { isRefusal, readEngine, type Refusal } from '../http/refusal.ts'
import type { OrderRepository, Rows } from './order-repository.ts'
import type { OrderRecord } from '../engine/projection/row-mapping.ts'
import { type OrderContext, orderView } from './order-view.ts'

/** How an instrument is called in lists. */
type InstrumentNames = (instrumentId: number) => { showCode: string; name: string; logo: string }

/** Queries for orders: living ones from the engine's memory, finished ones from the tables. */
export type OrderQueries = {
  /** A page of a user's orders, of `limit` rows; null when there is no such account. */
  page(accountId: number, list: OrderList, page: number, limit?: number): Promise<OrderPage | Refusal | null>
  /** The order a change has left behind, told from the change's own events, so that a repeat answers the same. */
  created(events: readonly Event[]): OrderView | null
  ended(accountId: number, orderId: number): Promise<OrderView | null>
  /** The orders that a change has ended, and how many positions it left open. */
  allEnded(accountId: number, entry: Entry): Promise<ClosedOrders>
  /** An order as it is now, living or finished. */
  present(accountId: number, orderId: number): Promise<OrderView | Refusal | null>
  /** Orders of an account as they are now, living or finished, in no order; without ids all that live. */
  several(accountId: number, orderIds?: readonly number[]): Promise<readonly OrderView[] | Refusal>
  /** The receipts of an order as they were hashed; none for an order that is not this account's. */
  sealed(accountId: number, orderId: number): Promise<SealedReceipt[]>
}

/** What closing everything answers. */
export type ClosedOrders = { readonly orders: readonly OrderView[]; readonly remainingCount: number }

export function createOrderQueries(
  engine: Engine,
  repository: OrderRepository,
  namesOf: InstrumentNames,
  totals: TotalsBook,
): OrderQueries {
  const contextOf = (instrumentId: number) => contextAt(engine.state(), instrumentId, namesOf)
  const seeOrder = (state: State, order: Order): OrderSnapshot => ({
    record: fromLiving({ ...order }, floatingProfit(state, order) ?? NO_MONEY),
    context: contextAt(state, order.instrumentId, namesOf),
  })
  const finished = (record: OrderRecord): OrderSnapshot => ({
    record,
    context: contextOf(record.instrumentId),
  })

  const withReceipts = receiptsBeside(repository)

  const seePage = (state: State, accountId: number, list: OrderList, rows: Rows) => {
    const account = state.accounts.get(accountId)
    if (!account) return null
    const { shown, ...sums } = living(state, account, list, rows)
    return { ...sums, orders: shown.map((order) => seeOrder(state, order)) }
  }

  const ended = async (accountId: number, orderId: number): Promise<OrderView | null> => {
    await engine.caughtUp()
    const records = await repository.finished(accountId, [orderId])
    const [shown] = await withReceipts(records.map(finished))
    return shown ?? null
  }

  const several = ordersById({ engine, repository, seeOrder, finished, withReceipts })

  return {
    page: async (accountId, list, page, limit = PAGE_ROWS) => {
      const rows = { page, limit }
      const seen = await readEngine(engine, (state) => seePage(state, accountId, list, rows))
      if (seen === null || isRefusal(seen)) return seen
      await engine.caughtUp()
      if (list !== 'history') return { ...seen, orders: await withReceipts(seen.orders) }
      const { endedOrders: total, profit } = await totals.of(accountId)
      const hasPage = (page - 1) * limit < total
      const orders = hasPage ? await repository.history(accountId, rows) : []
      return { orders: await withReceipts(orders.map(finished)), total, profit, balance: seen.balance }
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
      const seen = await several(accountId, [orderId])
      return isRefusal(seen) ? seen : (seen[0] ?? null)
    },
    several,
    sealed: async (accountId, orderId) => {
      await engine.caughtUp()
      return repository.sealed(accountId, orderId)
    },
  }
}

/** A page of an account's living orders, and the sums over all of them. */
function living(state: State, { orders, available }: Account, list: OrderList, { page, limit }: Rows) {
  const all = [...orders.values()].filter(({ status }) => status === list).toSorted((a, b) => b.id - a.id)
  return {
    shown: all.slice((page - 1) * limit, page * limit),
    total: all.length,
    profit: money(all.reduce((sum, order) => sum + (floatingProfit(state, order) ?? NO_MONEY), 0n)),
    balance: available.balance,
  }
}

/** What an order needs of the market at the prices of now. Throws for an instrument that is not on offer. */
function contextAt(state: State, instrumentId: number, namesOf: InstrumentNames): OrderContext {
  const instrument = state.instruments.get(instrumentId)
  if (!instrument) throw new Error(`order of an instrument that is not on offer: ${instrumentId}`)
  const priceDecimalsOf = (id: number) => state.instruments.get(id)?.priceDecimals ?? 0
  const quote = state.quotes.get(instrumentId) ?? null
  return { instrument, ...namesOf(instrumentId), quote, priceDecimalsOf }
}

/** The order that a change has made, with the market as it was at the decision: asked again later, the answer is the same. */
function createdView(
  state: State,
  events: readonly Event[],
  contextOf: (instrumentId: number) => OrderContext,
): OrderView | null {
  const event = events.find(isCreation)
  if (!event) return null
  const { receipt, createdAt } = event
  const context = { ...contextOf(event.instrumentId), quote: receipt.tick }
  const record = fromCreation(event, profitThen(state, event))
  return orderView(record, context, [{ at: createdAt, event, hash: null, previousHash: null }])
}

type Creation = Extract<Event, { type: 'orderPlaced' | 'positionOpened' }>

const isCreation = (event: Event): event is Creation =>
  event.type === 'orderPlaced' || event.type === 'positionOpened'

/** A new order, as its first event tells it. */
const fromCreation = (event: Creation, profit: Money): OrderRecord => ({
  ...event,
  id: event.orderId,
  parentId: null,
  trailingDistance: null,
  openedSeq: 0,
  financedAt: 0,
  status: event.type === 'positionOpened' ? 'holding' : 'pending',
  endReason: 'none',
  openPrice: event.type === 'positionOpened' ? event.openPrice : null,
  closePrice: null,
  profit,
  openedAt: event.type === 'positionOpened' ? event.createdAt : null,
  endedAt: null,
})

/** The profit right after the fill: the spread, at the prices that the receipt names. */
function profitThen(state: State, event: Creation): Money {
  const instrument = state.instruments.get(event.instrumentId)
  const path = state.conversionPaths.get(event.instrumentId)
  const { tick, conversion } = event.receipt
  if (event.type !== 'positionOpened' || !instrument || !path || !tick) return NO_MONEY
  const rate = convert(path, (id) => conversion.find((used) => used.instrumentId === id))?.rate
  return rate ? profitOf(instrument, event, closingPrice(event.side, tick), rate) : NO_MONEY
}

/** With the receipts of the tables, which hold what has been seen by then, and with the operators who closed any of them. */
const receiptsBeside =
  (repository: Pick<OrderRepository, 'receipts' | 'operators'>) =>
  async (orders: readonly OrderSnapshot[]): Promise<OrderView[]> => {
    const receipts = await repository.receipts(orders.map(({ record }) => record.id))
    const operators = await repository.operators(orders.map(({ record }) => record))
    return orders.map(({ record, context }) =>
      orderView(record, context, receipts.get(record.id) ?? [], operators.get(record.id) ?? null),
    )
  }

/** An order as it was at one moment, with the market of that moment. */
type OrderSnapshot = { readonly record: OrderRecord; readonly context: OrderContext }

type OrderSources = {
  readonly engine: Pick<Engine, 'read' | 'caughtUp'>
  readonly repository: Pick<OrderRepository, 'finished'>
  readonly seeOrder: (state: State, order: Order) => OrderSnapshot
  readonly finished: (record: OrderRecord) => OrderSnapshot
  readonly withReceipts: (orders: readonly OrderSnapshot[]) => Promise<OrderView[]>
}

/**
 * Shows orders of an account as they are now, the living before the finished; without ids all that live. One that is in neither place
 * is left out: it is not this account's.
 */
const ordersById =
  ({ engine, repository, seeOrder, finished, withReceipts }: OrderSources) =>
  async (accountId: number, orderIds?: readonly number[]): Promise<readonly OrderView[] | Refusal> => {
    const seen = await readEngine(engine, (state) => {
      const orders = state.accounts.get(accountId)?.orders
      const ids = orderIds ?? [...(orders?.keys() ?? [])]
      return ids.flatMap((id) => {
        const order = orders?.get(id)
        return order ? seeOrder(state, order) : []
      })
    })
    if (isRefusal(seen)) return seen
    // What does not live in what was seen is in the tables by then, as it ended.
    await engine.caughtUp()
    const livingIds = new Set(seen.map(({ record }) => record.id))
    const ended = await repository.finished(accountId, orderIds?.filter((id) => !livingIds.has(id)) ?? [])
    return withReceipts([...seen, ...ended.map(finished)])
  }

/** A living order from the engine's memory; its profit is filled in where the prices are known. */
const fromLiving = (order: Order, profit: Money): OrderRecord => ({
  ...order,
  parentId: null,
  endReason: 'none',
  closePrice: null,
  profit,
  endedAt: null,
})
