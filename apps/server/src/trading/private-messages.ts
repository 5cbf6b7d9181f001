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
import {
  type Decimal,
  decimalText,
  fromUnits,
  LOTS_DECIMALS,
  MONEY_DECIMALS,
  type Posting,
} from '@fairlot/core'
import { faultLines } from '../i18n/identity-faults.ts'
import type { Translate } from '../i18n/translate.ts'
import type { NoticeFact, PrivateChange } from './private-changes.ts'

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

/** A notice in the words of a language: what happened, and why. */
export function noticeIn(
  translate: Translate,
  fact: NoticeFact,
  orders: ReadonlyMap<number, OrderView>,
): { readonly title: string; readonly text: string } {
  const { kind } = fact
  const values = valuesOf(translate, fact, orders)
  return {
    title: translate(`notice.${kind}.title`, values),
    text: translate(`notice.${kind}.text`, values),
  }
}

function valuesOf(
  translate: Translate,
  fact: NoticeFact,
  orders: ReadonlyMap<number, OrderView>,
): Record<string, string | number> {
  if (fact.kind === 'stopOut') return { closed: fact.closed, cancelled: fact.cancelled }
  if ('caseId' in fact) return caseValuesOf(fact)
  if (fact.kind === 'identityVerified') return {}
  if (fact.kind === 'identityRejected') return { faults: faultLines(translate, fact.faults) }
  if (fact.kind === 'identityUnverified') return { reason: fact.reason }
  if (fact.kind === 'supportAnswered') return { text: fact.text }
  const by = 'role' in fact ? { role: translate(`role.${fact.role}`), reason: fact.reason } : {}
  if (fact.kind === 'accountStatus') return { ...by, status: fact.status }
  const order = orders.get(fact.orderId)
  if (!order) throw new Error(`a notice is about order ${fact.orderId}, which nobody knows`)
  return {
    ...by,
    side: order.side,
    lots: decimalText(fromUnits(order.lots, LOTS_DECIMALS)),
    code: order.instrument.showCode,
    price: decimalText(priceOf(fact, order), order.instrument.priceDecimals),
  }
}

type CaseFact = Extract<NoticeFact, { caseId: number }>

/** Money as sentences have it: two decimals. */
const SAID_DECIMALS = 2

const caseValuesOf = (fact: CaseFact): Record<string, string> => ({
  number: String(fact.caseId),
  ...('outcome' in fact && { outcome: fact.outcome, reason: fact.reason }),
  ...('amount' in fact && { amount: decimalText(fromUnits(fact.amount, MONEY_DECIMALS), SAID_DECIMALS) }),
})

/** What is told of an order that was closed is what it closed at. */
const priceOf = ({ kind }: NoticeFact, { acceptedPrice, currentPrice }: OrderView): Decimal =>
  kind === 'orderClosedByOperator' ? (currentPrice ?? acceptedPrice) : acceptedPrice
