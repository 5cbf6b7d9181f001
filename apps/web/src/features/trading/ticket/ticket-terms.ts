import type { FeeType, Fraction, Instrument, Money, Price } from '@fairlot/core'

/** What the market and the account say now; the other half of what a ticket is judged by. */
export type TicketTerms = {
  readonly instrument: Instrument
  readonly isOpen: boolean
  /** The last accepted prices; null before the first. */
  readonly quote: { readonly bid: Price; readonly ask: Price } | null
  /** Older than the server would fill at. */
  readonly isStale: boolean
  /** From the quote currency to the account currency; null while a price for it is missing. */
  readonly rate: Fraction | null
  readonly feeType: FeeType
  /** Available prepayment; null while nobody is logged in. */
  readonly available: Money | null
}
