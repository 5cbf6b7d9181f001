import { evolveCase } from './evolve-case.ts'
import { bringTermsIntoEffect, setTerms } from './evolve-terms.ts'
import type {
  AccountOpened,
  AccountStatusSet,
  CaseEvent,
  DemoReset,
  Entry,
  Event,
  InstrumentHalted,
  OrderCancelled,
  OrderTerms,
  PositionClosed,
  PositionOpened,
  PositionReduced,
  PricesMarked,
  Request,
  RolledOver,
  StopsSet,
  SwapBooked,
  TermsSet,
  TermsTookEffect,
  TermsWithdrawn,
  TradingModeSet,
} from './event.ts'
import { post, type Posting, type Transfer } from './ledger.ts'
import { hourOf, nightBefore } from './night.ts'
import { lots, money, price, type Price } from './number.ts'
import { direction, type Order } from './order.ts'
import { indexOrder, unindexOrder } from './order-index.ts'
import { closingPrice } from './quote.ts'
import type { ReceiptTick } from './receipt.ts'
import { addAccount, type Account, type RememberedRequest, type State } from './state.ts'
import { needSweep } from './sweep.ts'

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

/** Where a trailing stop stands after it has followed a price. */
export type TrailedStop = { readonly orderId: number; readonly accountId: number; readonly stopLoss: Price }

/** What events leave behind besides the state itself. */
export type Effects = { readonly postings: readonly Posting[]; readonly trailed: readonly TrailedStop[] }

const NO_EFFECTS: Effects = { postings: [], trailed: [] }

/** Applies one journal entry and returns what it left behind. Never refuses: what is in the journal has happened. */
export function evolve(state: State, entry: Entry): Effects {
  const effects = entry.events.map((event) => evolveEvent(state, event, entry.at))
  rememberRequest(state, entry)
  return {
    postings: effects.flatMap(({ postings }) => postings),
    trailed: effects.flatMap(({ trailed }) => trailed),
  }
}

/** Applies one event and returns what it left behind. */
export function evolveEvent(state: State, event: Event, at: number): Effects {
  switch (event.type) {
    case 'accountOpened':
      return openAccount(state, event, at)
    case 'orderPlaced':
      indexOrder(state, accountOf(state, event.accountId), orderFrom(event, null))
      return NO_EFFECTS
    case 'orderCancelled':
      endOrder(state, event)
      return NO_EFFECTS
    case 'stopsSet':
      setStops(state, event)
      return NO_EFFECTS
    case 'trailingMoved':
      return { postings: [], trailed: followPrice(state, event.tick) }
    case 'accountStatusSet':
      setStatus(state, event)
      return NO_EFFECTS
    case 'pricesMarked':
    case 'rolledOver':
    case 'instrumentHalted':
    case 'tradingModeSet':
    case 'termsSet':
    case 'termsTookEffect':
    case 'termsWithdrawn':
      evolveMarket(state, event, at)
      return NO_EFFECTS
    default:
      // These change what an account is worth, or what it holds: its safe prices are worked out anew.
      state.touched.add(event.accountId)
      return { postings: evolveMoney(state, event, at), trailed: [] }
  }
}

type MarketEvent =
  PricesMarked | RolledOver | InstrumentHalted | TradingModeSet | TermsSet | TermsTookEffect | TermsWithdrawn

/** What concerns everybody. */
function evolveMarket(state: State, event: MarketEvent, at: number): void {
  switch (event.type) {
    case 'pricesMarked':
      return markMoment(state, event)
    case 'rolledOver':
      state.nights.delete(event.rollover)
      state.lastNight = Math.max(state.lastNight, event.rollover)
      return
    case 'instrumentHalted':
      return setHalt(state, event)
    case 'tradingModeSet':
      state.mode = event.mode
      return
    case 'termsSet':
      return setTerms(state, event, at)
    case 'termsTookEffect':
      return bringTermsIntoEffect(state, event.changeId)
    case 'termsWithdrawn':
      state.announced.delete(event.changeId)
  }
}

type AccountMoneyEvent =
  PositionOpened | PositionClosed | PositionReduced | SwapBooked | DemoReset | CaseEvent

function evolveMoney(state: State, event: AccountMoneyEvent, at: number): readonly Posting[] {
  switch (event.type) {
    case 'positionOpened':
      openPosition(state, event, at)
      return postAll(state, event.transfers, at)
    case 'positionClosed':
      endOrder(state, event)
      return postAll(state, event.transfers, at)
    case 'positionReduced':
      reducePosition(state, event)
      return postAll(state, event.transfers, at)
    case 'swapBooked':
      livingOrder(state, event.orderId).financedAt = event.rollover
      // By the first rules a night was dated with its booking.
      return postAll(state, event.transfers, event.receipt.ruleVersion === 1 ? at : event.rollover)
    case 'demoReset':
      return postAll(state, event.transfers, at)
    default:
      evolveCase(state, event, at)
      return 'transfers' in event ? postAll(state, event.transfers, at) : []
  }
}

/** The first account starts the count of hours and nights. */
function openAccount(state: State, event: AccountOpened, at: number): Effects {
  addAccount(state, event.accountId, event.ledger)
  if (state.lastNight === 0) state.lastNight = nightBefore(at)
  if (state.lastMark === 0) state.lastMark = hourOf(at)
  return { postings: postAll(state, event.transfers, at), trailed: [] }
}

/** A night with rates is financed from these prices; one without has nothing to book. */
function markMoment(state: State, { moment, prices, night }: PricesMarked): void {
  state.lastMark = Math.max(state.lastMark, moment)
  const known = state.nights.get(moment)
  if (known) {
    for (const tick of prices) known.prices.set(tick.instrumentId, tick)
    needSweep(state)
  } else if (night !== null) {
    state.lastNight = moment
    if (night.length === 0) return
    state.nights.set(moment, {
      rollover: moment,
      rates: new Map(night.map((rate) => [rate.instrumentId, rate])),
      prices: new Map(prices.map((tick) => [tick.instrumentId, tick])),
      terms: state.termsVersion,
    })
    needSweep(state)
  }
}

function setStatus(state: State, { accountId, status, reason }: AccountStatusSet): void {
  Object.assign(accountOf(state, accountId), { status, statusReason: reason })
  if (status !== 'active') needSweep(state)
}

/** Every trailing stop of the instrument that this price is better for moves up to its distance. */
function followPrice(state: State, tick: ReceiptTick): TrailedStop[] {
  const trailed: TrailedStop[] = []
  for (const { orderId } of state.triggers.trailing(tick)) {
    const order = livingOrder(state, orderId)
    if (order.trailingDistance === null) continue
    const stopLoss = price(closingPrice(order.side, tick) - direction(order.side) * order.trailingDistance)
    order.stopLoss = stopLoss
    state.triggers.watch(order)
    trailed.push({ orderId, accountId: order.accountId, stopLoss })
  }
  return trailed
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
  const { request, at } = entry
  if (!request) return
  const key = requestKey(request)
  // A name taken again after its time moves to the end, where the youngest are.
  state.requests.delete(key)
  state.requests.set(key, { digest: request.digest, at, row: state.journalRow })
  forgetOldRequests(state, at - REQUEST_MEMORY_MS)
}

/** The map keeps insertion order, which is the order of time, so the oldest are always in front. */
function forgetOldRequests(state: State, before: number): void {
  for (const [key, remembered] of state.requests) {
    if (remembered.at >= before) return
    state.requests.delete(key)
  }
}
