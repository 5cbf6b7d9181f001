/** Receipts in the reference model (trading-rules §6). */
import type { ReceiptTrigger, Side } from '../../src/index.ts'
import type { PlainQuote, PlainReceipt, PlainReceiptTick } from '../plain-types.ts'

const RULES = 7

export const asTick = ({
  instrumentId,
  bid,
  ask,
  seq,
  time,
  receivedAt,
  source,
  markUp,
  admitted,
}: PlainReceiptTick): PlainReceiptTick => ({
  instrumentId,
  bid,
  ask,
  seq,
  time,
  receivedAt,
  source,
  ...(markUp !== undefined && { markUp }),
  ...(admitted && { admitted }),
})

/** The receipt of a fill; `deal` is the side traded, so a buy is closed by a sell. */
export function dealReceipt(deal: {
  action: 'open' | 'close'
  trigger: ReceiptTrigger
  deal: Side
  quote: PlainQuote
  requestedPrice: number
  conversion: readonly PlainReceiptTick[]
  at: number
  terms: number
}): PlainReceipt {
  const quoteSide = deal.deal === 'buy' ? 'ask' : 'bid'
  const filledPrice = deal.quote[quoteSide]
  const paidMore = filledPrice - deal.requestedPrice
  return {
    action: deal.action,
    trigger: deal.trigger,
    tick: asTick(deal.quote),
    quoteSide,
    requestedPrice: deal.requestedPrice,
    filledPrice,
    slippage: deal.deal === 'buy' ? 0 - paidMore : paidMore,
    delayMs: deal.at - deal.quote.receivedAt,
    conversion: deal.conversion.map(asTick),
    ruleVersion: RULES,
    terms: deal.terms,
  }
}

/** The receipt of a decision without a fill; with the conversion where an amount of money was part of it. */
export const noteReceipt = (note: {
  action: PlainReceipt['action']
  trigger: ReceiptTrigger
  quote: PlainReceiptTick | undefined
  conversion?: readonly PlainReceiptTick[]
  requestedPrice: number | null
  at: number
  terms: number
}): PlainReceipt => ({
  action: note.action,
  trigger: note.trigger,
  tick: note.quote ? asTick(note.quote) : null,
  quoteSide: null,
  requestedPrice: note.requestedPrice,
  filledPrice: null,
  slippage: 0,
  delayMs: note.quote ? note.at - note.quote.receivedAt : 0,
  conversion: (note.conversion ?? []).map(asTick),
  ruleVersion: RULES,
  terms: note.terms,
})

/** The receipts of a placed or opened pending order name its kind. */
export const withKind = (
  receipt: PlainReceipt,
  { kind }: { readonly kind: 'market' | 'limit' | 'stop' },
): PlainReceipt => (kind === 'market' ? receipt : { ...receipt, kind })
