import {
  closedChannel,
  fundsChannel,
  noticesChannel,
  ordersChannel,
  topicOf,
  type FundsBalance,
  type LedgerRecord,
  type OrderView,
  type ServerMessage,
} from '@fairlot/contract'
import type { Posting } from '@fairlot/core'
import type { Say } from '../plugins/words.ts'
import { noticeIn } from './notices.ts'
import type { PrivateChange } from './private-changes.ts'

/** Rows in one message: a client may have no more room for what it has not read yet. */
export const ROWS_PER_MESSAGE = 50

type Unnumbered<M> = M extends { seq: number } ? Omit<M, 'seq'> : never
type Private = Exclude<Extract<ServerMessage, { seq: number }>, { type: 'account' }>

/** A message of a change without its number; it may need the words of a language. */
export type PrivateMessage = {
  readonly topic: string
  readonly message: (say: Say, seq: number) => Unnumbered<Private>
}

/** What the messages of a change are made of. */
export type Told = {
  readonly orders: ReadonlyMap<number, OrderView>
  readonly funds: FundsBalance
  readonly recordOf: (posting: Posting, say: Say) => LedgerRecord
}

/** How many messages a change makes: known before they are. */
export const messageCount = ({ orderIds, closedIds, postings, notices }: PrivateChange): number =>
  slices(orderIds).length + (closedIds.length > 0 ? 1 : 0) + slices(postings).length + notices.length

/** The messages of a change: first the orders, then which positions have ended, then money, then words. */
export function messagesOf(userId: number, change: PrivateChange, told: Told): PrivateMessage[] {
  const { orderIds, closedIds, postings, notices, at } = change
  const orders = slices(orderIds).map((ids): PrivateMessage => ({
    topic: topicOf(ordersChannel),
    message: () => ({ type: 'orders', userId, orders: ids.flatMap((id) => told.orders.get(id) ?? []) }),
  }))
  const closed: PrivateMessage = {
    topic: topicOf(closedChannel),
    message: () => ({ type: 'closed', orderIds: closedIds }),
  }
  const funds = slices(postings).map((booked): PrivateMessage => ({
    topic: topicOf(fundsChannel),
    message: (say) => ({
      ...{ type: 'funds', userId, ...told.funds },
      records: booked.map((posting) => told.recordOf(posting, say)),
    }),
  }))
  const words = notices.map((fact): PrivateMessage => ({
    topic: topicOf(noticesChannel),
    message: (say, seq) => ({
      ...{ type: 'notice', userId },
      notice: { id: seq, kind: fact.kind, ...noticeIn(say, fact, told.orders), time: at },
    }),
  }))
  return [...orders, ...(closedIds.length > 0 ? [closed] : []), ...funds, ...words]
}

/** A list in pieces of at most so many rows. */
export const slices = <T>(rows: readonly T[]): (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_MESSAGE) }, (_, index) =>
    rows.slice(index * ROWS_PER_MESSAGE, (index + 1) * ROWS_PER_MESSAGE),
  )
