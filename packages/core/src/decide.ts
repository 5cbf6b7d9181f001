import { figuresOf } from './account.ts'
import type { CancelOrder, ClosePosition, Command, OpenAccount, PlaceOrder, ResetDemo } from './command.ts'
import { conversionOf } from './account.ts'
import { checkOrder, freshQuote, type Market } from './decide-order.ts'
import { closedEvent, costOf, openedEvent } from './decide-fill.ts'
import { decideStops } from './decide-stops.ts'
import type { Event, OrderTerms, PositionClosed } from './event.ts'
import { availableOf, houseOf, transferBetween } from './ledger.ts'
import { money, NO_MONEY, type Price } from './number.ts'
import { pendingKind, type Order } from './order.ts'
import { closingPrice, midPrice, openingPrice } from './quote.ts'
import { quietReceipt } from './receipt.ts'
import { isRejection, reject, type Rejection } from './rejection.ts'
import type { Account, State } from './state.ts'

export type Decision = Event[] | Rejection

/**
 * What a command leads to: the events that follow, or why it is refused. Reads the state and changes nothing. Ticks and
 * the clock decide through their triggers; see transact.ts.
 */
export function decide(state: State, command: Exclude<Command, { type: 'tick' | 'clock' }>): Decision {
  if (command.type === 'openAccount') return decideOpenAccount(state, command)
  const account = state.accounts.get(command.accountId)
  if (!account) return reject('accountNotFound')
  switch (command.type) {
    case 'placeOrder':
      return decidePlace(state, command, account)
    case 'resetDemo':
      return decideReset(state, command, account)
    case 'closePosition':
    case 'cancelOrder':
    case 'setStops':
      return decideOnOrder(state, command, account)
  }
}

function decideOpenAccount(state: State, { ledger }: OpenAccount): Decision {
  const accountId = state.lastAccountId + 1
  const start = ledger === 'demo' ? state.settings.demoBalance : NO_MONEY
  const transfers = transferBetween(availableOf(accountId), houseOf(ledger, 'demoIssue'), start, {
    kind: 'demoIssue',
    orderId: null,
  })
  return [{ type: 'accountOpened', accountId, ledger, transfers }]
}

function decidePlace(state: State, command: PlaceOrder, account: Account): Decision {
  const market = checkOrder(state, command)
  if (isRejection(market)) return market
  const requestedPrice = command.targetPrice ?? openingPrice(command.side, market.quote)
  const cost = costOf(state, market, { ...command, price: requestedPrice })
  const { free } = figuresOf(state, account)
  if (cost.margin + cost.fee > free) return reject('notEnoughPrepayment', { ...cost, free })
  const terms = termsOf(state, command, market, cost)
  if (command.targetPrice === null) {
    return [openedEvent(account, terms, { market, trigger: 'user', requestedPrice, at: command.at })]
  }
  const about = { quote: market.quote, requestedPrice, at: command.at }
  return [{ ...terms, type: 'orderPlaced', receipt: quietReceipt('place', 'user', about) }]
}

function termsOf(
  state: State,
  command: PlaceOrder,
  { quote }: Market,
  cost: Pick<OrderTerms, 'margin' | 'fee'>,
): OrderTerms {
  const { targetPrice } = command
  return {
    orderId: state.lastOrderId + 1,
    accountId: command.accountId,
    instrumentId: command.instrumentId,
    side: command.side,
    kind:
      targetPrice === null
        ? 'market'
        : pendingKind(command.side, targetPrice, openingPrice(command.side, quote)),
    lots: command.lots,
    leverage: command.leverage,
    targetPrice,
    acceptedPrice: targetPrice ?? midPrice(quote),
    takeProfit: command.takeProfit,
    stopLoss: command.stopLoss,
    expiresAt: command.expiresAt,
    createdAt: command.at,
    ...cost,
  }
}

type OrderCommand = Extract<Command, { orderId: number }>

/** Somebody else's order is answered as if it did not exist; a finished one says so. */
function decideOnOrder(state: State, command: OrderCommand, account: Account): Decision {
  const order = account.orders.get(command.orderId)
  if (!order) return reject('orderNotFound', { orderId: command.orderId })
  switch (command.type) {
    case 'closePosition':
      return decideClose(state, command, account, order)
    case 'cancelOrder':
      return decideCancel(state, command, order)
    case 'setStops':
      return decideStops(state, command, order)
  }
}

/** A user's own close uses the last conversion rate, however old; the receipt names its tick. */
function decideClose(state: State, { at }: ClosePosition, account: Account, order: Order): Decision {
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  if (!isHolding(order)) return reject('orderNotHolding', { orderId: order.id })
  if (!state.isOpen(instrument, at)) return reject('marketClosed', { instrument: instrument.code })
  const quote = freshQuote(state, instrument, at)
  const conversion = conversionOf(state, instrument)
  if (!quote || !conversion) return reject('stalePrice', { instrument: instrument.code })
  const requestedPrice = closingPrice(order.side, quote)
  return [
    closedEvent(account, order, {
      instrument,
      quote,
      conversion,
      reason: 'user',
      trigger: 'user',
      requestedPrice,
      at,
    }),
  ]
}

function decideCancel(state: State, { at }: CancelOrder, order: Order): Decision {
  if (order.status !== 'pending') return reject('orderNotPending', { orderId: order.id })
  const about = { quote: state.quotes.get(order.instrumentId), requestedPrice: order.targetPrice, at }
  const receipt = quietReceipt('cancel', 'user', about)
  return [
    {
      type: 'orderCancelled',
      orderId: order.id,
      accountId: order.accountId,
      reason: 'cancelledByUser',
      receipt,
    },
  ]
}

/** Everything ends without a fill, and one transfer restores the starting balance (trading-rules §2). */
function decideReset(state: State, { at }: ResetDemo, account: Account): Decision {
  if (account.ledger !== 'demo') return reject('demoOnly')
  // By id: the order in memory is another one after a restart.
  const orders = [...account.orders.values()].toSorted((a, b) => a.id - b.id)
  const ended = orders.map((order) => resetEnd(state, order, at))
  const difference = money(state.settings.demoBalance - account.available.balance)
  const transfers = transferBetween(availableOf(account.id), houseOf('demo', 'demoIssue'), difference, {
    kind: 'demoReset',
    orderId: null,
  })
  return [...ended, { type: 'moneyMoved', accountId: account.id, transfers }]
}

function resetEnd(state: State, order: Order, at: number): Event {
  const about = { quote: state.quotes.get(order.instrumentId), requestedPrice: null, at }
  const ended = { orderId: order.id, accountId: order.accountId, reason: 'demoReset' as const }
  return order.status === 'pending'
    ? { ...ended, type: 'orderCancelled', receipt: quietReceipt('cancel', 'user', about) }
    : {
        ...ended,
        type: 'positionClosed',
        closePrice: null,
        profit: NO_MONEY,
        receipt: quietReceipt('close', 'user', about),
        transfers: [] satisfies PositionClosed['transfers'],
      }
}

export const isHolding = (order: Order): order is Order & { openPrice: Price } =>
  order.status === 'holding' && order.openPrice !== null
