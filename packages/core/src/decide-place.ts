/** Placing an order: a market order fills at once, another waits for its price and reserves what it will need. */
import { figuresOf } from './account.ts'
import type { PlaceOrder } from './command.ts'
import { costOf, openedEvent } from './decide-fill.ts'
import { checkOrder, type Market } from './decide-order.ts'
import type { Event, OrderTerms } from './event.ts'
import { isBookable } from './money-range.ts'
import type { Money } from './number.ts'
import { pendingKind } from './order.ts'
import { midPrice, openingPrice } from './quote.ts'
import { quietReceipt } from './receipt.ts'
import { isRejection, reject, type Rejection } from './rejection.ts'
import type { Account, State } from './state.ts'

/** `free` is what the order may cost, `living` how many orders live beside it; they need not be those of now. */
export function decidePlace(
  state: State,
  command: PlaceOrder,
  account: Account,
  { free, living }: { free: Money; living: number } = {
    free: figuresOf(state, account).free,
    living: account.orders.size,
  },
): Event[] | Rejection {
  const most = state.settings.maxLivingOrders
  if (living >= most) return reject('tooManyOrders', { most })
  const market = checkOrder(state, command, account)
  if (isRejection(market)) return market
  const requestedPrice = command.targetPrice ?? openingPrice(command.side, market.quote)
  const cost = costOf(state, market, { ...command, price: requestedPrice })
  if (!isBookable(cost.margin) || !isBookable(cost.fee)) return reject('amountOutOfRange')
  if (cost.margin + cost.fee > free) return reject('notEnoughPrepayment', { ...cost, free })
  const terms = termsOf(state, command, market, cost)
  if (command.targetPrice === null) {
    return [openedEvent(account, terms, { market, trigger: 'user', requestedPrice, at: command.at })]
  }
  const about = {
    quote: market.quote,
    conversion: market.conversion,
    requestedPrice,
    at: command.at,
    terms: market.terms,
  }
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
