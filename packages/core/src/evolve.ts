import { evolveCase } from './payments/evolve-case.ts'
import { bringTermsIntoEffect, setTerms } from './terms/evolve-terms.ts'
import type {
  AccountClosed,
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
  RolledOver,
  StopsSet,
  SwapBooked,
  TermsSet,
  TermsTookEffect,
  TermsWithdrawn,
  TradingModeSet,
} from './event.ts'
import { post, type Posting, type Transfer } from './money/ledger.ts'
import { hourOf, nightBefore } from './overnight/overnight-swap.ts'
import { lots, money, price, type Price } from './money/number.ts'
import { direction, type Order } from './orders/order.ts'
import { indexOrder, unindexOrder } from './orders/order-index.ts'
import { closingPrice, type Quote } from './market/quote.ts'
import type { ReceiptTick } from './receipt.ts'
import { rememberRequest } from './request-memory.ts'
import { addAccount, type Account, type State } from './state.ts'
import type { Core } from './core.ts'
import { needSweep } from './due-work/sweep-cursor.ts'

/** Where a trailing stop stands after it has followed a price. */
export type TrailedStop = { readonly orderId: number; readonly accountId: number; readonly stopLoss: Price }

/** What events leave behind besides the state itself. */
export type Effects = { readonly postings: readonly Posting[]; readonly trailed: readonly TrailedStop[] }

const NO_EFFECTS: Effects = { postings: [], trailed: [] }

/** Applies one journal entry and returns what it left behind. Never refuses: what is in the journal has happened. */
export function evolve(core: Core, entry: Entry): Effects {
  const effects = entry.events.map((event) => evolveEvent(core, event, entry.at))
  rememberRequest(core, entry)
  return {
    postings: effects.flatMap(({ postings }) => postings),
    trailed: effects.flatMap(({ trailed }) => trailed),
  }
}

/** The published price of an instrument moves: no event tells of it, for quotes are the market's memory. */
export const applyQuote = ({ quotes }: Pick<State, 'quotes'>, quote: Quote): void =>
  void quotes.set(quote.instrumentId, quote)

/** Applies one event, to the state and to every index, and returns what it left behind. */
export function evolveEvent(core: Core, event: Event, at: number): Effects {
  switch (event.type) {
    case 'accountOpened':
      return openAccount(core.state, event, at)
    case 'orderPlaced':
      indexOrder(core, accountOf(core.state, event.accountId), orderFrom(event, null))
      return NO_EFFECTS
    case 'orderCancelled':
      endOrder(core, event)
      return NO_EFFECTS
    case 'stopsSet':
      setStops(core, event)
      return NO_EFFECTS
    case 'trailingMoved':
      return { postings: [], trailed: followPrice(core, event.tick) }
    case 'accountStatusSet':
      setStatus(core, event)
      return NO_EFFECTS
    case 'accountClosed':
      closeAccount(core.state, event)
      return NO_EFFECTS
    case 'pricesMarked':
    case 'rolledOver':
    case 'instrumentHalted':
    case 'tradingModeSet':
    case 'termsSet':
    case 'termsTookEffect':
    case 'termsWithdrawn':
      evolveMarket(core, event, at)
      return NO_EFFECTS
    default:
      // These change what an account is worth, or what it holds: its safe prices are worked out anew.
      core.touched.add(event.accountId)
      return { postings: evolveMoney(core, event, at), trailed: [] }
  }
}

type MarketEvent =
  PricesMarked | RolledOver | InstrumentHalted | TradingModeSet | TermsSet | TermsTookEffect | TermsWithdrawn

/** What concerns everybody. */
function evolveMarket(core: Core, event: MarketEvent, at: number): void {
  const { state } = core
  switch (event.type) {
    case 'pricesMarked':
      return markMoment(core, event)
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
      return setTerms(core, event, at)
    case 'termsTookEffect':
      return bringTermsIntoEffect(core, event.changeId)
    case 'termsWithdrawn':
      state.announced.delete(event.changeId)
  }
}

type AccountMoneyEvent =
  PositionOpened | PositionClosed | PositionReduced | SwapBooked | DemoReset | CaseEvent

function evolveMoney(core: Core, event: AccountMoneyEvent, at: number): readonly Posting[] {
  const { state } = core
  switch (event.type) {
    case 'positionOpened':
      openPosition(core, event, at)
      return postAll(state, event.transfers, at)
    case 'positionClosed':
      endOrder(core, event)
      return postAll(state, event.transfers, at)
    case 'positionReduced':
      reducePosition(core, event)
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
function markMoment({ state, sweep }: Core, { moment, prices, night }: PricesMarked): void {
  state.lastMark = Math.max(state.lastMark, moment)
  const known = state.nights.get(moment)
  if (known) {
    for (const tick of prices) known.prices.set(tick.instrumentId, tick)
    needSweep(sweep)
  } else if (night !== null) {
    state.lastNight = moment
    if (night.length === 0) return
    state.nights.set(moment, {
      rollover: moment,
      rates: new Map(night.map((rate) => [rate.instrumentId, rate])),
      prices: new Map(prices.map((tick) => [tick.instrumentId, tick])),
      terms: state.termsVersion,
    })
    needSweep(sweep)
  }
}

function setStatus({ state, sweep }: Core, { accountId, status, reason }: AccountStatusSet): void {
  Object.assign(accountOf(state, accountId), { status, statusReason: reason })
  if (status !== 'active') needSweep(sweep)
}

const closeAccount = (state: State, { accountId }: AccountClosed): void =>
  void Object.assign(accountOf(state, accountId), { status: 'closed', statusReason: '' })

/** Every trailing stop of the instrument that this price is better for moves up to its distance. */
function followPrice({ state, triggers }: Core, tick: ReceiptTick): TrailedStop[] {
  const trailed: TrailedStop[] = []
  for (const { orderId } of triggers.trailing(tick)) {
    const order = livingOrder(state, orderId)
    if (order.trailingDistance === null) continue
    const stopLoss = price(closingPrice(order.side, tick) - direction(order.side) * order.trailingDistance)
    order.stopLoss = stopLoss
    triggers.watch(order)
    trailed.push({ orderId, accountId: order.accountId, stopLoss })
  }
  return trailed
}

function openPosition(core: Core, event: PositionOpened, at: number): void {
  const account = accountOf(core.state, event.accountId)
  const pending = account.orders.get(event.orderId)
  if (pending) unindexOrder(core, account, pending)
  const openedSeq = event.receipt.tick?.seq ?? 0
  indexOrder(core, account, orderFrom(event, { openPrice: event.openPrice, openedAt: at, openedSeq }))
}

/** The rest keeps everything but the part's lots and margin. */
function reducePosition(core: Core, event: PositionReduced): void {
  const { state } = core
  const account = accountOf(state, event.accountId)
  const order = livingOrder(state, event.orderId)
  unindexOrder(core, account, order)
  order.lots = lots(order.lots - event.lots)
  order.margin = money(order.margin - event.margin)
  indexOrder(core, account, order)
  state.lastOrderId = Math.max(state.lastOrderId, event.partId)
}

function setHalt({ halts }: State, { instrumentId, reason }: InstrumentHalted): void {
  if (reason === null) halts.delete(instrumentId)
  else halts.set(instrumentId, reason)
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

function endOrder(core: Core, event: OrderCancelled | PositionClosed): void {
  const { state } = core
  unindexOrder(core, accountOf(state, event.accountId), livingOrder(state, event.orderId))
}

function livingOrder(state: State, orderId: number): Order {
  const order = state.orders.get(orderId)
  if (!order) throw new Error(`an event names order ${orderId}, which does not live`)
  return order
}

function setStops({ state, triggers }: Core, event: StopsSet): void {
  const order = livingOrder(state, event.orderId)
  order.takeProfit = event.takeProfit
  order.stopLoss = event.stopLoss
  order.trailingDistance = event.trailingDistance
  triggers.watch(order)
}

const postAll = (state: State, transfers: readonly Transfer[], at: number): Posting[] =>
  transfers.map((transfer) => post(state.ledger, transfer, at))

function accountOf(state: State, accountId: number): Account {
  const account = state.accounts.get(accountId)
  if (!account) throw new Error(`an event names account ${accountId}, which was never opened`)
  return account
}
