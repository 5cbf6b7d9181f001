/** A user's own close, of a position or a part of it. */
import { conversionOf } from './account.ts'
import type { ClosePosition } from './command.ts'
import { closedEvent, reducedEvent } from './decide-fill.ts'
import { checkLots, freshQuote, tradingBar, type Market } from './decide-order.ts'
import type { Event } from './event.ts'
import type { Instrument } from './instrument.ts'
import { lots, type Lots } from './number.ts'
import { isHolding, type Order } from './order.ts'
import { closingPrice } from './quote.ts'
import { isRejection, reject, type Rejection } from './rejection.ts'
import type { Account, State } from './state.ts'

/** Closes at the market; all that is left of a position closes it, however it is asked for. */
export function decideClose(
  state: State,
  command: Pick<ClosePosition, 'lots' | 'at'>,
  account: Account,
  order: Order,
): Event[] | Rejection {
  if (!isHolding(order)) return reject('orderNotHolding', { orderId: order.id })
  const instrument = state.instruments.get(order.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const asked = command.lots ?? null
  const part = asked === order.lots ? null : asked
  const market =
    (part === null ? null : checkPart(instrument, order, part)) ??
    closingMarket(state, instrument, command.at)
  if (isRejection(market)) return market
  const fill = {
    ...market,
    reason: 'user' as const,
    trigger: 'user' as const,
    requestedPrice: closingPrice(order.side, market.quote),
    at: command.at,
  }
  return part === null
    ? [closedEvent(account, order, fill)]
    : [reducedEvent(state, account, order, { ...fill, lots: part })]
}

/** The part and the rest are each of a size that could have been placed. */
function checkPart({ lotMin, lotStep }: Instrument, order: Order, part: Lots): Rejection | null {
  const refused = checkLots({ lotMin, lotStep, lotMax: order.lots }, { lots: part })
  if (refused) return refused
  return order.lots - part < lotMin
    ? reject('remainderTooSmall', { lots: part, maximum: lots(order.lots - lotMin) })
    : null
}

/** A user's own close uses the last conversion rate, however old; the receipt names its tick. */
function closingMarket(state: State, instrument: Instrument, at: number): Market | Rejection {
  const barred = tradingBar(state, instrument, at)
  if (barred) return barred
  const quote = freshQuote(state, instrument, at)
  const conversion = conversionOf(state, instrument)
  return quote && conversion
    ? { instrument, quote, conversion, terms: state.termsVersion }
    : reject('stalePrice', { instrument: instrument.code })
}
