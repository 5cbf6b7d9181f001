import { ACCESS, type Access } from './access.ts'
import type { Codec, Inside } from './codec.ts'
import {
  account,
  candles,
  chat,
  clientMessage,
  closed,
  funds,
  marketState,
  notice,
  orders,
  quotes,
  serverMessage,
  TOPICS,
} from './wire/message.ts'
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

const defineChannel = <Message>(channel: Channel<Message>): Channel<Message> => channel

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

/** Figures of the account and profit of its positions. */
export const accountChannel = defineChannel({
  name: 'account',
  topic: TOPICS.account,
  access: ACCESS.trading,
  message: account,
  summary: 'Margin level, margin and profit of the account, and of each position',
})

/** Positions that have ended. */
export const closedChannel = defineChannel({
  name: 'closed',
  topic: TOPICS.closed,
  access: ACCESS.trading,
  message: closed,
  summary: 'Ids of positions that have ended, whatever the reason',
})

/** Orders that have changed. */
export const ordersChannel = defineChannel({
  name: 'orders',
  topic: TOPICS.orders,
  access: ACCESS.trading,
  message: orders,
  summary:
    'Every order that has changed, whatever the reason, as it is then; a new subscriber gets all that live',
})

/** Money that was booked. */
export const fundsChannel = defineChannel({
  name: 'funds',
  topic: TOPICS.funds,
  access: ACCESS.funds,
  message: funds,
  summary: 'Every booking, with the balance it leaves; a new subscriber gets the balance',
})

/** What happened without being asked for, in words. */
export const noticesChannel = defineChannel({
  name: 'notices',
  topic: TOPICS.notices,
  access: ACCESS.trading,
  message: notice,
  summary:
    'What happened without being asked for, in words: a pending order that ended by itself, a stop-out',
})

/** The chat with the support. */
export const chatChannel = defineChannel({
  name: 'chat',
  topic: TOPICS.chat,
  access: ACCESS.chat,
  message: chat,
  summary: 'The chat with the support has changed; how many answers are unread',
})

/** Whether trading goes on, which instruments are halted, and whose terms have changed. */
export const marketStateChannel = defineChannel({
  name: 'marketState',
  topic: TOPICS.marketState,
  access: ACCESS.market,
  message: marketState,
  summary: 'Whether trading is paused, which instruments are halted and why, whose terms have changed',
})

/** The private channels: their messages are numbered together. */
export const PRIVATE_CHANNELS: readonly Channel[] = [
  accountChannel,
  closedChannel,
  ordersChannel,
  fundsChannel,
  noticesChannel,
  chatChannel,
]

export const CHANNELS: readonly Channel[] = [
  quotesChannel,
  candlesChannel,
  marketStateChannel,
  ...PRIVATE_CHANNELS,
]

const CODE = '{code}'

/** The topic to subscribe to; `code` for channels that have one per instrument. */
export const topicOf = (channel: Channel, code = ''): string => channel.topic.replace(CODE, () => code)

/** The channel of a topic, with its instrument's code where the topic has one. Null for an unknown topic. */
export function channelOf(topic: string): { readonly channel: Channel; readonly code: string | null } | null {
  for (const channel of CHANNELS) {
    if (channel.topic === topic && !topic.endsWith(CODE)) return { channel, code: null }
    const prefix = channel.topic.slice(0, -CODE.length)
    const isPerCode = channel.topic.endsWith(CODE) && topic.startsWith(prefix) && topic.length > prefix.length
    if (isPerCode) return { channel, code: topic.slice(prefix.length) }
  }
  return null
}

/** What a client sends over the socket. */
export type ClientMessage = Inside<typeof clientMessage>

/** What the server sends over the socket. */
export type ServerMessage = Inside<typeof serverMessage>
export type AccountUpdate = Extract<ServerMessage, { type: 'account' }>
export type CandleUpdate = Extract<ServerMessage, { type: 'candle' }>
export type MarketState = Extract<ServerMessage, { type: 'marketState' }>
export type Notice = Extract<ServerMessage, { type: 'notice' }>['notice']

export { clientMessage, RAW_PRICES, serverMessage }

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
