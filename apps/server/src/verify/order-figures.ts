import {
  availableOf,
  brokerAccountOf,
  closingPrice,
  costOf,
  direction,
  divideRounded,
  hasOrderKinds,
  isPosition,
  isStopPassed,
  isTargetReached,
  kindOnReceipt,
  midPrice,
  money,
  NO_MONEY,
  openingPrice,
  pendingKind,
  profitOf,
  ruleVersionOf,
  termsOf,
  transferBetween,
  type Account,
  type EndReason,
  type Event,
  type LedgerKind,
  type Money,
  type Order,
  type OrderKind,
  type OrderTerms,
  type PositionReduced,
  type Receipt,
  type ReceiptTrigger,
  type State,
  type Tick,
  type Transfer,
} from '@fairlot/core'
import type { ProvenEvent } from '../engine/projection/receipt-chain.ts'
import { filled, marketOf, NO_MARKET, unfilled, type Figure } from './figure.ts'
import { swapFigures } from './clock-figures.ts'
import { tickFigures } from './price-figures.ts'
type EventOf<Type> = Extract<ProvenEvent, { type: Type }>
/** Every figure of an event, recomputed from the tick that its receipt names and the state just before it. `at` is epoch ms. */
export function figuresBehind(state: State, event: ProvenEvent, at: number): Figure[] {
  const owner = state.orders.get(event.orderId)?.accountId ?? event.accountId
  return [
    ['account', event.accountId, owner],
    ...occasionFigures(state, event),
    ...tickFigures(state, event, at),
    ...amounts(state, event, at),
  ]
}

function amounts(state: State, event: ProvenEvent, at: number): Figure[] {
  const order = state.orders.get(event.orderId)
  switch (event.type) {
    case 'orderPlaced':
      return placed(state, event, at)
    case 'positionOpened':
      return [
        ...asPlaced(state, event, { pending: order, at }),
        ...opened(state, event),
        ...expectedTransfers(state, event),
      ]
    case 'orderCancelled':
      return [...cancelled(event, order), ...passedStop(event, order)]
    case 'positionClosed':
      return [...closed(state, event, order), ...expectedTransfers(state, event)]
    case 'positionReduced':
      return [...reduced(state, event, order), ...expectedTransfers(state, event)]
    case 'swapBooked':
      return [...swapFigures(state, event, at), ...expectedTransfers(state, event)]
  }
}

function placed(state: State, event: EventOf<'orderPlaced'>, at: number): Figure[] {
  const market = marketOf(state, event.instrumentId, event.receipt)
  const { side, targetPrice } = event
  if (!market || targetPrice === null) return NO_MARKET
  const cost = costOf(state.settings, market, { ...event, price: targetPrice })
  return [
    ...asNew(state, event, at),
    ['kind', event.kind, pendingKind(side, targetPrice, openingPrice(side, market.tick))],
    ['kind on the receipt', event.receipt.kind, kindOnReceipt(event.kind, state.rulesVersion).kind],
    ['accepted price', event.acceptedPrice, targetPrice],
    ['margin', event.margin, cost.margin],
    ['fee', event.fee, cost.fee],
    ...unfilled(event.receipt, targetPrice),
  ]
}

function opened(state: State, event: EventOf<'positionOpened'>): Figure[] {
  const market = marketOf(state, event.instrumentId, event.receipt)
  if (!market) return NO_MARKET
  const { side, receipt, targetPrice } = event
  const price = openingPrice(side, market.tick)
  const requested = targetPrice ?? price
  const cost = costOf(state.settings, market, { ...event, price })
  const slippage = direction(side) * (requested - price)
  return [
    ...reached(event.kind, slippage),
    ...stopsAtFill(state, event, market.tick),
    ['kind on the receipt', receipt.kind, kindOnReceipt(event.kind, state.rulesVersion).kind],
    ['open price', event.openPrice, price],
    ['requested price', receipt.requestedPrice, requested],
    ['accepted price', event.acceptedPrice, targetPrice ?? midPrice(market.tick)],
    ['margin', event.margin, cost.margin],
    ['fee', event.fee, cost.fee],
    ...filled(receipt, {
      side: side === 'buy' ? 'ask' : 'bid',
      price,
      slippage,
    }),
  ]
}

/** An order whose stop is already passed at its fill is not opened. */
function stopsAtFill(
  state: State,
  event: EventOf<'positionOpened'>,
  tick: Pick<Tick, 'bid' | 'ask'>,
): Figure[] {
  if (event.kind === 'market' || !hasOrderKinds(state)) return []
  const { side } = event
  const prices = { opening: openingPrice(side, tick), closing: closingPrice(side, tick) }
  return [['whether its stop was already passed', isStopPassed(event, prices), false]]
}

/** A pending order opens with the terms it was placed or last changed with; a market order was not there before. */
function asPlaced(
  state: State,
  event: EventOf<'positionOpened'>,
  { pending, at }: { pending: Order | undefined; at: number },
): Figure[] {
  if (event.kind === 'market') {
    const terms = { ...event, targetPrice: null, expiresAt: null }
    return [['status before', pending?.status, undefined], ...asNew(state, event, at), ['', event, terms]]
  }
  // A limit order whose price was there already fills at once.
  if (!pending && event.kind === 'limit' && event.receipt.trigger === 'user' && hasOrderKinds(state))
    return asNew(state, event, at)
  if (pending?.status !== 'pending') return [['status before', pending?.status, 'pending']]
  const { margin, fee } = event
  return [['', event, { ...event, ...termsOf(pending), margin, fee }]]
}

const asNew = (state: State, event: OrderTerms, at: number): Figure[] => [
  ['order id', event.orderId, state.lastOrderId + 1],
  ['created at', event.createdAt, at],
]

function cancelled({ reason, receipt }: EventOf<'orderCancelled'>, order: Order | undefined): Figure[] {
  return [
    ['status', order?.status, 'pending'],
    ...unfilled(receipt, reason === 'demoReset' ? null : order?.targetPrice),
  ]
}

/** An order ends for a passed stop only where its tick had reached the target and passed a stop. */
function passedStop(
  { reason, receipt: { tick } }: EventOf<'orderCancelled'>,
  order: Order | undefined,
): Figure[] {
  if (reason !== 'stopPassed') return []
  if (!tick || !order || order.kind === 'market' || order.targetPrice === null) return NO_MARKET
  const { side, kind, targetPrice } = order
  const prices = { opening: openingPrice(side, tick), closing: closingPrice(side, tick) }
  return [
    ['target reached', isTargetReached(kind, side, targetPrice, prices.opening), true],
    ['whether its stop was already passed', isStopPassed(order, prices), true],
  ]
}

/** A limit fills at its price or better, a stop at its price or worse. */
function reached(kind: OrderKind | EndReason, slippage: number): Figure[] {
  if (kind === 'limit' || kind === 'takeProfit') return [['price reached', slippage >= 0, true]]
  if (kind === 'stop' || kind === 'stopLoss') return [['price reached', slippage <= 0, true]]
  return []
}

function closed(state: State, event: EventOf<'positionClosed'>, order: Order | undefined): Figure[] {
  if (!order || !isPosition(order)) return [['status', order?.status, 'holding']]
  if (event.reason === 'demoReset')
    return [
      ['close price', event.closePrice, null],
      ['profit', event.profit, 0n],
      ...unfilled(event.receipt, null),
    ]
  return [...closing(state, event, order), ...profit(state, event, order)]
}

/** The price of a close, and the price requested. */
function closing(state: State, event: EventOf<'positionClosed' | 'positionReduced'>, order: Order): Figure[] {
  const market = marketOf(state, order.instrumentId, event.receipt)
  if (!market) return NO_MARKET
  const price = closingPrice(order.side, market.tick)
  const { reason, receipt } = event
  const requested = reason === 'takeProfit' || reason === 'stopLoss' ? order[reason] : price
  const slippage = direction(order.side) * (price - (requested ?? price))
  return [
    ...reached(reason, slippage),
    ['close price', event.closePrice, price],
    ['requested price', receipt.requestedPrice, requested ?? 'that of a stop'],
    ...filled(receipt, {
      side: order.side === 'buy' ? 'bid' : 'ask',
      price,
      slippage,
    }),
  ]
}

function profit(state: State, event: EventOf<'positionClosed' | 'positionReduced'>, order: Order): Figure[] {
  const market = marketOf(state, order.instrumentId, event.receipt)
  if (!market || !isPosition(order) || event.closePrice === null) return NO_MARKET
  const { instrument, conversion } = market
  return [['profit', event.profit, profitOf(instrument, order, event.closePrice, conversion.rate)]]
}

function reduced(state: State, event: PositionReduced, order: Order | undefined): Figure[] {
  if (!order || !isPosition(order)) return [['status', order?.status, 'holding']]
  const { lots } = event
  const { openPrice, openedAt } = order
  const margin = money(divideRounded(order.margin * BigInt(lots), BigInt(order.lots)))
  return [
    ['part id', event.partId, state.lastOrderId + 1],
    ['position', event.position, { ...termsOf(order), openPrice, openedAt }],
    ['margin', event.margin, margin],
    ...closing(state, event, order),
    ...profit(state, event, { ...order, lots, margin }),
  ]
}

/** A receipt's action, its trigger, and the rules it was decided by. */
const ACTIONS: Readonly<Record<ProvenEvent['type'], Receipt['action']>> = {
  orderPlaced: 'place',
  positionOpened: 'open',
  orderCancelled: 'cancel',
  positionClosed: 'close',
  positionReduced: 'close',
  swapBooked: 'finance',
}

type Triggers = Partial<Record<EndReason, ReceiptTrigger>>

/** The trigger for each reason that cancels a pending order. */
const CANCELLED_BY: Triggers = {
  cancelledByUser: 'user',
  demoReset: 'user',
  expired: 'expiry',
  notEnoughAtTrigger: 'target',
  stopPassed: 'target',
  stopOut: 'stopOut',
  withdrawnByOperator: 'operator',
}

/** The trigger for each reason that closes a position. */
const CLOSED_BY: Triggers = {
  user: 'user',
  demoReset: 'user',
  takeProfit: 'takeProfit',
  stopLoss: 'stopLoss',
  stopOut: 'stopOut',
  operator: 'operator',
  providerClosed: 'copy',
  copyEnded: 'copy',
}

/** Only the user closes a part, of a copied position its provider. */
const REDUCED_BY: Triggers = { user: 'user', providerClosed: 'copy' }

/** Receipts of the first rules name no version of terms. */
const FIRST_RULES = 1

const occasionFigures = (state: State, event: ProvenEvent): Figure[] => [
  ['action', event.receipt.action, ACTIONS[event.type]],
  ['trigger', event.receipt.trigger, triggerOf(state, event)],
  ...termsFigures(state, event),
]

/** Events are decided by the current terms; a swap by those of its rollover, which `swapFigures` compares. */
function termsFigures({ termsVersion }: State, { type, receipt }: ProvenEvent): Figure[] {
  if (receipt.ruleVersion === FIRST_RULES) return [['terms', receipt.terms, 0]]
  return type === 'swapBooked' ? [] : [['terms', receipt.terms, termsVersion]]
}

/** An entry is decided by the rules in force; entries of the first version by their own. */
export const rulesFigures = (
  { rulesVersion }: Pick<State, 'rulesVersion'>,
  event: ProvenEvent,
  isFirstVersion: boolean,
): Figure[] => [
  ['rule version', event.receipt.ruleVersion, isFirstVersion ? FIRST_RULES : ruleVersionOf(rulesVersion)],
]

/** No trigger where the event cannot end an order for its reason. */
function triggerOf({ orders }: State, event: ProvenEvent): ReceiptTrigger | undefined {
  switch (event.type) {
    case 'orderPlaced':
      return 'user'
    case 'positionOpened':
      if (event.copied) return 'copy'
      return orders.has(event.orderId) ? 'target' : 'user'
    case 'orderCancelled':
      return CANCELLED_BY[event.reason]
    case 'positionClosed':
      return CLOSED_BY[event.reason]
    case 'positionReduced':
      return REDUCED_BY[event.reason]
    case 'swapBooked':
      return 'rollover'
  }
}

type Booked = Extract<Event, { receipt: unknown; transfers: unknown }>

/** The transfers of an event are exactly those that its figures require. */
function expectedTransfers(state: State, event: Booked): Figure[] {
  const account = state.accounts.get(event.accountId)
  if (!account) return [['account', null, event.accountId]]
  return [['transfers', event.transfers, transfersOf(account, event)]]
}

function transfersOf(account: Account, event: Booked): Transfer[] {
  switch (event.type) {
    case 'positionOpened':
      return booked(account, 'fees', money(-event.fee), { kind: 'fee', orderId: event.orderId })
    case 'swapBooked':
      return booked(account, 'swap', event.amount, { kind: 'swap', orderId: event.orderId })
    case 'positionReduced':
      return booked(account, 'trading', event.profit, { kind: 'result', orderId: event.partId })
    case 'positionClosed':
      return closingTransfers(account, event)
  }
}

const booked = (
  account: Account,
  broker: 'fees' | 'swap' | 'trading' | 'protection',
  amount: Money,
  reason: Pick<Transfer, 'kind' | 'orderId'>,
): Transfer[] =>
  transferBetween(availableOf(account.id), brokerAccountOf(account.ledger, broker), amount, reason)

/** A demo account starts with the configured balance, a real one with zero; ids count up. */
export function issueFigures(state: State, event: Extract<Event, { type: 'accountOpened' }>): Figure[] {
  const { accountId, ledger, transfers } = event
  const start = ledger === 'demo' ? state.settings.demoBalance : NO_MONEY
  return [
    ['account', accountId, state.lastAccountId + 1],
    ['transfers', transfers, issued(accountId, ledger, start, 'demoIssue')],
  ]
}

/** A demo reset restores the starting balance, or sets the one that the user chose, once no order is open. */
export function resetFigures(state: State, event: Extract<Event, { type: 'demoReset' }>): Figure[] {
  const { accountId, transfers, start } = event
  const account = state.accounts.get(accountId)
  if (!account) return [['account', null, accountId]]
  const { ledger, available, orders } = account
  const difference = money((start ?? state.settings.demoBalance) - available.balance)
  return [
    ['ledger', ledger, 'demo'],
    ['active orders', orders.size, 0],
    ['whether its balance is above zero', start === undefined || start > 0n, true],
    ['transfers', transfers, issued(accountId, ledger, difference, 'demoReset')],
  ]
}

const issued = (
  accountId: number,
  ledger: LedgerKind,
  amount: Money,
  kind: 'demoIssue' | 'demoReset',
): Transfer[] =>
  transferBetween(availableOf(accountId), brokerAccountOf(ledger, 'demoIssue'), amount, {
    kind,
    orderId: null,
  })

/** The result, and negative balance protection for an account without other positions. A demo reset books nothing here. */
function closingTransfers(
  account: Account,
  { orderId, profit, reason }: Extract<Event, { type: 'positionClosed' }>,
): Transfer[] {
  if (reason === 'demoReset') return []
  const result = booked(account, 'trading', profit, { kind: 'result', orderId })
  const others = [...account.orders.values()].filter(
    (order) => order.status === 'holding' && order.id !== orderId,
  )
  const balance = account.available.balance + profit
  if (others.length > 0 || balance >= 0n) return result
  return [...result, ...booked(account, 'protection', money(-balance), { kind: 'protection', orderId })]
}
