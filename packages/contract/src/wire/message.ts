import { noun, oneOf, reshape } from '../codec.ts'
import {
  choice,
  id,
  integer,
  listOf,
  maybe,
  money,
  oneOrMore,
  orNull,
  percent,
  price,
  text,
  time,
  whole,
} from '../field.ts'
import { fundsBalanceFields, ledgerRecord } from './account.ts'
import { movingBar } from './candle.ts'
import { NOTICE_KINDS } from './notice.ts'
import { order } from './order.ts'
import { quotation } from './quotation.ts'
import { tradingMode } from './setting.ts'

const quoteRow = noun({
  type: ['type', choice({ quotes: 'DAY_MARKET' })],
  code: ['symbol', text],
  quote: ['quotation', quotation],
})

/** One DAY_MARKET message, or several in one frame as a list. */
export const quotes = reshape(oneOrMore(quoteRow), {
  decode: (rows) => ({
    type: 'quotes' as const,
    quotes: rows.map(({ code, quote }) => ({ code, ...quote })),
  }),
  encode: ({ quotes }) => quotes.map(({ code, ...quote }) => ({ type: 'quotes' as const, code, quote })),
})

export const candles = noun({
  type: ['type', choice({ candle: 'KLINE' })],
  code: ['symbol', text],
  instrumentId: ['forex_id', id],
  bar: ['kline', movingBar],
})

const orderProfit = noun({
  id: ['Id', id],
  currentPrice: ['UpdatePrice', price],
  profit: ['FactProfits', money],
})

/** The account's figures and those of its positions, now. */
export const account = noun({
  type: ['type', choice({ account: 'FOREX_TRADE' })],
  userId: ['To', id],
  /** In percent; null while no margin is used. */
  level: ['HazardRate', orNull(percent)],
  margin: ['CautionMoneyAll', money],
  profit: ['ProfitsTotal', money],
  /** Booked. */
  balance: ['Balance', money],
  /** Held back for pending orders. */
  reserved: ['Reserved', money],
  orders: ['TransOrder', listOf(orderProfit)],
  /** That of the last change: figures take no number of their own, since each pulse replaces the one before. */
  seq: ['seq', whole()],
})

/** Every change rises by one: whoever sees a gap has missed something. All devices of a user see the same numbers. */
const change = { userId: ['To', id], seq: ['seq', whole()] } as const

/** Orders as they are after a change, or as they have ended. */
export const orders = noun({
  type: ['type', choice({ orders: 'FOREX_ORDER' })],
  ...change,
  orders: ['Orders', listOf(order)],
})

/** What was booked, and what the user has now. */
export const funds = noun({
  type: ['type', choice({ funds: 'FOREX_FUNDS' })],
  ...change,
  ...fundsBalanceFields,
  records: ['changes', listOf(ledgerRecord)],
})

/** Something that nobody asked for, in words of the socket's language. */
const noticeText = noun({
  id: ['id', id],
  kind: ['kind', choice(NOTICE_KINDS)],
  title: ['title', text],
  text: ['text', text],
  time: ['time', time],
})

export const notice = noun({
  type: ['type', choice({ notice: 'NOTICE' })],
  ...change,
  notice: ['notice', noticeText],
})

/** The chat with the support has changed: somebody has written, or seen what was written. */
export const chat = noun({
  type: ['type', choice({ chat: 'CHAT' })],
  ...change,
  /** Answers that the user has not seen. */
  unread: ['unread', whole()],
})

/** What everybody may do now. */
export const marketState = noun({
  type: ['type', choice({ marketState: 'MARKET_STATE' })],
  mode: ['mode', tradingMode],
  /** Instruments that an operator has halted, and why. */
  halts: ['halts', listOf(noun({ instrumentId: ['ForexId', id], reason: ['reason', text] }))],
  /** Instruments whose terms have just changed, or for which a change has been announced or taken back. */
  changedTerms: ['terms', listOf(id)],
})

/** Positions that have ended, whatever the reason. */
export const closed = noun({
  type: ['type', choice({ closed: 'FOREX_CLOSED' })],
  orderIds: ['id', listOf(id)],
  seq: ['seq', whole()],
})

const loginResult = noun({
  type: ['type', choice({ loginResult: 'login_result' })],
  /** 1, or 999 when the token opens nothing. */
  code: ['code', integer],
})

const pong = noun({ type: ['type', choice({ pong: 'pong' })] })

/** Ours: what was sent could not be done, and why. The socket stays open. */
const refused = noun({
  type: ['type', choice({ refused: 'refused' })],
  code: ['code', integer],
  message: ['msg', text],
  reason: ['reason', text],
  topic: ['topic', maybe(text)],
})

const FROM_SERVER = {
  ...{ quotes, candle: candles, marketState },
  ...{ account, orders, funds, closed, notice, chat },
  ...{ loginResult, pong, refused },
}
const FROM_CLIENT = {
  login: noun({ type: ['type', choice({ login: 'login' })], token: ['params', text] }),
  logout: noun({ type: ['type', choice({ logout: 'logout' })] }),
  subscribe: noun({ type: ['type', choice({ subscribe: 'sub' })], topics: ['params', oneOrMore(text)] }),
  unsubscribe: noun({
    type: ['type', choice({ unsubscribe: 'unsub' })],
    topics: ['params', oneOrMore(text)],
  }),
  ping: noun({ type: ['type', choice({ ping: 'ping' })] }),
}

const SERVER_TYPES: ReadonlyMap<unknown, keyof typeof FROM_SERVER> = new Map([
  ['DAY_MARKET', 'quotes'],
  ['KLINE', 'candle'],
  ['FOREX_TRADE', 'account'],
  ['FOREX_CLOSED', 'closed'],
  ['FOREX_ORDER', 'orders'],
  ['FOREX_FUNDS', 'funds'],
  ['NOTICE', 'notice'],
  ['CHAT', 'chat'],
  ['MARKET_STATE', 'marketState'],
  ['login_result', 'loginResult'],
  ['pong', 'pong'],
  ['refused', 'refused'],
])

const CLIENT_TYPES: ReadonlyMap<unknown, keyof typeof FROM_CLIENT> = new Map([
  ['login', 'login'],
  ['logout', 'logout'],
  ['sub', 'subscribe'],
  ['unsub', 'unsubscribe'],
  ['ping', 'ping'],
])

const typeOf = (raw: unknown): unknown => {
  const first: unknown = Array.isArray(raw) ? raw[0] : raw
  return typeof first === 'object' && first !== null && 'type' in first ? first.type : null
}

export const serverMessage = oneOf(FROM_SERVER, {
  read: (raw) => SERVER_TYPES.get(typeOf(raw)) ?? null,
  write: ({ type }) => type,
})

export const clientMessage = oneOf(FROM_CLIENT, {
  read: (raw) => CLIENT_TYPES.get(typeOf(raw)) ?? null,
  write: ({ type }) => type,
})

/** Topics as the wire writes them. */
export const TOPICS = {
  quotes: 'DAY_MARKET',
  candles: 'KLINE.{code}',
  account: 'FOREX_TRADE',
  closed: 'FOREX_CLOSED',
  orders: 'FOREX_ORDER',
  funds: 'FOREX_FUNDS',
  notices: 'NOTICE',
  chat: 'CHAT',
  marketState: 'MARKET_STATE',
} as const
