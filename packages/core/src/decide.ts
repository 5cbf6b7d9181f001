import { conversionOf, figuresOf, isPriced } from './account.ts'
import type {
  CancelOrder,
  ClosePosition,
  Command,
  HaltInstrument,
  OpenAccount,
  PlaceOrder,
  ResetDemo,
} from './command.ts'
import { checkLots, checkOrder, freshQuote, tradingBar, type Market } from './decide-order.ts'
import { closedEvent, costOf, openedEvent, reducedEvent } from './decide-fill.ts'
import { decideStops, decideTrailing } from './decide-stops.ts'
import type { Event, OrderTerms, PositionClosed } from './event.ts'
import { availableOf, houseOf, transferBetween } from './ledger.ts'
import type { Instrument } from './instrument.ts'
import { lots, money, NO_MONEY, type Lots, type Money } from './number.ts'
import { isHolding, pendingKind, type Order } from './order.ts'
import { closingPrice, midPrice, openingPrice } from './quote.ts'
import { quietReceipt } from './receipt.ts'
import { isRejection, reject, type Rejection } from './rejection.ts'
import type { Account, State } from './state.ts'

export type Decision = Event[] | Rejection

/** Commands that are decided in one go; the others take several decisions, each on what the one before left behind. */
export type SingleCommand = Exclude<Command, { type: 'tick' | 'clock' | 'closeAll' | 'reversePosition' }>

/**
 * What a command leads to: the events that follow, or why it is refused. Reads the state and changes nothing. Ticks and
 * the clock decide through their triggers; see transact.ts.
 */
export function decide(state: State, command: SingleCommand): Decision {
  if (command.type === 'openAccount') return decideOpenAccount(state, command)
  if (command.type === 'haltInstrument') return decideHalt(state, command)
  if (command.type === 'setTradingMode') return [{ type: 'tradingModeSet', mode: command.mode }]
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
    case 'setTrailing':
      return decideOnOrder(state, command, account)
  }
}

function decideHalt(state: State, { instrumentId, reason }: HaltInstrument): Decision {
  if (!state.instruments.has(instrumentId)) return reject('unknownInstrument')
  return [{ type: 'instrumentHalted', instrumentId, reason }]
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

export function decidePlace(
  state: State,
  command: PlaceOrder,
  account: Account,
  look: { free: Money } = figuresOf(state, account),
): Decision {
  const market = checkOrder(state, command)
  if (isRejection(market)) return market
  if (!isPriced(state, account)) return reject('stalePrice', { instrument: market.instrument.code })
  const requestedPrice = command.targetPrice ?? openingPrice(command.side, market.quote)
  const cost = costOf(state, market, { ...command, price: requestedPrice })
  const { free } = look
  if (cost.margin + cost.fee > free) return reject('notEnoughPrepayment', { ...cost, free })
  const terms = termsOf(state, command, market, cost)
  if (command.targetPrice === null) {
    return [openedEvent(account, terms, { market, trigger: 'user', requestedPrice, at: command.at })]
  }
  const about = { quote: market.quote, conversion: market.conversion, requestedPrice, at: command.at }
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

type OrderCommand = Extract<SingleCommand, { orderId: number }>

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
    case 'setTrailing':
      return decideTrailing(state, command, order)
  }
}

/** Closes a position, or a part of it, at the market. */
export function decideClose(state: State, command: CloseTerms, account: Account, order: Order): Decision {
  if (!isHolding(order)) return reject('orderNotHolding', { orderId: order.id })
  const part = command.lots ?? null
  const market = closingMarket(state, order, command.at)
  if (isRejection(market)) return market
  const refused = part === null || part === order.lots ? null : checkPart(market.instrument, order, part)
  if (refused) return refused
  const fill = {
    ...market,
    reason: 'user' as const,
    trigger: 'user' as const,
    requestedPrice: closingPrice(order.side, market.quote),
    at: command.at,
  }
  return part === null || part === order.lots
    ? [closedEvent(account, order, fill)]
    : [reducedEvent(state, account, order, { ...fill, lots: part })]
}

type CloseTerms = Pick<ClosePosition, 'lots' | 'at'>

/** A user's own close uses the last conversion rate, however old; the receipt names its tick. */
function closingMarket(state: State, order: Order, at: number): Market | Rejection {
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const barred = tradingBar(state, instrument, at)
  if (barred) return barred
  const quote = freshQuote(state, instrument, at)
  const conversion = conversionOf(state, instrument)
  return quote && conversion
    ? { instrument, quote, conversion }
    : reject('stalePrice', { instrument: instrument.code })
}

/** The part and the rest are each an order of a size that could have been placed. */
function checkPart(instrument: Instrument, order: Order, part: Lots): Rejection | null {
  const rest = lots(order.lots - part)
  const refused = checkLots(instrument, { lots: part })
  if (refused) return refused
  return rest < instrument.lotMin
    ? reject('remainderTooSmall', { lots: part, maximum: lots(order.lots - instrument.lotMin) })
    : null
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
