import { ACCESS } from './access.ts'
import {
  candlesChannel,
  CODE,
  defineChannel,
  marketStateChannel,
  quotesChannel,
  type Channel,
} from './channel.ts'
import type { Inside } from './codec.ts'
import { account, chat, closed, funds, notice, orders, serverMessage } from './wire/private-message.ts'
import { TOPICS } from './wire/public-message.ts'

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

/** What the server sends over the socket. */
export type ServerMessage = Inside<typeof serverMessage>
export type AccountUpdate = Extract<ServerMessage, { type: 'account' }>
export type Notice = Extract<ServerMessage, { type: 'notice' }>['notice']

export { serverMessage }
