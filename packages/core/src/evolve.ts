import type {
  Entry,
  Event,
  InstrumentHalted,
  MoneyMoved,
  OrderCancelled,
  OrderTerms,
  PositionClosed,
  PositionOpened,
  PositionReduced,
  Request,
  StopsSet,
  SwapBooked,
} from './event.ts'
import { post, type Posting, type Transfer } from './ledger.ts'
import { lots, money, type Price } from './number.ts'
import type { Order } from './order.ts'
import { indexOrder, unindexOrder } from './order-index.ts'
import { tradingDay } from './trading-day.ts'
import { addAccount, type Account, type RememberedRequest, type State } from './state.ts'

/** How long an accepted request is remembered: 48 hours, in ms. */
export const REQUEST_MEMORY_MS = 48 * 3_600_000

export const requestKey = (request: Pick<Request, 'accountId' | 'call' | 'id'>): string =>
  `${request.accountId} ${request.call} ${request.id}`

/**
 * What a request did when it was accepted, if that was at most 48 hours before `at` (epoch ms). Older ones may still lie
 * in memory until the next request sweeps them out; whether they do never decides.
 */
export function rememberedRequest(state: State, request: Request, at: number): RememberedRequest | null {
  const remembered = state.requests.get(requestKey(request))
  return remembered && remembered.at >= at - REQUEST_MEMORY_MS ? remembered : null
}

/** Applies one journal entry and returns the ledger rows it made. Never refuses: what is in the journal has happened. */
export function evolve(state: State, entry: Entry): Posting[] {
  const postings = entry.events.flatMap((event) => evolveEvent(state, event, entry.at))
  rememberRequest(state, entry)
  return postings
}

/** Applies one event and returns the ledger rows it made. */
export function evolveEvent(state: State, event: Event, at: number): Posting[] {
  switch (event.type) {
    case 'accountOpened':
      addAccount(state, event.accountId, event.ledger)
      if (state.lastRollover === 0) state.lastRollover = tradingDay('newYorkClose', at).start
      return postAll(state, event.transfers, at)
    case 'orderPlaced':
      indexOrder(state, accountOf(state, event.accountId), orderFrom(event, null))
      return []
    case 'orderCancelled':
      endOrder(state, event)
      return []
    case 'stopsSet':
      setStops(state, event)
      return []
    case 'rolledOver':
      state.lastRollover = event.rollover
      return []
    case 'instrumentHalted':
      setHalt(state, event)
      return []
    case 'tradingModeSet':
      state.mode = event.mode
      return []
    default:
      // These change what an account is worth, or what it holds: its safe prices are worked out anew.
      state.touched.add(event.accountId)
      return evolvePosition(state, event, at)
  }
}

type PositionEvent = PositionOpened | PositionClosed | PositionReduced | SwapBooked | MoneyMoved

function evolvePosition(state: State, event: PositionEvent, at: number): Posting[] {
  switch (event.type) {
    case 'positionOpened':
      openPosition(state, event, at)
      break
    case 'positionClosed':
      endOrder(state, event)
      break
    case 'positionReduced':
      reducePosition(state, event)
      break
    case 'swapBooked':
      livingOrder(state, event.orderId).financedAt = event.rollover
      break
    case 'moneyMoved':
  }
  return postAll(state, event.transfers, at)
}

function openPosition(state: State, event: PositionOpened, at: number): void {
  const account = accountOf(state, event.accountId)
  const pending = account.orders.get(event.orderId)
  if (pending) unindexOrder(state, account, pending)
  const openedSeq = event.receipt.tick?.seq ?? 0
  indexOrder(state, account, orderFrom(event, { openPrice: event.openPrice, openedAt: at, openedSeq }))
}

/** The rest keeps everything but the part's lots and margin. */
function reducePosition(state: State, event: PositionReduced): void {
  const account = accountOf(state, event.accountId)
  const order = livingOrder(state, event.orderId)
  unindexOrder(state, account, order)
  order.lots = lots(order.lots - event.lots)
  order.margin = money(order.margin - event.margin)
  indexOrder(state, account, order)
  state.lastOrderId = Math.max(state.lastOrderId, event.partId)
}

function setHalt(state: State, { instrumentId, reason }: InstrumentHalted): void {
  if (reason === null) state.halts.delete(instrumentId)
  else state.halts.set(instrumentId, reason)
}

function orderFrom(
  terms: OrderTerms,
  fill: { openPrice: Price; openedAt: number; openedSeq: number } | null,
): Order {
  return {
    id: terms.orderId,
    accountId: terms.accountId,
    instrumentId: terms.instrumentId,
    side: terms.side,
    kind: terms.kind,
    lots: terms.lots,
    leverage: terms.leverage,
    status: fill ? 'holding' : 'pending',
    targetPrice: terms.targetPrice,
    acceptedPrice: terms.acceptedPrice,
    openPrice: fill?.openPrice ?? null,
    takeProfit: terms.takeProfit,
    stopLoss: terms.stopLoss,
    margin: terms.margin,
    fee: terms.fee,
    expiresAt: terms.expiresAt,
    createdAt: terms.createdAt,
    openedAt: fill?.openedAt ?? null,
    openedSeq: fill?.openedSeq ?? 0,
    trailingDistance: null,
    financedAt: 0,
  }
}

function endOrder(state: State, event: OrderCancelled | PositionClosed): void {
  unindexOrder(state, accountOf(state, event.accountId), livingOrder(state, event.orderId))
}

function livingOrder(state: State, orderId: number): Order {
  const order = state.orders.get(orderId)
  if (!order) throw new Error(`an event names order ${orderId}, which does not live`)
  return order
}

function setStops(state: State, event: StopsSet): void {
  const order = livingOrder(state, event.orderId)
  order.takeProfit = event.takeProfit
  order.stopLoss = event.stopLoss
  order.trailingDistance = event.trailingDistance
  state.triggers.watch(order)
}

const postAll = (state: State, transfers: readonly Transfer[], at: number): Posting[] =>
  transfers.map((transfer) => post(state.ledger, transfer, at))

function accountOf(state: State, accountId: number): Account {
  const account = state.accounts.get(accountId)
  if (!account) throw new Error(`an event names account ${accountId}, which was never opened`)
  return account
}

export function rememberRequest(state: State, entry: Entry): void {
  const { request, at, events } = entry
  if (!request) return
  const key = requestKey(request)
  // A name taken again after its time moves to the end, where the youngest are.
  state.requests.delete(key)
  state.requests.set(key, { request, at, events })
  forgetOldRequests(state, at - REQUEST_MEMORY_MS)
}

/** The map keeps insertion order, which is the order of time, so the oldest are always in front. */
function forgetOldRequests(state: State, before: number): void {
  for (const [key, remembered] of state.requests) {
    if (remembered.at >= before) return
    state.requests.delete(key)
  }
}
