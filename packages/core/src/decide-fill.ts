/** Filling: from a market and terms to the event that opens or closes a position. */
import { availableOf, houseOf, transferBetween, type Transfer } from './ledger.ts'
import type { Conversion } from './conversion.ts'
import type { OrderTerms, PositionClosed, PositionOpened } from './event.ts'
import { feeOf, marginOf, profitOf } from './formula.ts'
import type { Instrument } from './instrument.ts'
import { money, NO_MONEY, type Lots, type Money, type Price } from './number.ts'
import type { EndReason, Order } from './order.ts'
import { closingPrice, openingPrice, type Quote } from './quote.ts'
import { fillReceipt, type ReceiptTrigger } from './receipt.ts'
import type { Account, State } from './state.ts'
import type { Market } from './decide-order.ts'

/** Margin and fee of a position at a price. */
export function costOf(
  state: State,
  market: Pick<Market, 'instrument' | 'conversion'>,
  size: { lots: Lots; leverage: number; price: Price },
): { margin: Money; fee: Money } {
  const margin = marginOf(market.instrument, { ...size, rate: market.conversion.rate })
  const fee = feeOf(market.instrument, state.settings.feeType, { lots: size.lots, margin })
  return { margin, fee }
}

/** Opens a position at the market's price for its side, and charges the fee. */
export function openedEvent(
  account: Account,
  terms: OrderTerms,
  fill: { market: Market; trigger: ReceiptTrigger; requestedPrice: Price; at: number },
): PositionOpened {
  const { market, trigger, requestedPrice, at } = fill
  const filledPrice = openingPrice(terms.side, market.quote)
  const receipt = fillReceipt({
    action: 'open',
    trigger,
    quote: market.quote,
    deal: terms.side,
    requestedPrice,
    filledPrice,
    conversion: market.conversion,
    at,
  })
  const transfers = transferBetween(
    availableOf(account.id),
    houseOf(account.ledger, 'fees'),
    money(-terms.fee),
    { kind: 'fee', orderId: terms.orderId },
  )
  return { ...terms, type: 'positionOpened', openPrice: filledPrice, receipt, transfers }
}

/** Closes a position at the market's price for its closing side, and books its profit. */
export function closedEvent(
  account: Account,
  order: Order & { openPrice: Price },
  fill: {
    instrument: Instrument
    quote: Quote
    conversion: Conversion
    reason: EndReason
    trigger: ReceiptTrigger
    requestedPrice: Price
    at: number
  },
): PositionClosed {
  const { instrument, quote, conversion } = fill
  const closePrice = closingPrice(order.side, quote)
  const profit = profitOf(instrument, order, closePrice, conversion.rate)
  const deal = order.side === 'buy' ? 'sell' : 'buy'
  return {
    type: 'positionClosed',
    orderId: order.id,
    accountId: order.accountId,
    reason: fill.reason,
    closePrice,
    profit,
    receipt: fillReceipt({ ...fill, action: 'close', deal, filledPrice: closePrice }),
    transfers: resultTransfers(account, order, profit),
  }
}

/** The profit or loss, and what lifts the account back to zero when its last position ends below it. */
function resultTransfers(account: Account, order: Order, profit: Money): Transfer[] {
  const user = availableOf(account.id)
  const result = transferBetween(user, houseOf(account.ledger, 'trading'), profit, {
    kind: 'result',
    orderId: order.id,
  })
  const shortfall = isLastPosition(account, order) ? money(-(account.available.balance + profit)) : NO_MONEY
  if (shortfall <= 0n) return result
  const lift = transferBetween(user, houseOf(account.ledger, 'protection'), shortfall, {
    kind: 'protection',
    orderId: order.id,
  })
  return [...result, ...lift]
}

function isLastPosition(account: Account, order: Order): boolean {
  for (const other of account.orders.values()) {
    if (other.status === 'holding' && other.id !== order.id) return false
  }
  return true
}
