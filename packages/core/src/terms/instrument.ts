import type { Lots, Price, Ratio } from '../money/number.ts'

/** The weekday whose night counts three times; `daily`: every night of the week counts once, weekends too. */
export type TripleSwapDay = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'daily'

/** What can be traded, and on which terms. Amounts in the core's units; see number.ts. */
export type Instrument = {
  readonly id: number
  readonly code: string
  /** Currency of the price; profits arise in it and are converted to the account currency. */
  readonly quoteCurrency: string
  /** What one unit is: a currency for a pair, otherwise the instrument's own code. */
  readonly baseCurrency: string
  /** Digits after the point of a price: one tick is 10^-priceDecimals. */
  readonly priceDecimals: number
  /** Units of the base in one lot. In fixed margin mode: the margin of one lot in account currency. */
  readonly contractSize: number
  readonly marginMode: 'leveraged' | 'fixed'
  /** The leverages on offer, ascending. Empty: not tradable. */
  readonly leverages: readonly number[]
  readonly lotStep: Lots
  readonly lotMin: Lots
  readonly lotMax: Lots
  /** Fee type `rate`: part of the margin. Fee type `fixed`: account currency per lot. */
  readonly feeRate: Ratio
  /** Least distance of a stop from the closing price, in ticks. */
  readonly minStopDistance: Price
  readonly allowsNegativePrice: boolean
  /** Furthest a tick's mid may lie from the last accepted one without a confirming second tick. */
  readonly suspectBand: Ratio
  /** Widest spread accepted, as part of the mid. */
  readonly maxSpread: Ratio
  /** By which part of the mid each side of its published price lies outside what its source sends; left out: none. */
  readonly markUp?: Ratio
  /** Name of the weekly schedule in the session calendar; `always` never closes. */
  readonly session: string
  /** Overnight financing in 1e-6 percent a year, by side; above zero is paid to the user. */
  readonly swapRate: { readonly buy: Ratio; readonly sell: Ratio }
  readonly tripleSwapDay: TripleSwapDay
  readonly isEnabled: boolean
  /** Names of the sources that may price it, the preferred one first; left out: in the order in which the deployment names them. */
  readonly sourceOrder?: readonly string[]
  /** Longest age of its quotes in ms, where its source is quiet by nature; otherwise the setting counts. */
  readonly freshnessMs?: number
}
