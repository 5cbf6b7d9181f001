/** Terms: everything that decisions depend on besides orders, money and prices (trading-rules §10). */
import type { FeeType } from '../money/margin-fee-profit.ts'
import type { Instrument } from './instrument.ts'
import type { Money } from '../money/number.ts'
import type { SessionText } from '../trading-hours/session-text.ts'

/** What a deployment decides about trading. */
export type TradingSettings = {
  /** ISO 4217; never changes once the journal names it. */
  readonly accountCurrency: string
  readonly feeType: FeeType
  readonly demoBalance: Money
  /** Longest age of a quote that may fill or trigger, ms. */
  readonly freshnessMs: number
  /** Margin level in percent at or below which a margin call is shown. */
  readonly warningLevel: number
  /** Margin level in percent at or below which positions are closed. */
  readonly stopOutLevel: number
  /** Living orders of one account; one more is refused. */
  readonly maxLivingOrders: number
  /** How long before its effect a change to the traders' disadvantage is shown, ms. */
  readonly noticeMs: number
  /** Money acts above this amount need two operators. */
  readonly fourEyesLimit: Money
}

/** What lists and the simulated feed know about an instrument; no decision rests on it. */
export type Listing = {
  readonly showCode: string
  /** English. Null for currency pairs: the web composes it from the currencies' names. */
  readonly name: string | null
  readonly category: string
  /** Empty: drawn by the web. */
  readonly logo: string
  /** Lists are sorted by it, descending. */
  readonly sort: number
  /** The customary pip, in ticks. */
  readonly pricePip: number
  /** In ticks; like the next two a typical figure, for the simulated feed. */
  readonly typicalSpread: number
  /** In ticks. */
  readonly referencePrice: number
  /** Standard deviation of the yearly logarithmic return: 0.07 is 70,000. */
  readonly yearlyVolatility: number
}

/** Where the prices of an instrument come from, and which hours that source keeps. */
export type InstrumentSource = {
  /** Null: no feed prices it. */
  readonly kind: 'simulated' | 'recorded' | 'live' | null
  /** `always`: open around the clock, whatever the calendar says. */
  readonly hours: 'session' | 'always'
  /** Longest age of its quotes in ms where the source is quiet by nature; null: the instrument's or the deployment's own. */
  readonly freshnessMs: number | null
  /** Which of them it is, by its name, where the instrument has an order of sources. */
  readonly name?: string
}

/** One change of terms, whole: it replaces what was in force. */
export type TermsChange =
  | { readonly kind: 'settings'; readonly settings: TradingSettings }
  | { readonly kind: 'instrument'; readonly instrument: Instrument; readonly listing: Listing | null }
  | { readonly kind: 'calendar'; readonly session: SessionText }
  | { readonly kind: 'source'; readonly instrumentId: number; readonly source: InstrumentSource }

/** Whether an account may trade. Neither restriction stops a stop loss, and neither keeps money back for ever. */
export type OpenStatus = 'active' | 'closeOnly' | 'frozen'
/** Closed: by its owner, for good. */
export type AccountStatus = OpenStatus | 'closed'

/** What a change replaces, within its kind: the id of an instrument or the name of a schedule; empty for settings. */
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
