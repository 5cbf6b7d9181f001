import { ACCESS, type Access } from './access.ts'
import type { Codec, Infer } from './codec.ts'
import {
  candles,
  clientMessage,
  marketState,
  publicMessage,
  quotes,
  TOPICS,
} from '../market/messages.wire.ts'

/**
 * The keys of prices for the inline script that updates the first rows before the app has loaded, without this
 * package: keys of a row of the frame, and of its quotation.
 */
export const RAW_PRICES = {
  path: '/v1/ws',
  subscribe: '{"type":"sub","params":"DAY_MARKET"}',
  code: 'symbol',
  quotation: 'quotation',
  mid: 'close',
} as const

/** A stream of messages that a socket may subscribe to, as data. */
export type Channel<Message = unknown> = {
  readonly name: string
  /** Its topic; `{code}` stands for an instrument's code. */
  readonly topic: string
  readonly access: Access
  readonly message: Codec<Message>
  readonly summary: string
}

export const defineChannel = <Message>(channel: Channel<Message>): Channel<Message> => channel

/** The newest price of every instrument. */
export const quotesChannel = defineChannel({
  name: 'quotes',
  topic: TOPICS.quotes,
  access: ACCESS.market,
  message: quotes,
  summary: 'The newest prices; a new subscriber gets all of them at once',
})

/** The current bar of an instrument, for all periods on one topic. */
export const candlesChannel = defineChannel({
  name: 'candles',
  topic: TOPICS.candles,
  access: ACCESS.market,
  message: candles,
  summary: 'The current bar of an instrument, all periods',
})

/** The state of trading, the halted instruments, and the instruments with changed terms. */
export const marketStateChannel = defineChannel({
  name: 'marketState',
  topic: TOPICS.marketState,
  access: ACCESS.market,
  message: marketState,
  summary: 'Whether trading is paused, which instruments are halted and why, whose terms have changed',
})

/** Stands for an instrument's code in a topic. */
export const CODE = '{code}'

/** The topic to subscribe to; `code` for channels that have one per instrument. */
export const topicOf = (channel: Pick<Channel, 'topic'>, code = ''): string =>
  channel.topic.replace(CODE, () => code)

/** The client's messages. */
export type ClientMessage = Infer<typeof clientMessage>

/** The server's public messages. */
export type PublicMessage = Infer<typeof publicMessage>
export type CandleUpdate = Extract<PublicMessage, { type: 'candle' }>
export type MarketState = Extract<PublicMessage, { type: 'marketState' }>

export { clientMessage, publicMessage }

/** The socket's limits and intervals, in ms and bytes. */
export const SOCKET = {
  path: RAW_PRICES.path,
  pingEveryMs: 5_000,
  connectTimeoutMs: 5_000,
  /** Unanswered pings before the client reconnects. */
  missedPongsMax: 3,
  /** Maximum length of a client's frame; a longer one ends its socket. */
  frameBytesMax: 16_384,
  topicsPerSocketMax: 200,
} as const
