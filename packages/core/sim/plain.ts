import type { Event, Instrument, NightRate, Quote, Request, TermsChange, Transfer } from '../src/index.ts'
import type { Posting, Receipt, ReceiptTick, TrailedStop } from '../src/index.ts'

/** The same shape with ordinary numbers: the reference model calculates without the core's own kinds of number. */
export type Plain<Type> = Type extends bigint
  ? bigint
  : Type extends number
    ? number
    : Type extends string | boolean | null | undefined
      ? Type
      : { readonly [Key in keyof Type]: Plain<Type[Key]> }

export type PlainEvent = Plain<Event>
export type PlainInstrument = Plain<Instrument>
export type PlainNightRate = Plain<NightRate>
export type PlainTermsChange = Plain<TermsChange>
export type PlainTrailedStop = Plain<TrailedStop>
export type PlainQuote = Plain<Quote>
export type PlainRequest = Plain<Request>
export type PlainTransfer = Plain<Transfer>
export type PlainPosting = Plain<Posting>
export type PlainReceipt = Plain<Receipt>
export type PlainReceiptTick = Plain<ReceiptTick>
