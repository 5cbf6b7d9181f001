/**
 * Placing an order: a market order fills at once, and so does one meant as a limit whose price is there already; a
 * pending order reserves margin and fee and waits for its price.
 */
import type { PlaceOrder } from '../model/command.ts'
import { figuresOf, isPriced } from '../margin/account-figures.ts'
import type { Instrument } from '../model/instrument.ts'
import { isRejection, reject, type Rejection } from '../model/rejection.ts'
import { closingPrice, midPrice, openingPrice, type Quote } from '../model/quote.ts'
import type { Account, State } from '../state/state.ts'
import type { DecisionContext } from '../state/running-core.ts'
import {
  checkExpiry,
  checkLots,
  checkOpening,
  checkStopPrices,
  checkStops,
  stopsReference,
} from './order-rules.ts'
import { type Market, tradableMarket } from './tradable-market.ts'
import { costOf, openedEvent } from './fill.ts'
import type { Event, OrderTerms } from '../model/event.ts'
import { isBookable } from '../money/booking-range.ts'
import type { Money } from '../model/number.ts'
import { isTargetReached, pendingKind } from '../model/order.ts'
import { kindOnReceipt, quietReceipt } from '../model/receipt.ts'

/** The market that fills an order, or the first failing check, in the order of `REJECTION_CODES`. */
function checkOrder(context: DecisionContext, command: PlaceOrder, account: Account): Market | Rejection {
  const { state } = context
  const instrument = state.instruments.get(command.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const refused = checkTerms(instrument, command) ?? checkPrices(instrument, command) ?? checkEnd(command)
  if (refused) return refused
  const market = tradableMarket(context, instrument, command.at, 'opening')
  if (isRejection(market)) return market
  // What fills at once has a price only now; its remaining checks follow.
  const opening = fillsNow(command, market.quote)
    ? openingPrice(command.side, market.quote)
    : (command.targetPrice ?? openingPrice(command.side, market.quote))
  return (
    checkOpening(instrument, opening) ??
    // The free margin is unknown while a position has never had a price.
    (isPriced(state, account) ? null : reject('stalePrice', { instrument: instrument.code })) ??
    checkKind(instrument, command, market.quote) ??
    checkStops(
      instrument,
      command,
      fillsNow(command, market.quote)
        ? closingPrice(command.side, market.quote)
        : stopsReference(command, market.quote),
    ) ??
    market
  )
}

/** A market order, and a limit order whose price is there already. */
const fillsNow = ({ side, targetPrice, kind }: PlaceOrder, quote: Quote): boolean =>
  targetPrice === null ||
  (kind === 'limit' && isTargetReached('limit', side, targetPrice, openingPrice(side, quote)))

/** A stop order that is already passed would fill at once, which nobody meant; the rejection names the price. */
function checkKind(
  { priceDecimals }: Instrument,
  { side, targetPrice, kind }: PlaceOrder,
  quote: Quote,
): Rejection | null {
  const opening = openingPrice(side, quote)
  if (targetPrice === null || kind !== 'stop' || !isTargetReached('stop', side, targetPrice, opening))
    return null
  return reject('targetPassed', { price: targetPrice, reference: opening, priceDecimals, side })
}

function checkTerms(instrument: Instrument, command: PlaceOrder): Rejection | null {
  if (!instrument.isEnabled) return reject('instrumentDisabled')
  if (instrument.leverages.length === 0) return reject('noLeverage')
  if (!instrument.leverages.includes(command.leverage)) {
    return reject('leverageNotOffered', {
      leverage: command.leverage,
      offered: instrument.leverages.join(', '),
    })
  }
  return checkLots(instrument, command.lots)
}

/** The requested price and the stops; a market order has no price yet. */
const checkPrices = (instrument: Instrument, command: PlaceOrder): Rejection | null =>
  (command.targetPrice === null ? null : checkOpening(instrument, command.targetPrice)) ??
  checkStopPrices(instrument, command)

/** Only a pending order can expire. */
const checkEnd = ({ expiresAt, targetPrice, at }: PlaceOrder): Rejection | null =>
  expiresAt !== null && targetPrice === null
    ? reject('expiryInPast', { expiresAt })
    : checkExpiry(expiresAt, at)

/**
 * `free` is the margin available for the order, `active` the number of other active orders; they need not be the
 * current ones.
 */
export function decidePlace(
  context: DecisionContext,
  command: PlaceOrder,
  account: Account,
  { free, active }: { free: Money; active: number } = {
    free: figuresOf(context.state, account).free,
    active: account.orders.size,
  },
): Event[] | Rejection {
  const { state } = context
  const most = state.settings.maxLivingOrders
  if (active >= most) return reject('tooManyOrders', { most })
  const market = checkOrder(context, command, account)
  if (isRejection(market)) return market
  const isFilled = fillsNow(command, market.quote)
  const opening = openingPrice(command.side, market.quote)
  const requestedPrice = command.targetPrice ?? opening
  const cost = costOf(state.settings, market, { ...command, price: isFilled ? opening : requestedPrice })
  if (!isBookable(cost.margin) || !isBookable(cost.fee)) return reject('amountOutOfRange')
  if (cost.margin + cost.fee > free) return reject('notEnoughPrepayment', { ...cost, free })
  const terms = termsOf(state, command, market, cost)
  if (isFilled) {
    return [openedEvent(account, terms, { market, trigger: 'user', requestedPrice, at: command.at })]
  }
  const about = {
    quote: market.quote,
    conversion: market.conversion,
    requestedPrice,
    at: command.at,
    terms: market.terms,
    rules: market.rules,
  }
  const receipt = { ...quietReceipt('place', 'user', about), ...kindOnReceipt(terms.kind, market.rules) }
  return [{ ...terms, type: 'orderPlaced', receipt }]
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
        : (command.kind ?? pendingKind(command.side, targetPrice, openingPrice(command.side, quote))),
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
