import type { Conversion } from './money/currency-conversion.ts'
import type { Price } from './money/number.ts'
import type { Side } from './orders/order.ts'
import type { Quote } from './market/quote.ts'

/** Raised whenever a rule that decides a price or an amount changes, so that an old receipt is read by its own rules. */
export const RULE_VERSION = 2

/** What made the engine act. */
export type ReceiptTrigger =
  'user' | 'target' | 'takeProfit' | 'stopLoss' | 'stopOut' | 'expiry' | 'rollover' | 'operator'

/** The tick behind a decision, as it was published. */
export type ReceiptTick = Pick<
  Quote,
  'instrumentId' | 'bid' | 'ask' | 'seq' | 'time' | 'receivedAt' | 'source' | 'markUp'
>

/** The proof of one decision: enough to work it out again. */
export type Receipt = {
  readonly action: 'place' | 'open' | 'close' | 'cancel' | 'finance'
  readonly trigger: ReceiptTrigger
  /** The tick that decided; null only where an order ends without a price. */
  readonly tick: ReceiptTick | null
  /** The side of the quote that was filled at. */
  readonly quoteSide: 'bid' | 'ask' | null
  readonly requestedPrice: Price | null
  readonly filledPrice: Price | null
  /** In ticks; above zero is better for the user than asked. */
  readonly slippage: number
  /** From the arrival of the tick to the decision, in ms. */
  readonly delayMs: number
  /** The pairs that turned the quote currency into the account currency. */
  readonly conversion: readonly ReceiptTick[]
  readonly ruleVersion: number
  /** The version of the terms it was decided by; 0 in receipts from before terms were numbered. */
  readonly terms: number
  /** Of a stop-out: every price that the account's equity was worked out from, by instrument. */
  readonly prices?: readonly ReceiptTick[]
}

/** The same object each time it is asked for the same quote: thousands of receipts may name one tick. */
export function receiptTick(quote: Quote): ReceiptTick {
  const known = TICKS.get(quote)
  if (known) return known
  const tick: ReceiptTick = {
    instrumentId: quote.instrumentId,
    bid: quote.bid,
    ask: quote.ask,
    seq: quote.seq,
    time: quote.time,
    receivedAt: quote.receivedAt,
    source: quote.source,
    ...(quote.markUp !== undefined && { markUp: quote.markUp }),
  }
  TICKS.set(quote, tick)
  return tick
}

const TICKS = new WeakMap<Quote, ReceiptTick>()

/** A fill bought at the ask or sold at the bid; slippage is what the user gained against the price asked for. */
export function fillReceipt(fill: {
  action: 'open' | 'close'
  trigger: ReceiptTrigger
  quote: Quote
  /** The side of this deal: a buy is closed by a sell. */
  deal: Side
  requestedPrice: Price
  filledPrice: Price
  conversion: Conversion
  at: number
  terms: number
}): Receipt {
  const better =
    fill.deal === 'buy' ? fill.requestedPrice - fill.filledPrice : fill.filledPrice - fill.requestedPrice
  return {
    action: fill.action,
    trigger: fill.trigger,
    tick: receiptTick(fill.quote),
    quoteSide: fill.deal === 'buy' ? 'ask' : 'bid',
    requestedPrice: fill.requestedPrice,
    filledPrice: fill.filledPrice,
    slippage: better,
    delayMs: fill.at - fill.quote.receivedAt,
    conversion: fill.conversion.quotes.map(receiptTick),
    ruleVersion: RULE_VERSION,
    terms: fill.terms,
  }
}

/** A decision without a fill: an order placed or cancelled. */
export const quietReceipt = (
  action: 'place' | 'cancel' | 'close',
  trigger: ReceiptTrigger,
  about: {
    quote: Quote | undefined
    /** Where an amount was worked out: a reserve, or what was lacking at the trigger. */
    conversion?: Conversion
    requestedPrice: Price | null
    at: number
    terms: number
  },
): Receipt => ({
  action,
  trigger,
  tick: about.quote ? receiptTick(about.quote) : null,
  quoteSide: null,
  requestedPrice: about.requestedPrice,
  filledPrice: null,
  slippage: 0,
  delayMs: about.quote ? about.at - about.quote.receivedAt : 0,
  conversion: about.conversion?.quotes.map(receiptTick) ?? [],
  ruleVersion: RULE_VERSION,
  terms: about.terms,
})

/** A night's financing: the tick and the conversion that its amount was worked out from, as they stood at the night. */
export const financeReceipt = (
  quote: Quote,
  conversion: Conversion,
  { rollover, terms }: { rollover: number; terms: number },
): Receipt => ({
  action: 'finance',
  trigger: 'rollover',
  tick: receiptTick(quote),
  quoteSide: null,
  requestedPrice: null,
  filledPrice: null,
  slippage: 0,
  // A price that came after the night was not late for it.
  delayMs: Math.max(0, rollover - quote.receivedAt),
  conversion: conversion.quotes.map(receiptTick),
  ruleVersion: RULE_VERSION,
  terms,
})
