import type { Inside } from '../codec.ts'
import { integer, listOf, lots, money, orNull, price, ratio, text, whole } from '../field.ts'
import { typed } from '../typed-field.ts'
import { record, word, yesNo } from './record.ts'

/** Everything that an operator decides about an instrument. Prices and distances are in units of its price. */
export const instrumentTerms = record({
  code: text,
  showCode: typed,
  /** English; null for a currency pair, whose name follows from its currencies. */
  name: orNull(typed),
  category: typed,
  /** The address of a public picture of this server; empty where the app draws it. */
  logo: text,
  /** Lists are sorted by it, descending. */
  sort: integer,
  isEnabled: yesNo,
  baseCurrency: text,
  quoteCurrency: text,
  priceDecimals: integer,
  contractSize: integer,
  marginMode: word(['leveraged', 'fixed']),
  leverages: listOf(integer),
  lotMin: lots,
  lotStep: lots,
  lotMax: lots,
  /** A part of the margin, or of the account currency a lot: which of them is a setting. */
  feeRate: ratio,
  /** Percent a year; above zero is paid to the trader. */
  swapBuy: ratio,
  swapSell: ratio,
  tripleSwapDay: word(['mon', 'tue', 'wed', 'thu', 'fri', 'daily']),
  minStopDistance: price,
  suspectBand: ratio,
  maxSpread: ratio,
  /** The part of the mid by which each side of the published price lies outside what its source sends. */
  markUp: ratio,
  /** Names of the sources that may price it, the preferred one first; none: in the order in which the deployment names them. */
  sourceOrder: listOf(text),
  /** Null: as the deployment's setting says. */
  freshnessMs: orNull(integer),
  allowsNegativePrice: yesNo,
  session: text,
  pricePip: price,
  typicalSpread: price,
  referencePrice: price,
  yearlyVolatility: ratio,
})
export type InstrumentTerms = Inside<typeof instrumentTerms>

export const sessionTerms = record({
  name: text,
  /** IANA name. */
  zone: text,
  /** Such as "Sun 17:05-Mon 16:55; Mon 17:05-Tue 16:55", or "always". */
  windows: text,
  /** Dates of the venue; `closesAt` its local time, null where it does not open. */
  holidays: listOf(record({ date: text, closesAt: orNull(text) })),
})
export type SessionTerms = Inside<typeof sessionTerms>

export const tradingTerms = record({
  accountCurrency: text,
  feeType: word(['fixed', 'rate']),
  demoBalance: money,
  freshnessMs: integer,
  warningLevel: integer,
  stopOutLevel: integer,
  maxLivingOrders: integer,
  noticeMs: integer,
  fourEyesLimit: money,
})
export type TradingTerms = Inside<typeof tradingTerms>

/** Orders that live on it. */
export const livingCounts = { positions: whole(), pendingOrders: whole() } as const
/** What a form was opened with: a change by somebody else in the meantime is noticed. */
export const formKey = text
/** The key of a form for an instrument that nobody has made yet. */
export const NEW_FORM_KEY = 'new'
