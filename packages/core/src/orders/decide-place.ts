/** Placing an order: a market order fills at once, another waits for its price and reserves what it will need. */
import { figuresOf } from '../margin/account-figures.ts'
import type { PlaceOrder } from '../command.ts'
import { costOf, openedEvent } from './decide-fill.ts'
import { checkOrder, type Market } from './order-validation.ts'
import type { Event, OrderTerms } from '../event.ts'
import { isBookable } from '../money/booking-range.ts'
import type { Money } from '../money/number.ts'
import { pendingKind } from './order.ts'
import { midPrice, openingPrice } from '../market/quote.ts'
import { quietReceipt } from '../receipt.ts'
import { isRejection, reject, type Rejection } from '../rejection.ts'
import type { DecisionContext } from '../core.ts'
import type { Account, State } from '../state.ts'

/** `free` is what the order may cost, `living` how many orders live beside it; they need not be those of now. */
export function decidePlace(
  context: DecisionContext,
  command: PlaceOrder,
  account: Account,
  { free, living }: { free: Money; living: number } = {
    free: figuresOf(context.state, account).free,
    living: account.orders.size,
  },
): Event[] | Rejection {
  const { state } = context
  const most = state.settings.maxLivingOrders
  if (living >= most) return reject('tooManyOrders', { most })
  const market = checkOrder(context, command, account)
  if (isRejection(market)) return market
  const requestedPrice = command.targetPrice ?? openingPrice(command.side, market.quote)
  const cost = costOf(state.settings, market, { ...command, price: requestedPrice })
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
  { lastOrderId }: Pick<State, 'lastOrderId'>,
  command: PlaceOrder,
  { quote }: Market,
  cost: Pick<OrderTerms, 'margin' | 'fee'>,
): OrderTerms {
  const { targetPrice } = command
  return {
    orderId: lastOrderId + 1,
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
