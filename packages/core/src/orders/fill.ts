/** Fills: the events that open or close a position at a market. */
import { brokerAccountOf, transferBetween, type Transfer } from '../model/ledger.ts'
import type { Conversion } from '../model/currency-conversion.ts'
import type { OrderTerms, PositionClosed, PositionOpened, PositionReduced } from '../model/event.ts'
import { feeOf, marginOf, profitOf } from '../money/margin-fee-profit.ts'
import type { Instrument } from '../model/instrument.ts'
import { money, NO_MONEY, type Lots, type Money, type Price } from '../model/number.ts'
import { divideRounded } from '../model/rounding.ts'
import { opposite, type EndReason, type Order, type Position } from '../model/order.ts'
import { closingPrice, openingPrice, type Quote } from '../model/quote.ts'
import { fillReceipt, kindOnReceipt, type Receipt, type ReceiptTrigger } from '../model/receipt.ts'
import type { Account, State } from '../state/state.ts'
import type { TradingSettings } from '../model/terms.ts'
import type { Market } from './tradable-market.ts'

/** Margin and fee of a position at a price. */
export function costOf(
  { feeType }: Pick<TradingSettings, 'feeType'>,
  market: Pick<Market, 'instrument' | 'conversion'>,
  size: { lots: Lots; leverage: number; price: Price },
): { margin: Money; fee: Money } {
  const margin = marginOf(market.instrument, { ...size, rate: market.conversion.rate })
  const fee = feeOf(market.instrument, feeType, { lots: size.lots, margin })
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
    terms: market.terms,
    rules: market.rules,
  })
  const transfers = transferBetween(
    account.available.id,
    brokerAccountOf(account.ledger, 'fees'),
    money(-terms.fee),
    { kind: 'fee', orderId: terms.orderId },
  )
  return {
    ...terms,
    type: 'positionOpened',
    openPrice: filledPrice,
    receipt: { ...receipt, ...kindOnReceipt(terms.kind, market.rules) },
    transfers,
  }
}

/** Receipts of a copied position name the provider and its order. */
const withSource = ({ copy }: Account, { copied }: Order, receipt: Receipt): Receipt =>
  copy && copied ? { ...receipt, copied: { accountId: copy.providerId, orderId: copied.orderId } } : receipt

/** The market data, price and reason of a close. */
export type ClosingFill = {
  readonly instrument: Instrument
  readonly quote: Quote
  readonly conversion: Conversion
  readonly reason: EndReason
  readonly trigger: ReceiptTrigger
  readonly requestedPrice: Price
  readonly at: number
  readonly terms: number
  readonly rules: number
}

/** Closes a position at the market's price for its closing side, and books its profit. */
export function closedEvent(account: Account, order: Position, fill: ClosingFill): PositionClosed {
  const { profit, closePrice, receipt } = closeResult(account, order, fill)
  return {
    type: 'positionClosed',
    orderId: order.id,
    accountId: order.accountId,
    reason: fill.reason,
    closePrice,
    profit,
    receipt,
    transfers: resultTransfers(account, order, profit),
  }
}

/**
 * Closes a part: it takes its share of the margin and becomes a closed order; the opening fee stays with the
 * position.
 */
export function reducedEvent(
  { lastOrderId }: Pick<State, 'lastOrderId'>,
  account: Account,
  order: Position,
  fill: ClosingFill & { lots: Lots },
): PositionReduced {
  const margin = money(divideRounded(order.margin * BigInt(fill.lots), BigInt(order.lots)))
  const { profit, closePrice, receipt } = closeResult(account, { ...order, lots: fill.lots, margin }, fill)
  const partId = lastOrderId + 1
  return {
    type: 'positionReduced',
    orderId: order.id,
    partId,
    accountId: order.accountId,
    lots: fill.lots,
    margin,
    reason: fill.reason,
    closePrice,
    profit,
    position: { ...termsOf(order), openPrice: order.openPrice, openedAt: order.openedAt ?? order.createdAt },
    receipt,
    transfers: transferBetween(account.available.id, brokerAccountOf(account.ledger, 'trading'), profit, {
      kind: 'result',
      orderId: partId,
    }),
  }
}

/** The current fields of an order, as in events. */
export const termsOf = (order: Order): OrderTerms => ({
  orderId: order.id,
  accountId: order.accountId,
  instrumentId: order.instrumentId,
  side: order.side,
  kind: order.kind,
  lots: order.lots,
  leverage: order.leverage,
  targetPrice: order.targetPrice,
  acceptedPrice: order.acceptedPrice,
  takeProfit: order.takeProfit,
  stopLoss: order.stopLoss,
  expiresAt: order.expiresAt,
  createdAt: order.createdAt,
  margin: order.margin,
  fee: order.fee,
})

function closeResult(account: Account, order: Position, fill: ClosingFill) {
  const closePrice = closingPrice(order.side, fill.quote)
  const profit = profitOf(fill.instrument, order, closePrice, fill.conversion.rate)
  const receipt = fillReceipt({
    ...fill,
    action: 'close',
    deal: opposite(order.side),
    filledPrice: closePrice,
  })
  return { profit, closePrice, receipt: withSource(account, order, receipt) }
}

/** The profit or loss, and negative balance protection when the last position leaves the balance below zero. */
function resultTransfers(account: Account, order: Order, profit: Money): Transfer[] {
  const user = account.available.id
  const result = transferBetween(user, brokerAccountOf(account.ledger, 'trading'), profit, {
    kind: 'result',
    orderId: order.id,
  })
  const shortfall = isLastPosition(account) ? money(-(account.available.balance + profit)) : NO_MONEY
  if (shortfall <= 0n) return result
  const lift = transferBetween(user, brokerAccountOf(account.ledger, 'protection'), shortfall, {
    kind: 'protection',
    orderId: order.id,
  })
  return [...result, ...lift]
}

function isLastPosition({ exposures }: Account): boolean {
  const [only] = exposures.values()
  return exposures.size === 1 && only?.count === 1
}
