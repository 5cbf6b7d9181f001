import type { FeeType, Fraction, Instrument, Money, Price } from '@fairlot/core'
import type { PricedAccount } from '../account-snapshot.ts'

/** What the market and the account say now; the other half of what a ticket is judged by. */
export type TicketTerms = {
  readonly instrument: Instrument
  readonly isOpen: boolean
  /** Why an operator has halted it; null while it is not halted. */
  readonly haltReason: string | null
  /** An operator has paused trading. */
  readonly isCancelOnly: boolean
  /** The last accepted prices; null before the first. */
  readonly quote: { readonly bid: Price; readonly ask: Price } | null
  /** Older than the server would fill at. */
  readonly isStale: boolean
  /** From the quote currency to the account currency; null while a price for it is missing. */
  readonly rate: Fraction | null
  readonly feeType: FeeType
  /** Available prepayment; null while nobody is logged in. */
  readonly available: Money | null
  /** The account as it stands, to ask what one more position would do to it; null while it is not known in full. */
  readonly snapshot: PricedAccount | null
  /** When the rest was so: epoch ms on the market's clock. */
  readonly now: number
}
