import type { Lots, Price, Ratio } from './number.ts'

/** The weekday whose rollover counts three times; `daily`: every rollover of the week counts once, weekends too. */
export type TripleSwapDay = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'daily'

/** What can be traded, and on which terms. Amounts in the core's units; see number.ts. */
export type Instrument = {
  readonly id: number
  readonly code: string
  /** Currency of the price; profits arise in it and are converted to the account currency. */
  readonly quoteCurrency: string
  /** The unit: a currency for a pair, otherwise the instrument's own code. */
  readonly baseCurrency: string
  /** Digits after the decimal point of a price: one tick is 10^-priceDecimals. */
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
  /** Minimum distance of a stop from the closing price, in ticks. */
  readonly minStopDistance: Price
  readonly allowsNegativePrice: boolean
  /** Maximum distance of a tick's mid from the last accepted one without a confirming tick, as a fraction. */
  readonly suspectBand: Ratio
  /** Maximum spread as a fraction of the mid. */
  readonly maxSpread: Ratio
  /**
   * Fraction of the mid by which each side of the published price lies outside the source's price; left out: none.
   */
  readonly markUp?: Ratio
  /** Name of the weekly schedule in the session calendar; `always` never closes. */
  readonly session: string
  /** Overnight swap in 1e-6 percent a year, by side; above zero is paid to the user. */
  readonly swapRate: { readonly buy: Ratio; readonly sell: Ratio }
  readonly tripleSwapDay: TripleSwapDay
  readonly isEnabled: boolean
  /** Names of its price sources, preferred first; left out: in the order of the deployment's configuration. */
  readonly sourceOrder?: readonly string[]
  /** Maximum age of its quotes in ms, where its source is naturally quiet; otherwise the setting applies. */
  readonly freshnessMs?: number
}
