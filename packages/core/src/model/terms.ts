/** Terms: everything that decisions depend on besides orders, money and prices (trading-rules §10). */
import type { CopyingSettings } from './copying.ts'
import type { Instrument } from './instrument.ts'
import type { Money } from './number.ts'
import type { SessionText } from '../calendar/trading-session.ts'

export type FeeType = 'fixed' | 'rate'

/** The trading settings of a deployment. */
export type TradingSettings = {
  /** ISO 4217; fixed once the journal contains it. */
  readonly accountCurrency: string
  readonly feeType: FeeType
  readonly demoBalance: Money
  /** Maximum age of a quote that may fill or trigger, ms. */
  readonly freshnessMs: number
  /** Margin level in percent at or below which a margin call is shown. */
  readonly warningLevel: number
  /** Margin level in percent at or below which positions are closed. */
  readonly stopOutLevel: number
  /** Maximum number of active orders of an account. */
  readonly maxLivingOrders: number
  /** How long before it takes effect an adverse change is shown, ms. */
  readonly noticeMs: number
  /** Credits above this 24-hour sum of credits and payouts of an account need two operators; payouts always do. */
  readonly fourEyesLimit: Money
  /** The same for all credits and payouts decided by one operator; left out in older settings. */
  readonly fourEyesOperatorLimit?: Money
  /** Left out in older settings, and where nothing was changed: the defaults. */
  readonly copying?: CopyingSettings
}

/** Data of an instrument for lists and the simulated feed; no decision depends on it. */
export type Listing = {
  readonly showCode: string
  /** English. Null for currency pairs, whose names the web app composes. */
  readonly name: string | null
  readonly category: string
  /** Empty: the web app draws one. */
  readonly logo: string
  /** Lists are sorted by it, descending. */
  readonly sort: number
  /** The customary pip, in ticks. */
  readonly pricePip: number
  /** In ticks; like the next two a typical figure for the simulated feed. */
  readonly typicalSpread: number
  /** In ticks. */
  readonly referencePrice: number
  /** Standard deviation of the yearly logarithmic return: 0.07 is 70,000. */
  readonly yearlyVolatility: number
}

/** The first terms of an instrument, to which the limits of later ones refer. */
export type FirstTerms = {
  readonly suspectBand: number
  /** In ticks; null where there was no listing. */
  readonly typical: { readonly spread: number; readonly price: number } | null
}

/** The price source of an instrument, and its hours. */
export type InstrumentSource = {
  /** Null: no feed prices it. */
  readonly kind: 'simulated' | 'recorded' | 'live' | null
  /** `always`: open around the clock, whatever the calendar says. */
  readonly hours: 'session' | 'always'
  /**
   * Maximum age of its quotes in ms where the source is naturally quiet; null: that of the instrument or the
   * deployment.
   */
  readonly freshnessMs: number | null
  /** Its name, where the instrument has an order of sources. */
  readonly name?: string
}

/**
 * The version of the rules for changes of terms: from 2 on every change is adverse unless listed as better, notice is
 * counted in opening hours, two operators can shorten it only for a few fields, and values have limits. From 3 on a change
 * withdraws what was announced for later on the same subject.
 */
export type TermsRules = 1 | 2 | 3

/** The version by which new changes are decided. */
export const TERMS_RULES = 3

/** One complete change of terms: it replaces the terms in force. */
export type TermsChange =
  | { readonly kind: 'settings'; readonly settings: TradingSettings }
  | { readonly kind: 'instrument'; readonly instrument: Instrument; readonly listing: Listing | null }
  | { readonly kind: 'calendar'; readonly session: SessionText }
  | { readonly kind: 'source'; readonly instrumentId: number; readonly source: InstrumentSource }

/** Whether an account may trade. No restriction stops a stop loss or prevents withdrawals for good. */
export type OpenStatus = 'active' | 'closeOnly' | 'frozen'
/** `closed` permanently by its owner. */
export type AccountStatus = OpenStatus | 'closed'

/** The subject of a change within its kind: the id of an instrument or the name of a schedule; empty for settings. */
export function termsSubject(change: TermsChange): string {
  switch (change.kind) {
    case 'settings':
      return ''
    case 'instrument':
      return String(change.instrument.id)
    case 'calendar':
      return change.session.name
    case 'source':
      return String(change.instrumentId)
  }
}

/** The first terms of a deployment. */
export type Seed = {
  readonly settings: TradingSettings
  readonly instruments: readonly Instrument[]
  readonly listings?: ReadonlyMap<number, Listing>
  readonly sessions?: readonly SessionText[]
  readonly sources?: ReadonlyMap<number, InstrumentSource>
  /** The version of the rules; left out: the current one. Only tests begin with older ones. */
  readonly rules?: number
}
