import {
  chatChannel,
  closedChannel,
  type FundsBalance,
  fundsChannel,
  type LedgerRecord,
  noticesChannel,
  ordersChannel,
  type OrderView,
  type ServerMessage,
  topicOf,
} from '@fairlot/contract'
import type { Posting } from '@fairlot/core'
import type { Translate } from '../i18n/translate.ts'
import { noticeIn } from '../notifications/notice-words.ts'
import type { PrivateChange } from './private-changes.ts'

/** Rows in one message: a client may have no more room for what it has not read yet. */
export const ROWS_PER_MESSAGE = 50

type Unnumbered<M> = M extends { seq: number } ? Omit<M, 'seq'> : never
type Private = Exclude<Extract<ServerMessage, { seq: number }>, { type: 'account' }>

/** A message of a change without its number; it may need the words of a language. */
export type PrivateMessage = {
  readonly topic: string
  readonly message: (translate: Translate, seq: number) => Unnumbered<Private>
}

/** What the messages of a change are made of. */
export type Told = {
  readonly orders: ReadonlyMap<number, OrderView>
  readonly funds: FundsBalance
  readonly recordOf: (posting: Posting, translate: Translate) => LedgerRecord
}

/** How many messages a change makes: known before they are. */
export const messageCount = (change: PrivateChange): number =>
  slices(change.orderIds).length +
  (change.closedIds.length > 0 ? 1 : 0) +
  bookings(change).length +
  change.notices.length +
  (change.chat ? 1 : 0)

/** What was booked, in pieces; a step of a case that moves no money is told by a piece without rows. */
const bookings = ({ postings, hasCaseStep }: PrivateChange): (readonly Posting[])[] =>
  postings.length === 0 && hasCaseStep ? [[]] : slices(postings)

/** The messages of a change: first the orders, then which positions have ended, then money, then words. */
export function messagesOf(userId: number, change: PrivateChange, told: Told): PrivateMessage[] {
  const { orderIds, closedIds, notices, at } = change
  const orders = slices(orderIds).map((ids): PrivateMessage => ({
    topic: topicOf(ordersChannel),
    message: () => ({ type: 'orders', userId, orders: ids.flatMap((id) => told.orders.get(id) ?? []) }),
  }))
  const closed: PrivateMessage = {
    topic: topicOf(closedChannel),
    message: () => ({ type: 'closed', orderIds: closedIds }),
  }
  const funds = bookings(change).map((booked): PrivateMessage => ({
    topic: topicOf(fundsChannel),
    message: (translate) => ({
      ...{ type: 'funds', userId, ...told.funds },
      records: booked.map((posting) => told.recordOf(posting, translate)),
    }),
  }))
  const words = notices.map((fact): PrivateMessage => ({
    topic: topicOf(noticesChannel),
    message: (translate, seq) => ({
      ...{ type: 'notice', userId },
      notice: { id: seq, kind: fact.kind, ...noticeIn(translate, fact, told.orders), time: at },
    }),
  }))
  const { chat } = change
  const talk: PrivateMessage[] = chat
    ? [{ topic: topicOf(chatChannel), message: () => ({ type: 'chat', userId, unread: chat.unread }) }]
    : []
  return [...orders, ...(closedIds.length > 0 ? [closed] : []), ...funds, ...words, ...talk]
}

/** A list in pieces of at most so many rows. */
export const slices = <T>(rows: readonly T[]): (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_MESSAGE) }, (_, index) =>
    rows.slice(index * ROWS_PER_MESSAGE, (index + 1) * ROWS_PER_MESSAGE),
  )
