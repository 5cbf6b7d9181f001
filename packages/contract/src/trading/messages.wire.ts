import { object } from '../protocol/codec.ts'
import {
  flag,
  withDefault,
  choice,
  id,
  listOf,
  money,
  nullable,
  percent,
  price,
  text,
  time,
  int,
} from '../protocol/field.ts'
import { fundsBalanceFields, ledgerRecord } from '../funds/funds.wire.ts'
import { NOTICE_KINDS } from '../notices/notices.wire.ts'
import { order } from './orders.wire.ts'
import { messageOf, PUBLIC_MESSAGES, PUBLIC_TYPES } from '../market/messages.wire.ts'

const orderProfit = object({
  id: ['Id', id],
  currentPrice: ['UpdatePrice', price],
  profit: ['FactProfits', money],
})

/** The current figures of the account and its positions. */
export const account = object({
  type: ['type', choice({ account: 'FOREX_TRADE' })],
  userId: ['To', id],
  /** In percent; null while no margin is used. */
  level: ['HazardRate', nullable(percent)],
  margin: ['CautionMoneyAll', money],
  profit: ['ProfitsTotal', money],
  /** Booked. */
  balance: ['Balance', money],
  /** Reserved for pending orders. */
  reserved: ['Reserved', money],
  orders: ['TransOrder', listOf(orderProfit)],
  /** When the server computed them. */
  computedAt: ['ComputedAt', time],
  /**
   * The sequence number of the last change: figures have no number of their own, as each snapshot replaces the
   * previous.
   */
  seq: ['seq', int()],
})

/** Increases by one with every change, so that gaps are detected. The same for all devices of a user. */
const change = { userId: ['To', id], seq: ['seq', int()] } as const

/** Orders after a change, or after their end. */
export const orders = object({
  type: ['type', choice({ orders: 'FOREX_ORDER' })],
  ...change,
  orders: ['Orders', listOf(order)],
})

/** A booking and the balance after it. */
export const funds = object({
  type: ['type', choice({ funds: 'FOREX_FUNDS' })],
  ...change,
  ...fundsBalanceFields,
  records: ['changes', listOf(ledgerRecord)],
})

/** An event that the user did not request, in the socket's language. */
const noticeText = object({
  id: ['id', id],
  kind: ['kind', choice(NOTICE_KINDS)],
  title: ['title', text],
  text: ['text', text],
  time: ['time', time],
})

export const notice = object({
  type: ['type', choice({ notice: 'NOTICE' })],
  ...change,
  notice: ['notice', noticeText],
})

/** The support chat has changed: a new message, or messages were seen. */
export const chat = object({
  type: ['type', choice({ chat: 'CHAT' })],
  ...change,
  /** Answers that the user has not seen. */
  unread: ['unread', int()],
})

/** Copies of the user have changed: their figures, or what became of the provider's orders. */
export const copying = object({
  type: ['type', choice({ copying: 'COPY' })],
  ...change,
  copyIds: ['copies', listOf(id)],
  /** A copy of the own strategy has started or ended, or its money has moved. Whose it is stays private. */
  hasCopierChange: ['copiers', withDefault(flag(1, 0), false)],
})

/** Closed positions, whatever the reason. */
export const closed = object({
  type: ['type', choice({ closed: 'FOREX_CLOSED' })],
  orderIds: ['id', listOf(id)],
  seq: ['seq', int()],
})

/** Alerts were set, have fired or were removed. */
export const alerts = object({
  type: ['type', choice({ alerts: 'ALERT' })],
  ...change,
})

const PRIVATE_MESSAGES = { account, orders, funds, closed, notice, chat, copying, alerts }

const PRIVATE_TYPES = {
  FOREX_TRADE: 'account',
  FOREX_CLOSED: 'closed',
  FOREX_ORDER: 'orders',
  FOREX_FUNDS: 'funds',
  NOTICE: 'notice',
  CHAT: 'chat',
  COPY: 'copying',
  ALERT: 'alerts',
} as const

/** Any message of the server. */
export const serverMessage = messageOf(
  { ...PUBLIC_MESSAGES, ...PRIVATE_MESSAGES },
  { ...PUBLIC_TYPES, ...PRIVATE_TYPES },
)
