import type { CopySource } from './copying.ts'
import type { Conversion } from './currency-conversion.ts'
import type { Price } from './number.ts'
import type { OrderKind, PendingKind, Side } from './order.ts'
import { hasOrderKinds } from './rules.ts'
import type { Quote } from './quote.ts'

/**
 * The version of the rules of prices and amounts on receipts, so that an old receipt is checked by its own rules; it
 * follows from the version of the rules (`rules.ts`). Entries of the journal's first version have receipts of version
 * 1.
 */
export const ruleVersionOf = (rulesVersion: number): number => rulesVersion + 1

/** The published grounds on which operators close a position for its owner. */
export const CLOSE_GROUNDS = [
  'ownerRequest',
  'ownerDeceased',
  'authorityOrder',
  'accountEnds',
  'instrumentEnds',
  'termsBroken',
] as const
export type CloseGround = (typeof CLOSE_GROUNDS)[number]

/** What caused the decision. */
export type ReceiptTrigger =
  | 'user'
  | 'target'
  | 'takeProfit'
  | 'stopLoss'
  | 'stopOut'
  | 'expiry'
  | 'rollover'
  | 'operator'
  // The provider's order opened or closed, or the copy ends.
  | 'copy'

/** The published tick behind a decision. */
export type ReceiptTick = Pick<
  Quote,
  'instrumentId' | 'bid' | 'ask' | 'seq' | 'time' | 'receivedAt' | 'source' | 'markUp' | 'admitted'
>

/** The proof of one decision: enough to compute it again. */
export type Receipt = {
  readonly action: 'place' | 'open' | 'close' | 'cancel' | 'finance'
  readonly trigger: ReceiptTrigger
  /** The deciding tick; null only where an order ends without a price. */
  readonly tick: ReceiptTick | null
  /** The side of the quote used for the fill. */
  readonly quoteSide: 'bid' | 'ask' | null
  readonly requestedPrice: Price | null
  readonly filledPrice: Price | null
  /** In ticks; positive is better for the user than requested. */
  readonly slippage: number
  /** From the arrival of the tick to the decision, in ms. */
  readonly delayMs: number
  /** The pairs that converted the quote currency to the account currency. */
  readonly conversion: readonly ReceiptTick[]
  readonly ruleVersion: number
  /** The version of the terms; 0 in receipts from before terms were numbered. */
  readonly terms: number
  /**
   * By instrument, every price used for an equity: of a stop-out for the account's, of a published strategy's opening
   * for those of the provider and of all its copies.
   */
  readonly prices?: readonly ReceiptTick[]
  /** Of a close by operators: the published ground. */
  readonly ground?: CloseGround
  /** Of a limit or stop order that was placed or opened; left out before the rules of version 3. */
  readonly kind?: PendingKind
  /** Of a copied position: the provider and the order that it copies. */
  readonly copied?: CopySource
}

/** The kind of an order as its receipt names it: nothing for a market order, nor by earlier rules. */
export const kindOnReceipt = (kind: OrderKind, rules: number): Pick<Receipt, 'kind'> =>
  kind !== 'market' && hasOrderKinds({ rulesVersion: rules }) ? { kind } : {}

/** One object per quote, because thousands of receipts may contain one tick. */
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
    ...(quote.admitted && { admitted: true }),
  }
  TICKS.set(quote, tick)
  return tick
}

const TICKS = new WeakMap<Quote, ReceiptTick>()

/** A fill at the ask (buy) or the bid (sell); slippage is the user's gain against the requested price. */
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
  rules: number
}): Receipt {
  const slippage =
    fill.deal === 'buy' ? fill.requestedPrice - fill.filledPrice : fill.filledPrice - fill.requestedPrice
  return {
    action: fill.action,
    trigger: fill.trigger,
    tick: receiptTick(fill.quote),
    quoteSide: fill.deal === 'buy' ? 'ask' : 'bid',
    requestedPrice: fill.requestedPrice,
    filledPrice: fill.filledPrice,
    slippage: slippage,
    delayMs: fill.at - fill.quote.receivedAt,
    conversion: fill.conversion.quotes.map(receiptTick),
    ruleVersion: ruleVersionOf(fill.rules),
    terms: fill.terms,
  }
}

/** A decision without a fill: an order placed or cancelled. */
export const quietReceipt = (
  action: 'place' | 'cancel' | 'close',
  trigger: ReceiptTrigger,
  about: {
    quote: Quote | undefined
    /** Where an amount was computed: a reserve, or the shortage at the trigger. */
    conversion?: Conversion
    requestedPrice: Price | null
    at: number
    terms: number
    rules: number
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
  ruleVersion: ruleVersionOf(about.rules),
  terms: about.terms,
})

/** The swap of a rollover: the tick and the conversion that its amount was computed from, as of the rollover. */
export const swapReceipt = (
  quote: Quote,
  conversion: Conversion,
  { rollover, terms, rules }: { rollover: number; terms: number; rules: number },
): Receipt => ({
  action: 'finance',
  trigger: 'rollover',
  tick: receiptTick(quote),
  quoteSide: null,
  requestedPrice: null,
  filledPrice: null,
  slippage: 0,
  // A price received after the rollover has no delay.
  delayMs: Math.max(0, rollover - quote.receivedAt),
  conversion: conversion.quotes.map(receiptTick),
  ruleVersion: ruleVersionOf(rules),
  terms,
})
