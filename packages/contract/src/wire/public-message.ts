import { noun, oneOf, reshape, type Codec, type Inside } from '../codec.ts'
import { choice, id, integer, listOf, maybe, oneOrMore, text } from '../field.ts'
import { movingBar } from './candle.ts'
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

/** What everybody may do now. */
export const marketState = noun({
  type: ['type', choice({ marketState: 'MARKET_STATE' })],
  mode: ['mode', tradingMode],
  /** Instruments that an operator has halted, and why. */
  halts: ['halts', listOf(noun({ instrumentId: ['ForexId', id], reason: ['reason', text] }))],
  /** Instruments whose terms have just changed, or for which a change has been announced or taken back. */
  changedTerms: ['terms', listOf(id)],
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

/** The messages that need no session, by our names. */
export const PUBLIC_MESSAGES = { quotes, candle: candles, marketState, loginResult, pong, refused }

/** Their names on the wire. */
export const PUBLIC_TYPES = {
  DAY_MARKET: 'quotes',
  KLINE: 'candle',
  MARKET_STATE: 'marketState',
  login_result: 'loginResult',
  pong: 'pong',
  refused: 'refused',
} as const

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

const CLIENT_TYPES = {
  login: 'login',
  logout: 'logout',
  sub: 'subscribe',
  unsub: 'unsubscribe',
  ping: 'ping',
} as const

const typeOf = (raw: unknown): unknown => {
  const first: unknown = Array.isArray(raw) ? raw[0] : raw
  return typeof first === 'object' && first !== null && 'type' in first ? first.type : null
}

/** One of several messages, told apart by their type; `names` are ours by those of the wire. */
export const messageOf = <const M extends Readonly<Record<string, Codec>>>(
  messages: M,
  names: Readonly<Record<string, keyof M & string>>,
): Codec<Inside<M[keyof M]>> => {
  const ours = new Map<unknown, keyof M & string>(Object.entries(names))
  return oneOf(messages, {
    read: (raw) => ours.get(typeOf(raw)) ?? null,
    write: (message) => (message as { readonly type: keyof M & string }).type,
  })
}

/** What the server says to everybody. */
export const publicMessage = messageOf(PUBLIC_MESSAGES, PUBLIC_TYPES)

export const clientMessage = messageOf(FROM_CLIENT, CLIENT_TYPES)

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
