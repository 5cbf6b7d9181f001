import { decimalText } from '@fairlot/core/decimal'
import type { TripleSwapDay } from '@fairlot/core'
import type { Inside } from '../codec.ts'
import { noun, reshape } from '../codec.ts'
import {
  choice,
  decimal,
  flag,
  id,
  integer,
  listOf,
  lots,
  maybe,
  maybeBlank,
  orNull,
  percent,
  price,
  ratio,
  text,
  time,
  whole,
} from '../field.ts'
import { quotation, quoteSource } from './quotation.ts'

const TRIPLE_SWAP_DAYS = {
  mon: 'mon',
  tue: 'tue',
  wed: 'wed',
  thu: 'thu',
  fri: 'fri',
  daily: 'daily',
} as const satisfies Record<TripleSwapDay, TripleSwapDay>

const leverageOption = noun({
  position: ['Id', id],
  instrumentId: ['ForexId', id],
  leverage: ['Value', whole(1)],
})

/** Fixed: the contract size is the margin of a lot, in account currency. */
const marginMode = choice({ fixed: 1, leveraged: 2 }, { otherwise: 'leveraged' })

const dayRow = noun({
  instrumentId: ['ForexId', id],
  open: ['Open', orNull(price)],
  close: ['Close', orNull(price)],
  high: ['High', orNull(price)],
  low: ['Low', orNull(price)],
  changePercent: ['Change', orNull(percent)],
  volume: ['Volume', orNull(decimal)],
  time: ['NowTime', orNull(time)],
})

const row = noun({
  id: ['Id', id],
  code: ['Code', text],
  showCode: ['ShowCode', text],
  name: ['Name', text],
  logo: ['Logo', text],
  categoryId: ['CategoryId', id],
  isOpen: ['MarketStatus', flag(1, 2)],
  isTradable: ['TradeStatus', flag(1, 2)],
  priceDecimals: ['PricePrecision', whole(0, 'notUnderstood', 10)],
  lotStep: ['Pip', lots],
  lotMin: ['ForexMinCont', lots],
  lotMax: ['ForexMaxCont', lots],
  contractSize: ['ForexContNum', whole(1)],
  feeRate: ['ForexFeeRate', ratio],
  marginMode: ['MarginMode', marginMode],
  leverageOptions: ['HasForexMultiple', listOf(leverageOption)],
  sort: ['Sort', integer],
  lastPrice: ['LastPrice', text],
  day: ['ForexQuotations', dayRow],
  bid: ['Bid', orNull(price)],
  ask: ['Ask', orNull(price)],
  source: ['Source', orNull(quoteSource)],
  quoteTime: ['QuoteTime', orNull(time)],
  quoteSeq: ['QuoteSeq', orNull(whole())],
  nextOpenAt: ['NextOpenTime', orNull(time)],
  nextCloseAt: ['NextCloseTime', orNull(time)],
  minStopDistance: ['MinDistance', price],
  baseCurrency: ['BaseCurrency', text],
  quoteCurrency: ['QuoteCurrency', text],
  allowsNegativePrice: ['NegativePrice', flag(1, 0)],
  suspectBand: ['SuspectBand', ratio],
  maxSpread: ['MaxSpread', ratio],
  /** The part of the mid by which each side of the published price lies outside what its source sends. */
  markUp: ['MarkUp', ratio],
  session: ['Session', text],
  /** Why an operator has halted it; null while it is not halted. */
  haltReason: ['HaltReason', maybe(text)],
  /** Overnight financing in percent a year, by side; above zero is paid to the user. */
  swapBuy: ['SwapBuy', ratio],
  swapSell: ['SwapSell', ratio],
  tripleSwapDay: ['TripleSwapDay', choice(TRIPLE_SWAP_DAYS)],
  /** A quote older than this, in ms, fills nothing. */
  freshnessMs: ['FreshnessMs', whole(1)],
  /** When its bars begin, to the minute, where its source has no past of its own; null for all others. */
  barsSince: ['BarsSince', maybe(time)],
})

type Row = Inside<typeof row>
type Day = Inside<typeof quotation>['day']
type Listing = Omit<Row, 'leverageOptions' | 'lastPrice' | 'day'> & {
  /** On offer, ascending. Empty: not tradable. */
  readonly leverages: readonly number[]
  /** The trading day so far, on the mid; null before the first price. */
  readonly day: Day | null
}

const NO_DAY = { open: null, close: null, high: null, low: null, changePercent: null, volume: null }

function toDay({ open, close, high, low, changePercent, volume }: Row['day']): Day | null {
  const isKnown = open !== null && close !== null && high !== null && low !== null && volume !== null
  return isKnown ? { open, close, high, low, changePercent, volume } : null
}

/** A row of `trade_list`. Its last price, its leverage rows and the time of its day repeat what is said elsewhere. */
export const instrument = reshape(row, {
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

/** What an order tells about its instrument. */
export const instrumentBrief = noun({
  id: ['Id', id],
  code: ['Code', text],
  showCode: ['ShowCode', text],
  name: ['Name', text],
  logo: ['Logo', text],
  priceDecimals: ['PricePrecision', whole(0, 'notUnderstood', 10)],
  contractSize: ['ForexContNum', whole(1)],
  marginMode: ['MarginMode', marginMode],
  lotStep: ['Pip', lots],
})

export const category = noun({ id: ['Id', id], name: ['NameShowTrans', text] })

/** What `trade_list` asks for. */
export const instrumentSearch = noun({ search: ['searchCurrency', maybeBlank(text)] })
