import { object, oneOf, transform, type Codec, type Infer } from '../protocol/codec.ts'
import { choice, id, integer, listOf, omittable, oneOrMore, text, withDefault } from '../protocol/field.ts'
import { movingBar } from './candles.wire.ts'
import { quotation } from './instruments.wire.ts'
import { tradingMode } from './settings.wire.ts'

const quoteRow = object({
  type: ['type', choice({ quotes: 'DAY_MARKET' })],
  code: ['symbol', text],
  quote: ['quotation', quotation],
})

/** One DAY_MARKET message, or several in one frame as a list. */
export const quotes = transform(oneOrMore(quoteRow), {
  decode: (rows) => ({
    type: 'quotes' as const,
    quotes: rows.map(({ code, quote }) => ({ code, ...quote })),
  }),
  encode: ({ quotes }) => quotes.map(({ code, ...quote }) => ({ type: 'quotes' as const, code, quote })),
})

export const candles = object({
  type: ['type', choice({ candle: 'KLINE' })],
  code: ['symbol', text],
  instrumentId: ['forex_id', id],
  bar: ['kline', movingBar],
})

/** The state of trading. */
export const marketState = object({
  type: ['type', choice({ marketState: 'MARKET_STATE' })],
  mode: ['mode', tradingMode],
  /** The operator's reason while trading is not open; empty otherwise. */
  reason: ['reason', withDefault(text, '')],
  /** Instruments halted by an operator, with reasons. */
  halts: ['halts', listOf(object({ instrumentId: ['ForexId', id], reason: ['reason', text] }))],
  /** Instruments whose terms have just changed, or with a change just announced or withdrawn. */
  changedTerms: ['terms', listOf(id)],
})

const loginResult = object({
  type: ['type', choice({ loginResult: 'login_result' })],
  /** 1, or 999 if the token is invalid. */
  code: ['code', integer],
})

const pong = object({ type: ['type', choice({ pong: 'pong' })] })

/** Not part of the given API: why a message of the client was refused. The socket stays open. */
const refused = object({
  type: ['type', choice({ refused: 'refused' })],
  code: ['code', integer],
  message: ['msg', text],
  reason: ['reason', text],
  topic: ['topic', omittable(text)],
})

/** The messages without a session, by our names. */
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
  login: object({ type: ['type', choice({ login: 'login' })], token: ['params', text] }),
  logout: object({ type: ['type', choice({ logout: 'logout' })] }),
  subscribe: object({ type: ['type', choice({ subscribe: 'sub' })], topics: ['params', oneOrMore(text)] }),
  unsubscribe: object({
    type: ['type', choice({ unsubscribe: 'unsub' })],
    topics: ['params', oneOrMore(text)],
  }),
  ping: object({ type: ['type', choice({ ping: 'ping' })] }),
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

/** One of several messages, distinguished by type; `names` maps wire names to ours. */
export const messageOf = <const M extends Readonly<Record<string, Codec>>>(
  messages: M,
  names: Readonly<Record<string, keyof M & string>>,
): Codec<Infer<M[keyof M]>> => {
  const ours = new Map<unknown, keyof M & string>(Object.entries(names))
  return oneOf(messages, {
    read: (raw) => ours.get(typeOf(raw)) ?? null,
    write: (message) => (message as { readonly type: keyof M & string }).type,
  })
}

/** The server's public messages. */
export const publicMessage = messageOf(PUBLIC_MESSAGES, PUBLIC_TYPES)

export const clientMessage = messageOf(FROM_CLIENT, CLIENT_TYPES)

/** Topics on the wire. */
export const TOPICS = {
  quotes: 'DAY_MARKET',
  candles: 'KLINE.{code}',
  account: 'FOREX_TRADE',
  closed: 'FOREX_CLOSED',
  orders: 'FOREX_ORDER',
  funds: 'FOREX_FUNDS',
  notices: 'NOTICE',
  chat: 'CHAT',
  copying: 'COPY',
  alerts: 'ALERT',
  marketState: 'MARKET_STATE',
} as const
