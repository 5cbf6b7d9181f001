import type { Event, Instrument, SwapRate, Quote, Request, TermsChange, Transfer } from '../src/index.ts'
import type { PayoutQuote, Posting, Receipt, ReceiptTick, SentMoney, TrailedStop } from '../src/index.ts'

/** The same shape with ordinary numbers: the reference model calculates without the core's branded number types. */
export type Plain<Type> = Type extends bigint
  ? bigint
  : Type extends number
    ? number
    : Type extends string | boolean | null | undefined
      ? Type
      : { readonly [Key in keyof Type]: Plain<Type[Key]> }

export type PlainEvent = Plain<Event>
export type PlainInstrument = Plain<Instrument>
export type PlainSwapRate = Plain<SwapRate>
export type PlainTermsChange = Plain<TermsChange>
export type PlainTrailedStop = Plain<TrailedStop>
export type PlainQuote = Plain<Quote>
export type PlainRequest = Plain<Request>
export type PlainTransfer = Plain<Transfer>
export type PlainSent = Plain<SentMoney>
export type PlainPayout = Plain<PayoutQuote>
export type PlainPosting = Plain<Posting>
export type PlainReceipt = Plain<Receipt>
export type PlainReceiptTick = Plain<ReceiptTick>
