import { noun } from '../codec.ts'
import { choice, id, listOf, money, orNull, percent, price, text, time, whole } from '../field.ts'
import { fundsBalanceFields, ledgerRecord } from './account.ts'
import { NOTICE_KINDS } from './notice.ts'
import { order } from './order.ts'
import { messageOf, PUBLIC_MESSAGES, PUBLIC_TYPES } from './public-message.ts'

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

/** Positions that have ended, whatever the reason. */
export const closed = noun({
  type: ['type', choice({ closed: 'FOREX_CLOSED' })],
  orderIds: ['id', listOf(id)],
  seq: ['seq', whole()],
})

const PRIVATE_MESSAGES = { account, orders, funds, closed, notice, chat }

const PRIVATE_TYPES = {
  FOREX_TRADE: 'account',
  FOREX_CLOSED: 'closed',
  FOREX_ORDER: 'orders',
  FOREX_FUNDS: 'funds',
  NOTICE: 'notice',
  CHAT: 'chat',
} as const

/** Whatever the server says. */
export const serverMessage = messageOf(
  { ...PUBLIC_MESSAGES, ...PRIVATE_MESSAGES },
  { ...PUBLIC_TYPES, ...PRIVATE_TYPES },
)
