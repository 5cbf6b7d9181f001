import type { Infer } from '../protocol/codec.ts'
import { integer, listOf, lots, money, nullable, price, ratio, text, int } from '../protocol/field.ts'
import { userText } from '../protocol/user-text.ts'
import { record, enumeration, yesNo } from './record.ts'

/** All editable terms of an instrument. Prices and distances are in units of its price. */
export const instrumentTerms = record({
  code: text,
  showCode: userText,
  /** English; null for a currency pair, which is named by its currencies. */
  name: nullable(userText),
  category: userText,
  /** The address of a public picture of this server; empty where the app draws the logo. */
  logo: text,
  /** Sort key of lists, descending. */
  sort: integer,
  isEnabled: yesNo,
  baseCurrency: text,
  quoteCurrency: text,
  priceDecimals: integer,
  contractSize: integer,
  marginMode: enumeration(['leveraged', 'fixed']),
  leverages: listOf(integer),
  lotMin: lots,
  lotStep: lots,
  lotMax: lots,
  /** A share of the margin or an amount per lot in account currency, according to a setting. */
  feeRate: ratio,
  /** Percent a year; above zero is paid to the trader. */
  swapBuy: ratio,
  swapSell: ratio,
  tripleSwapDay: enumeration(['mon', 'tue', 'wed', 'thu', 'fri', 'daily']),
  minStopDistance: price,
  suspectBand: ratio,
  maxSpread: ratio,
  /** The markup on each side of the source's price, as a share of the mid. */
  markUp: ratio,
  /** Names of its sources, the preferred one first; empty: in the deployment's order. */
  sourceOrder: listOf(text),
  /** Null: the deployment's setting. */
  freshnessMs: nullable(integer),
  allowsNegativePrice: yesNo,
  session: text,
  pricePip: price,
  typicalSpread: price,
  referencePrice: price,
  yearlyVolatility: ratio,
})
export type InstrumentTerms = Infer<typeof instrumentTerms>

export const sessionTerms = record({
  name: text,
  /** IANA name. */
  zone: text,
  /** Such as "Sun 17:05-Mon 16:55; Mon 17:05-Tue 16:55", or "always". */
  windows: text,
  /** Dates of the venue; `closesAt` its local time, null where it does not open. */
  holidays: listOf(record({ date: text, closesAt: nullable(text) })),
})
export type SessionTerms = Infer<typeof sessionTerms>

export const tradingTerms = record({
  accountCurrency: text,
  feeType: enumeration(['fixed', 'rate']),
  demoBalance: money,
  freshnessMs: integer,
  warningLevel: integer,
  stopOutLevel: integer,
  maxLivingOrders: integer,
  noticeMs: integer,
  fourEyesLimit: money,
  fourEyesOperatorLimit: money,
  isDemoCopyOn: yesNo,
  isRealCopyOn: yesNo,
  /** Under which law real money is copied; shown to users. Needed while that is on. */
  copyLegalBasis: userText,
  /** The least that a copy starts with. */
  copyMinAmount: money,
  /** Below this equity nothing of a provider is copied, and nobody publishes. */
  providerMinEquity: money,
  maxCopiesPerUser: integer,
  maxCopiesPerProvider: integer,
})
export type TradingTerms = Infer<typeof tradingTerms>

/** Orders that are placed on it. */
export const activeCounts = { positions: int(), pendingOrders: int() } as const
/** The version a form was opened with, to detect changes by others. */
export const formKey = text
/** The key of a form for a new instrument. */
export const NEW_FORM_KEY = 'new'
