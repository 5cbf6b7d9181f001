import { ACCESS, type Access } from './access.ts'
import type { Codec, Inside } from './codec.ts'
import { candles, clientMessage, marketState, publicMessage, quotes, TOPICS } from './wire/public-message.ts'
import { RAW_PRICES } from './wire/raw-prices.ts'

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

/** The moving bar of an instrument, for all periods on one topic. */
export const candlesChannel = defineChannel({
  name: 'candles',
  topic: TOPICS.candles,
  access: ACCESS.market,
  message: candles,
  summary: 'The moving bar of an instrument, all periods',
})

/** Whether trading goes on, which instruments are halted, and whose terms have changed. */
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

/** What a client sends over the socket. */
export type ClientMessage = Inside<typeof clientMessage>

/** What the server sends over the socket to everybody. */
export type PublicMessage = Inside<typeof publicMessage>
export type CandleUpdate = Extract<PublicMessage, { type: 'candle' }>
export type MarketState = Extract<PublicMessage, { type: 'marketState' }>

export { clientMessage, publicMessage, RAW_PRICES }

/** The socket's limits and clocks, in ms and bytes. */
export const SOCKET = {
  path: RAW_PRICES.path,
  pingEveryMs: 5_000,
  connectTimeoutMs: 5_000,
  /** After so many unanswered pings the client connects anew. */
  missedPongsMax: 3,
  /** A longer frame from a client ends its socket. */
  frameBytesMax: 16_384,
  topicsPerSocketMax: 200,
} as const
