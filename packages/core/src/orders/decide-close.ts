/** Closes that somebody asks for: a user's own, of a position or a part of it, and an operator's. */
import { conversionOf } from '../margin/account-figures.ts'
import type { CloseByOperator, ClosePosition } from '../command.ts'
import { closedEvent, reducedEvent } from './decide-fill.ts'
import { checkPart } from './order-rules.ts'
import { freshQuote, tradingRejection, type Market } from './order-validation.ts'
import type { Event } from '../event.ts'
import type { Instrument } from '../terms/instrument.ts'
import { isHolding, type EndReason, type Order } from './order.ts'
import { closingPrice } from '../market/quote.ts'
import { isRejection, reject, type Rejection } from '../rejection.ts'
import type { DecisionContext } from '../core.ts'
import type { Account } from '../state.ts'

/** Closes at the market; all that is left of a position closes it, however it is asked for. */
export function decideClose(
  context: DecisionContext,
  command: Pick<ClosePosition, 'lots' | 'at'>,
  account: Account,
  order: Order,
  reason: Extract<EndReason, 'user' | 'operator'> = 'user',
): Event[] | Rejection {
  const { state } = context
  if (!isHolding(order)) return reject('orderNotHolding', { orderId: order.id })
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const asked = command.lots ?? null
  const part = asked === order.lots ? null : asked
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

/** An operator's close is the owner's in all but its name: the same price, the same checks of the market. */
export function decideCloseByOperator(
  context: DecisionContext,
  { orderId, at }: CloseByOperator,
  account: Account,
): Event[] | Rejection {
  const order = account.orders.get(orderId)
  return order
    ? decideClose(context, { at }, account, order, 'operator')
    : reject('orderNotFound', { orderId })
}

/** Such a close uses the last conversion rate, however old; the receipt names its tick. */
function closingMarket(context: DecisionContext, instrument: Instrument, at: number): Market | Rejection {
  const { state } = context
  const barred = tradingRejection(context, instrument, at)
  if (barred) return barred
  const quote = freshQuote(state, instrument, at)
  const conversion = conversionOf(state, instrument)
  return quote && conversion
    ? { instrument, quote, conversion, terms: state.termsVersion }
    : reject('stalePrice', { instrument: instrument.code })
}
