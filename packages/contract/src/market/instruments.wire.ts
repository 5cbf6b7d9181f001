import { object, transform, type Infer } from '../protocol/codec.ts'
import {
  choice,
  decimal,
  id,
  nullable,
  percent,
  price,
  time,
  int,
  flag,
  integer,
  listOf,
  lots,
  omittable,
  omittableOrBlank,
  ratio,
  text,
  oneOrMore,
  withDefault,
} from '../protocol/field.ts'
import { decimalText } from '@fairlot/core/decimal'
import type { TripleSwapDay } from '@fairlot/core'

const quoteSource = choice({ live: 'live', recorded: 'recorded', simulated: 'simulated' })

const quotationRow = object({
  instrumentId: ['forex_id', id],
  open: ['open', price],
  close: ['close', price],
  high: ['high', price],
  low: ['low', price],
  changePercent: ['change', nullable(percent)],
  volume: ['volume', decimal],
  bid: ['bid', price],
  ask: ['ask', price],
  time: ['time', time],
  seq: ['seq', int()],
  source: ['source', quoteSource],
  /** How old the price was when a new subscription was told it, ms on the market clock; null for one just accepted. */
  ageMs: ['age', omittable(int())],
})

/** `quotation` of a DAY_MARKET message: the newest price and the trading day so far, on the mid. */
export const quotation = transform(quotationRow, {
  decode: ({ open, close, high, low, changePercent, volume, ...quote }) => ({
    ...quote,
    day: { open, close, high, low, changePercent, volume },
  }),
  encode: ({ day, ...quote }) => ({ ...quote, ...day }),
})

const TRIPLE_SWAP_DAYS = {
  mon: 'mon',
  tue: 'tue',
  wed: 'wed',
  thu: 'thu',
  fri: 'fri',
  daily: 'daily',
} as const satisfies Record<TripleSwapDay, TripleSwapDay>

const leverageOption = object({
  position: ['Id', id],
  instrumentId: ['ForexId', id],
  leverage: ['Value', int(1)],
})

/** Fixed: the contract size is the margin per lot, in account currency. */
const marginMode = choice({ fixed: 1, leveraged: 2 }, { otherwise: 'leveraged' })

const dayRow = object({
  instrumentId: ['ForexId', id],
  open: ['Open', nullable(price)],
  close: ['Close', nullable(price)],
  high: ['High', nullable(price)],
  low: ['Low', nullable(price)],
  changePercent: ['Change', nullable(percent)],
  volume: ['Volume', nullable(decimal)],
  time: ['NowTime', nullable(time)],
})

const instrumentRow = object({
  id: ['Id', id],
  code: ['Code', text],
  showCode: ['ShowCode', text],
  name: ['Name', text],
  logo: ['Logo', text],
  categoryId: ['CategoryId', id],
  isOpen: ['MarketStatus', flag(1, 2)],
  isTradable: ['TradeStatus', flag(1, 2)],
  priceDecimals: ['PricePrecision', int(0, 'notUnderstood', 10)],
  lotStep: ['Pip', lots],
  lotMin: ['ForexMinCont', lots],
  lotMax: ['ForexMaxCont', lots],
  contractSize: ['ForexContNum', int(1)],
  feeRate: ['ForexFeeRate', ratio],
  marginMode: ['MarginMode', marginMode],
  leverageOptions: ['HasForexMultiple', listOf(leverageOption)],
  sort: ['Sort', integer],
  lastPrice: ['LastPrice', text],
  day: ['ForexQuotations', dayRow],
  bid: ['Bid', nullable(price)],
  ask: ['Ask', nullable(price)],
  source: ['Source', nullable(quoteSource)],
  quoteTime: ['QuoteTime', nullable(time)],
  quoteSeq: ['QuoteSeq', nullable(int())],
  /** How old the price was when this was answered, ms on the market clock; 0 without a price. */
  quoteAgeMs: ['QuoteAge', withDefault(int(), 0)],
  nextOpenAt: ['NextOpenTime', nullable(time)],
  nextCloseAt: ['NextCloseTime', nullable(time)],
  minStopDistance: ['MinDistance', price],
  baseCurrency: ['BaseCurrency', text],
  quoteCurrency: ['QuoteCurrency', text],
  allowsNegativePrice: ['NegativePrice', flag(1, 0)],
  suspectBand: ['SuspectBand', ratio],
  maxSpread: ['MaxSpread', ratio],
  /** The markup on each side of the source's price, as a share of the mid. */
  markUp: ['MarkUp', ratio],
  session: ['Session', text],
  /** The reason of an operator's halt; null without one. */
  haltReason: ['HaltReason', omittable(text)],
  /** Overnight swap in percent a year, by side; above zero is paid to the user. */
  swapBuy: ['SwapBuy', ratio],
  swapSell: ['SwapSell', ratio],
  tripleSwapDay: ['TripleSwapDay', choice(TRIPLE_SWAP_DAYS)],
  /** Orders are not filled at quotes older than this, in ms. */
  freshnessMs: ['FreshnessMs', int(1)],
  /** The start of its bars, to the minute, if its source has no history; null for all others. */
  barsSince: ['BarsSince', omittable(time)],
})

type Row = Infer<typeof instrumentRow>
type Day = Infer<typeof quotation>['day']
type Listing = Omit<Row, 'leverageOptions' | 'lastPrice' | 'day'> & {
  /** The leverages offered, ascending. Empty: not tradable. */
  readonly leverages: readonly number[]
  /** The trading day so far, on the mid; null before the first price. */
  readonly day: Day | null
}

const NO_DAY = { open: null, close: null, high: null, low: null, changePercent: null, volume: null }

function toDay({ open, close, high, low, changePercent, volume }: Row['day']): Day | null {
  const isKnown = open !== null && close !== null && high !== null && low !== null && volume !== null
  return isKnown ? { open, close, high, low, changePercent, volume } : null
}

/** A row of `trade_list`. Its last price, leverage rows and time of day repeat other fields. */
export const instrument = transform(instrumentRow, {
  decode: ({ leverageOptions, lastPrice: _, day, ...rest }): Listing => ({
    ...rest,
    leverages: leverageOptions.map(({ leverage }) => leverage),
    day: toDay(day),
  }),
  encode: ({ leverages, day, ...rest }) => ({
    ...rest,
    leverageOptions: leverages.map((leverage, index) => ({
      position: index + 1,
      instrumentId: rest.id,
      leverage,
    })),
    lastPrice: day ? decimalText(day.close) : '',
    day: { instrumentId: rest.id, time: rest.quoteTime, ...(day ?? NO_DAY) },
  }),
})

/** The instrument's fields included in an order. */
export const instrumentBrief = object({
  id: ['Id', id],
  code: ['Code', text],
  showCode: ['ShowCode', text],
  name: ['Name', text],
  logo: ['Logo', text],
  priceDecimals: ['PricePrecision', int(0, 'notUnderstood', 10)],
  contractSize: ['ForexContNum', int(1)],
  marginMode: ['MarginMode', marginMode],
  lotStep: ['Pip', lots],
})

export const category = object({ id: ['Id', id], name: ['NameShowTrans', text] })

/** The parameters of `trade_list`. */
export const instrumentSearch = object({ search: ['searchCurrency', omittableOrBlank(text)] })

export const watchList = object({ instrumentIds: ['forex_ids', listOf(id)] })

/** Several at once: those marked on a device before the log-in. */
export const watchChange = object({
  instrumentIds: ['forex_ids', oneOrMore(id)],
  isWatched: ['watched', flag(1, 0)],
})
