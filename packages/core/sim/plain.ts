import type { Event, Instrument, Quote, Request, Transfer, Posting } from '../src/index.ts'
import type { Receipt, ReceiptTick } from '../src/index.ts'

/** The same shape with ordinary numbers: the twin calculates without the core's own kinds of number. */
export type Plain<Type> = Type extends bigint
  ? bigint
  : Type extends number
    ? number
    : Type extends string | boolean | null | undefined
      ? Type
      : { readonly [Key in keyof Type]: Plain<Type[Key]> }

export type PlainEvent = Plain<Event>
export type PlainInstrument = Plain<Instrument>
export type PlainQuote = Plain<Quote>
export type PlainRequest = Plain<Request>
export type PlainTransfer = Plain<Transfer>
export type PlainPosting = Plain<Posting>
export type PlainReceipt = Plain<Receipt>
export type PlainReceiptTick = Plain<ReceiptTick>
