import { ACCESS } from './access.ts'
import {
  candlesChannel,
  CODE,
  defineChannel,
  marketStateChannel,
  quotesChannel,
  type Channel,
} from './channel.ts'
import type { Infer } from './codec.ts'
import {
  account,
  alerts,
  chat,
  closed,
  copying,
  funds,
  notice,
  orders,
  serverMessage,
} from '../trading/messages.wire.ts'
import { TOPICS } from '../market/messages.wire.ts'

/** Figures of the account, and profit of its positions. */
export const accountChannel = defineChannel({
  name: 'account',
  topic: TOPICS.account,
  access: ACCESS.trading,
  message: account,
  summary: 'Margin level, margin and profit of the account, and of each position',
})

/** Closed positions. */
export const closedChannel = defineChannel({
  name: 'closed',
  topic: TOPICS.closed,
  access: ACCESS.trading,
  message: closed,
  summary: 'Ids of closed positions, whatever the reason',
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

/** Events that the user did not request, as sentences. */
export const noticesChannel = defineChannel({
  name: 'notices',
  topic: TOPICS.notices,
  access: ACCESS.trading,
  message: notice,
  summary:
    'What happened without being requested, in words: a pending order that ended by itself, a stop-out',
})

/** The chat with support staff. */
export const chatChannel = defineChannel({
  name: 'chat',
  topic: TOPICS.chat,
  access: ACCESS.chat,
  message: chat,
  summary: 'The chat with support staff has changed; how many answers are unread',
})

/** Copies that have changed. */
export const copyingChannel = defineChannel({
  name: 'copying',
  topic: TOPICS.copying,
  access: ACCESS.trading,
  message: copying,
  summary:
    'Ids of own copies that have changed: an order was copied or skipped, money moved, a copy ended; and whether copiers of the own strategy came, went or moved money',
})

/** Alerts that have changed. */
export const alertsChannel = defineChannel({
  name: 'alerts',
  topic: TOPICS.alerts,
  access: ACCESS.trading,
  message: alerts,
  summary: 'Alerts were set, have fired or were removed',
})

/** The private channels: their messages share one sequence of numbers. */
export const PRIVATE_CHANNELS: readonly Channel[] = [
  accountChannel,
  closedChannel,
  ordersChannel,
  fundsChannel,
  noticesChannel,
  chatChannel,
  copyingChannel,
  alertsChannel,
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

/** The server's messages. */
export type ServerMessage = Infer<typeof serverMessage>
export type AccountUpdate = Extract<ServerMessage, { type: 'account' }>
export type Notice = Extract<ServerMessage, { type: 'notice' }>['notice']

export { serverMessage }
