/** Requested closes: a user's own, of a position or a part of it, and an operator's. */
import { conversionOf } from '../margin/account-figures.ts'
import type { CloseByOperator, ClosePosition } from '../model/command.ts'
import { closedEvent, reducedEvent } from './fill.ts'
import { checkPart } from './order-rules.ts'
import { freshQuote, tradingRejection, type Market } from './tradable-market.ts'
import type { Event } from '../model/event.ts'
import type { Instrument } from '../model/instrument.ts'
import { isPosition, type EndReason, type Order } from '../model/order.ts'
import { closingPrice } from '../model/quote.ts'
import { isRejection, reject, type Rejection } from '../model/rejection.ts'
import { hasSingleOperatorLimits } from '../model/rules.ts'
import { isConfirmed } from '../model/author.ts'
import { CLOSE_GROUNDS, type CloseGround } from '../model/receipt.ts'
import type { DecisionContext } from '../state/running-core.ts'
import type { Account } from '../state/state.ts'

/** Closes at the market; a part equal to the whole size closes the position. */
export function decideClose(
  context: DecisionContext,
  command: Pick<ClosePosition, 'lots' | 'at'>,
  account: Account,
  order: Order,
  reason: Extract<EndReason, 'user' | 'operator'> = 'user',
): Event[] | Rejection {
  const { state } = context
  if (!isPosition(order)) return reject('orderNotHolding', { orderId: order.id })
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const requested = command.lots ?? null
  const part = requested === order.lots ? null : requested
  const market =
    (part === null ? null : checkPart(instrument, order.lots, part)) ??
    closingMarket(context, instrument, command.at)
  if (isRejection(market)) return market
  const fill = {
    ...market,
    reason,
    trigger: reason,
    requestedPrice: closingPrice(order.side, market.quote),
    at: command.at,
  }
  return part === null
    ? [closedEvent(account, order, fill)]
    : [reducedEvent(state, account, order, { ...fill, lots: part })]
}

/**
 * A close by an operator has the price and the market checks of the owner's. It needs two operators and one of the
 * published grounds, which the receipt names.
 */
export function decideCloseByOperator(
  context: DecisionContext,
  { orderId, at, by, ground }: CloseByOperator,
  account: Account,
): Event[] | Rejection {
  if (hasSingleOperatorLimits(context.state)) {
    if (!isConfirmed(by)) return reject('secondOperatorNeeded')
    if (!ground || !CLOSE_GROUNDS.includes(ground)) return reject('groundNeeded')
  }
  const order = account.orders.get(orderId)
  if (!order) return reject('orderNotFound', { orderId })
  const decided = decideClose(context, { at }, account, order, 'operator')
  return isRejection(decided) || !ground ? decided : decided.map((event) => withGround(event, ground))
}

const withGround = (event: Event, ground: CloseGround): Event =>
  event.type === 'positionClosed' ? { ...event, receipt: { ...event.receipt, ground } } : event

/** A close uses the last conversion rate, however old; the receipt names its tick. */
export function closingMarket(
  context: DecisionContext,
  instrument: Instrument,
  at: number,
): Market | Rejection {
  const { state } = context
  const barred = tradingRejection(context, instrument, at, 'closing')
  if (barred) return barred
  const quote = freshQuote(state, instrument, at)
  const conversion = conversionOf(state, instrument)
  return quote && conversion
    ? { instrument, quote, conversion, terms: state.termsVersion, rules: state.rulesVersion }
    : reject('stalePrice', { instrument: instrument.code })
}
