import type { OrderView, Receipt as ReceiptView } from '@fairlot/contract'
import {
  closingPrice,
  fromTicks,
  fromUnits,
  money,
  NO_MONEY,
  type Instrument,
  type Money,
  type Price,
  type Quote,
  type Receipt,
} from '@fairlot/core'
import type { ProvenEvent } from '../engine/projection/receipt-chain.ts'
import type { OrderRecord } from '../engine/projection/row-mapping.ts'

/** What an order needs of its instrument and of the market to be shown. */
export type OrderContext = {
  readonly instrument: Instrument
  readonly showCode: string
  readonly name: string
  readonly logo: string
  /** Null before the first price. */
  readonly quote: Quote | null
  readonly priceDecimalsOf: (instrumentId: number) => number
}

/** A receipt within the event that it proves, with the time of its decision. */
export type KeptReceipt = {
  readonly at: number
  readonly event: ProvenEvent
  /** Its place in the account's chain; null until it is in the tables. */
  readonly hash: string | null
  readonly previousHash: string | null
}

export function orderView(
  order: OrderRecord,
  context: OrderContext,
  receipts: readonly KeptReceipt[],
  endedBy: OrderView['endedBy'] = null,
): OrderView {
  const { instrument, quote } = context
  const show = (value: Price | null) => (value === null ? null : fromTicks(value, instrument.priceDecimals))
  const isOver = order.status === 'closed' || order.status === 'cancelled'
  const now = quote ? closingPrice(order.side, quote) : null
  return {
    id: order.id,
    parentId: order.parentId,
    accountId: order.accountId,
    instrument: {
      id: instrument.id,
      code: instrument.code,
      showCode: context.showCode,
      name: context.name,
      logo: context.logo,
      priceDecimals: instrument.priceDecimals,
      contractSize: instrument.contractSize,
      marginMode: instrument.marginMode,
      lotStep: instrument.lotStep,
    },
    side: order.side,
    kind: order.kind,
    status: order.status,
    endReason: order.endReason,
    endedBy,
    lots: order.lots,
    leverage: order.leverage,
    acceptedPrice: fromTicks(order.acceptedPrice, instrument.priceDecimals),
    openPrice: show(order.openPrice),
    currentPrice: show(isOver ? order.closePrice : now),
    takeProfit: show(order.takeProfit),
    stopLoss: show(order.stopLoss),
    trailingDistance: show(order.trailingDistance),
    originalMargin: order.margin,
    margin: isOver ? NO_MONEY : order.margin,
    profit: order.profit,
    fee: order.openPrice === null && isOver ? NO_MONEY : order.fee,
    swap: financingOf(receipts),
    createdAt: order.createdAt,
    openedAt: order.openedAt,
    endedAt: order.endedAt,
    expiresAt: order.expiresAt,
    receipts: receipts.map((kept) => receiptView(kept, context)),
  }
}

const financingOf = (receipts: readonly KeptReceipt[]): Money =>
  money(receipts.reduce((sum, { event }) => sum + (event.type === 'swapBooked' ? event.amount : 0n), 0n))

function receiptView(
  { at, event: { receipt }, hash, previousHash }: KeptReceipt,
  context: OrderContext,
): ReceiptView {
  const { priceDecimals } = context.instrument
  const show = (value: Price | null) => (value === null ? null : fromTicks(value, priceDecimals))
  return {
    at,
    action: receipt.action,
    trigger: receipt.trigger,
    tick: receipt.tick && tickView(receipt.tick, context),
    quoteSide: receipt.quoteSide,
    requestedPrice: show(receipt.requestedPrice),
    filledPrice: show(receipt.filledPrice),
    slippage: fromUnits(receipt.slippage, priceDecimals),
    delayMs: receipt.delayMs,
    conversion: receipt.conversion.map((tick) => tickView(tick, context)),
    ruleVersion: receipt.ruleVersion,
    terms: receipt.terms,
    hash,
    previousHash,
  }
}

function tickView(
  tick: NonNullable<Receipt['tick']>,
  context: OrderContext,
): NonNullable<ReceiptView['tick']> {
  const priceDecimals = context.priceDecimalsOf(tick.instrumentId)
  return {
    ...tick,
    bid: fromTicks(tick.bid, priceDecimals),
    ask: fromTicks(tick.ask, priceDecimals),
    markUp: fromUnits(tick.markUp ?? 0, priceDecimals),
  }
}
