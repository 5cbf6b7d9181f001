import {
  accountChannel,
  alertsChannel,
  type Channel,
  chatChannel,
  closedChannel,
  copyingChannel,
  type FundsBalance,
  fundsChannel,
  type LedgerRecord,
  noticesChannel,
  ordersChannel,
  type OrderView,
  PRIVATE_CHANNELS,
  type ServerMessage,
  topicOf,
} from '@fairlot/contract'
import type { Event, Posting } from '@fairlot/core'
import type { Committed, Engine } from '../engine/engine.ts'
import { isRefusal, type Refusal } from '../platform/refusal.ts'
import { frameOf } from '../platform/sockets/socket-client.ts'
import type { SocketHub } from '../platform/sockets/socket-hub.ts'
import { type Language, type Translate, translatorFor } from '../platform/i18n/translate.ts'
import { isShown, type NoticeFact, noticeFacts, supportAnswered } from '../engine/projection/notice-facts.ts'
import { figuresFrame, liveFigures, publishFigures } from './account-figures.ts'
import { createPrivateSequencer, type PrivateSequencer } from './private-sequencer.ts'
import { userOf } from '../engine/projection/row-mapping.ts'
import { noticeIn, type NoticeSubjects } from '../notices/notice-text.ts'

/**
 * Numbers start at the journal's last row times this factor, which exceeds the number of messages that one row can cause
 * for a user: no number is ever repeated, and after a restart every client sees a gap.
 */
const NUMBERS_PER_ROW = 65_536

const TOPICS = PRIVATE_CHANNELS.map((channel) => topicOf(channel))

/** A user's orders and money in the form that the API calls return. */
export type PrivateViews = {
  /** As in `my_deal`, active or finished. Without ids: all active orders. */
  readonly ordersOf: (userId: number, orderIds?: readonly number[]) => Promise<readonly OrderView[] | Refusal>
  /** The codes of instruments, as users know them. */
  readonly codeOf: NoticeSubjects['codeOf']
  readonly fundsOf: (userId: number) => Promise<FundsBalance | Refusal>
  /** As in `forexChange`. Rejects while they are unavailable. */
  readonly recordsOf: (
    userId: number,
    postings: readonly Posting[],
  ) => Promise<(posting: Posting, translate: Translate) => LedgerRecord>
}

export type PrivateStreamParts = {
  readonly hub: SocketHub
  readonly engine: Engine
  /** The journal's last row when the server started. */
  readonly journalRow: number
  readonly views: PrivateViews
  /** Epoch ms. */
  readonly now: () => number
  readonly onError: (error: unknown, doing: string) => void
}

type StreamContext = Omit<PrivateStreamParts, 'journalRow' | 'onError'> & {
  readonly sequencer: PrivateSequencer
}

/** A change of the support chat. `answer` is the message that an operator has just written; null for any other change. */
export type ChatChange = {
  readonly userId: number
  readonly at: number
  readonly unread: number
  readonly answer: string | null
}

export type PrivateStream = {
  /** Sends a user a notice that does not come from the journal. `at` is epoch ms. */
  publishNotice(userId: number, fact: NoticeFact, at: number): void
  /** Sends a user a change of the support chat, and a notice of a new answer. */
  publishChat(change: ChatChange): void
  stop(): void
}

/**
 * Publishes each user's changes to all their devices, numbered in one sequence per user. Changes without a listener are
 * numbered too, so that a client that reconnects sees the gap.
 */
export function publishPrivately({ journalRow, onError, ...parts }: PrivateStreamParts): PrivateStream {
  let isStopped = false
  const report = (error: unknown) => isStopped || onError(error, 'publishing a change to a user')
  const sequencer = createPrivateSequencer(journalRow * NUMBERS_PER_ROW, report)
  const context = { ...parts, sequencer }
  sendSnapshots(context)
  const stopListening = parts.engine.onCommitted(createPublisher(context))
  const stopFigures = publishFigures(context, report)
  return {
    publishNotice: (userId, fact, at) => {
      if (!sequencer.has(userId)) return
      publishChange(context, userId, { ...NO_CHANGE, at, hasCaseStep: 'caseId' in fact, notices: [fact] })
    },
    publishChat: ({ userId, at, unread, answer }) => {
      if (!sequencer.has(userId)) return
      const notices = answer === null ? [] : [supportAnswered(answer)]
      publishChange(context, userId, { ...NO_CHANGE, at, notices, chat: { unread } })
    },
    stop: () => {
      isStopped = true
      stopFigures()
      stopListening()
    },
  }
}

const NO_CHANGE = {
  orderIds: [],
  closedIds: [],
  copyIds: [],
  hasCopierChange: false,
  postings: [],
  hasCaseStep: false,
  notices: [],
  hasAlertChange: false,
}

function createPublisher(context: StreamContext): (committed: Committed) => void {
  const { accounts, copies } = context.engine.state()
  const ownerOf = (accountId: number) => accounts.get(accountId)?.ownerId ?? accountId
  // The engine forgets the provider of a copy that has ended, before its end is published.
  const providers = new Map([...copies].map((id) => [id, accounts.get(id)?.copy?.providerId ?? null]))
  const concerned: Concerned = { ownerOf, providerOf: (id) => providers.get(id) ?? null }
  return (committed) => {
    for (const event of committed.entry.events)
      if (event.type === 'copyStarted') providers.set(event.accountId, event.providerId)
    for (const [userId, change] of privateChanges(committed, context.sequencer.has, concerned))
      publishChange(context, userId, change)
    for (const event of committed.entry.events)
      if (event.type === 'copyEnded') providers.delete(event.accountId)
  }
}

function publishChange(
  { hub, views, sequencer }: StreamContext,
  userId: number,
  change: PrivateChange,
): void {
  sequencer.change(userId, messageCount(change), async (last) => {
    const hasListener = TOPICS.some((topic) => hub.readersOf(topic, userId).length > 0)
    if (hasListener) sendAll(hub, userId, await messagesFor(views, userId, change), last)
  })
}

async function messagesFor(
  { ordersOf, codeOf, fundsOf, recordsOf }: PrivateViews,
  userId: number,
  change: PrivateChange,
): Promise<PrivateMessage[]> {
  const { orderIds, postings } = change
  const [orders, funds] = [known(await ordersOf(userId, orderIds)), known(await fundsOf(userId))]
  const recordOf = await recordsOf(userId, postings)
  return messagesOf(userId, change, {
    orders: new Map(orders.map((order) => [order.id, order])),
    codeOf,
    funds,
    recordOf,
  })
}

/** Throws when the value is unavailable; the client then sees a gap in the numbers. */
function known<T extends object>(value: T | Refusal): T {
  if (isRefusal(value)) throw new Error(`a change cannot be shown: ${value.rejected}`)
  return value
}

/** Encodes each frame once per language. */
function sendAll(hub: SocketHub, userId: number, messages: readonly PrivateMessage[], last: number): void {
  messages.forEach(({ topic, message }, index) => {
    const seq = last + index + 1
    const frames = new Map<Language, string>()
    for (const client of hub.readersOf(topic, userId)) {
      const { language } = client
      const frame = frames.get(language) ?? frameOf({ ...message(translatorFor(language), seq), seq })
      frames.set(language, frame)
      hub.send(client, frame)
    }
  })
}

/** Frames of the current state, under the number of the last change. */
type Present = (userId: number, seq: number) => Promise<readonly string[]>

/** Sends the current state to each new subscriber. */
function sendSnapshots({ hub, engine, views, sequencer, now }: StreamContext): void {
  const sendOnSubscribe = (channel: Channel, present: Present) =>
    hub.onSubscribe(channel, (client) => {
      const { user } = client
      if (!user) return []
      sequencer.join(user.id)
      return sequencer.enqueue(user.id, async (last) => {
        const frames = await present(user.id, last)
        const isSubscribed = client.user?.id === user.id && client.topics.has(topicOf(channel))
        if (isSubscribed) for (const frame of frames) hub.send(client, frame)
      })
    })

  sendOnSubscribe(accountChannel, async (userId, seq) =>
    (await liveFigures(engine, [userId], now)).map((figures) => figuresFrame(figures, seq)),
  )
  sendOnSubscribe(ordersChannel, async (userId, seq) => {
    const orders = known(await views.ordersOf(userId))
    const parts = orders.length === 0 ? [[]] : slices(orders)
    return parts.map((orders) => frameOf({ type: 'orders', userId, orders, seq }))
  })
  sendOnSubscribe(fundsChannel, async (userId, seq) => {
    const funds = known(await views.fundsOf(userId))
    return [frameOf({ type: 'funds', userId, ...funds, records: [], seq })]
  })
  sendOnSubscribe(closedChannel, async () => [])
  sendOnSubscribe(noticesChannel, async () => [])
  sendOnSubscribe(chatChannel, async () => [])
  sendOnSubscribe(copyingChannel, async () => [])
  sendOnSubscribe(alertsChannel, async () => [])
}

/** The changes of one commit for one user. */
export type PrivateChange = {
  /** Epoch ms. */
  readonly at: number
  /** Changed orders, each once; a closed part is an order. */
  readonly orderIds: readonly number[]
  /** Closed positions. */
  readonly closedIds: readonly number[]
  /** Copies of which anything has changed. Their orders and money are not among the user's own. */
  readonly copyIds: readonly number[]
  /** True when a copier of the own strategy came, went or moved money. */
  readonly hasCopierChange: boolean
  readonly postings: readonly Posting[]
  /** True when a deposit or withdrawal has changed, with or without a booking. */
  readonly hasCaseStep: boolean
  readonly notices: readonly NoticeFact[]
  /** True when alerts were set, have fired or were removed. */
  readonly hasAlertChange: boolean
  /** The support chat's number of unread answers, if it has changed. */
  readonly chat?: { readonly unread: number }
}

type Changes = {
  readonly orderIds: Set<number>
  readonly closedIds: number[]
  readonly copyIds: Set<number>
  hasCopierChange: boolean
  readonly postings: Posting[]
  readonly notices: NoticeFact[]
  hasCaseStep: boolean
  hasAlertChange: boolean
}

/** True for users whose changes are published; nothing is computed for others. */
export type IsFollowed = (userId: number) => boolean

/** Whom an account concerns. */
export type Concerned = {
  /** The user an account belongs to, who also owns the accounts of copies. */
  readonly ownerOf: (accountId: number) => number
  /** The provider of a copy; null for any other account. */
  readonly providerOf: (accountId: number) => number | null
}

const NOBODY_ELSE: Concerned = { ownerOf: (accountId) => accountId, providerOf: () => null }

/** The changes of a commit for each followed user. */
export function privateChanges(
  { entry, postings, trailed }: Pick<Committed, 'entry' | 'postings' | 'trailed'>,
  isFollowed: IsFollowed,
  { ownerOf, providerOf }: Concerned = NOBODY_ELSE,
): ReadonlyMap<number, PrivateChange> {
  const byUser = new Map<number, Changes>()
  const of = (accountId: number | null): Changes | null => {
    const userId = accountId === null ? null : ownerOf(accountId)
    if (userId === null || !isFollowed(userId)) return null
    const changes = byUser.get(userId) ?? {
      orderIds: new Set(),
      closedIds: [],
      copyIds: new Set(),
      hasCopierChange: false,
      postings: [],
      hasCaseStep: false,
      notices: [],
      hasAlertChange: false,
    }
    byUser.set(userId, changes)
    return changes
  }
  for (const event of entry.events) {
    const copyId = copyOf(event, ownerOf)
    if (copyId === null) collect(event, of)
    else of(copyId)?.copyIds.add(copyId)
    const provider = copyId !== null && concernsProvider(event) ? of(providerOf(copyId)) : null
    if (provider) provider.hasCopierChange = true
  }
  for (const [userId, facts] of noticeFacts(entry)) of(userId)?.notices.push(...facts.filter(isShown))
  for (const { accountId, orderId } of trailed) of(accountId)?.orderIds.add(orderId)
  for (const posting of postings) {
    // Movements of a copy's own account are shown with the copy.
    const accountId = userOf(posting.debit) ?? userOf(posting.credit)
    if (accountId !== null && ownerOf(accountId) === accountId) of(accountId)?.postings.push(posting)
  }
  return new Map([...byUser].map(([userId, changes]) => [userId, changeOf(entry.at, changes)]))
}

/** True for events of a copy by which the number of copiers, their money or the fees of its provider change. */
const concernsProvider = ({ type }: Event): boolean =>
  type === 'copyStarted' ||
  type === 'copyEnded' ||
  type === 'copyFunded' ||
  type === 'copyReduced' ||
  type === 'performanceFeeCharged'

/** The copy that an event concerns: an account that belongs to another user's. */
function copyOf(event: Event, ownerOf: (accountId: number) => number): number | null {
  if (!('accountId' in event) || event.accountId === null) return null
  return ownerOf(event.accountId) === event.accountId ? null : event.accountId
}

function collect(event: Event, of: (userId: number) => Changes | null): void {
  switch (event.type) {
    case 'orderPlaced':
    case 'positionOpened':
    case 'stopsSet':
    case 'swapBooked':
      of(event.accountId)?.orderIds.add(event.orderId)
      return
    case 'positionReduced':
      of(event.accountId)?.orderIds.add(event.orderId).add(event.partId)
      return
    case 'alertSet':
    case 'alertFired':
    case 'alertRearmed':
    case 'alertEnded':
    case 'alertRemoved': {
      const changes = of(event.accountId)
      if (changes) changes.hasAlertChange = true
      return
    }
    case 'depositOpened':
    case 'depositEnded':
    case 'withdrawalHeld':
    case 'withdrawalApproved':
    case 'withdrawalApprovalVoided':
    case 'withdrawalPaying':
    case 'withdrawalEnded': {
      const changes = of(event.accountId)
      if (changes) changes.hasCaseStep = true
      return
    }
    case 'orderCancelled':
    case 'positionClosed':
      return collectEnd(of(event.accountId), event)
    default:
  }
}

function collectEnd(
  changes: Changes | null,
  { type, orderId }: Extract<Event, { type: 'orderCancelled' | 'positionClosed' }>,
): void {
  if (!changes) return
  changes.orderIds.add(orderId)
  if (type === 'positionClosed') changes.closedIds.push(orderId)
}

const changeOf = (at: number, { orderIds, copyIds, ...changes }: Changes): PrivateChange => ({
  ...changes,
  at,
  orderIds: [...orderIds],
  copyIds: [...copyIds],
})

/** Rows per message: the buffer for a client that reads slowly is limited. */
export const ROWS_PER_MESSAGE = 50

type Unnumbered<M> = M extends { seq: number } ? Omit<M, 'seq'> : never
type Private = Exclude<Extract<ServerMessage, { seq: number }>, { type: 'account' }>

/** A message without its number; its texts are in the language of the client. */
export type PrivateMessage = {
  readonly topic: string
  readonly message: (translate: Translate, seq: number) => Unnumbered<Private>
}

/** The data that the messages of a change contain. */
export type MessageSources = {
  readonly orders: ReadonlyMap<number, OrderView>
  readonly codeOf: NoticeSubjects['codeOf']
  readonly funds: FundsBalance
  readonly recordOf: (posting: Posting, translate: Translate) => LedgerRecord
}

/** The number of messages of a change, known before they are built. */
export const messageCount = (change: PrivateChange): number =>
  slices(change.orderIds).length +
  (change.closedIds.length > 0 ? 1 : 0) +
  (hasCopying(change) ? 1 : 0) +
  bookings(change).length +
  change.notices.length +
  (change.hasAlertChange ? 1 : 0) +
  (change.chat ? 1 : 0)

const hasCopying = ({ copyIds, hasCopierChange }: PrivateChange): boolean =>
  copyIds.length > 0 || hasCopierChange

/** The postings, sliced; a change of a deposit or withdrawal without a booking is one empty slice. */
const bookings = ({ postings, hasCaseStep }: PrivateChange): (readonly Posting[])[] =>
  postings.length === 0 && hasCaseStep ? [[]] : slices(postings)

/** The messages of a change: first orders, then closed positions, copies, bookings, notices, alerts and chat. */
export function messagesOf(userId: number, change: PrivateChange, sources: MessageSources): PrivateMessage[] {
  const { orderIds, closedIds, copyIds, notices, at } = change
  const orders = slices(orderIds).map((ids): PrivateMessage => ({
    topic: topicOf(ordersChannel),
    message: () => ({ type: 'orders', userId, orders: ids.flatMap((id) => sources.orders.get(id) ?? []) }),
  }))
  const closed: PrivateMessage = {
    topic: topicOf(closedChannel),
    message: () => ({ type: 'closed', orderIds: closedIds }),
  }
  const copying: PrivateMessage = {
    topic: topicOf(copyingChannel),
    message: () => ({ type: 'copying', userId, copyIds, hasCopierChange: change.hasCopierChange }),
  }
  const funds = bookings(change).map((booked): PrivateMessage => ({
    topic: topicOf(fundsChannel),
    message: (translate) => ({
      type: 'funds',
      userId,
      ...sources.funds,
      records: booked.map((posting) => sources.recordOf(posting, translate)),
    }),
  }))
  const noticeMessages = notices.map((fact): PrivateMessage => ({
    topic: topicOf(noticesChannel),
    message: (translate, seq) => ({
      type: 'notice',
      userId,
      notice: { id: seq, kind: fact.kind, ...noticeIn(translate, fact, sources), time: at },
    }),
  }))
  const alerts: PrivateMessage = {
    topic: topicOf(alertsChannel),
    message: () => ({ type: 'alerts', userId }),
  }
  const { chat } = change
  const chatMessages: PrivateMessage[] = chat
    ? [{ topic: topicOf(chatChannel), message: () => ({ type: 'chat', userId, unread: chat.unread }) }]
    : []
  return [
    ...orders,
    ...(closedIds.length > 0 ? [closed] : []),
    ...(hasCopying(change) ? [copying] : []),
    ...funds,
    ...noticeMessages,
    ...(change.hasAlertChange ? [alerts] : []),
    ...chatMessages,
  ]
}

/** A list in slices of at most `ROWS_PER_MESSAGE` rows. */
const slices = <T>(rows: readonly T[]): (readonly T[])[] =>
  Array.from({ length: Math.ceil(rows.length / ROWS_PER_MESSAGE) }, (_, index) =>
    rows.slice(index * ROWS_PER_MESSAGE, (index + 1) * ROWS_PER_MESSAGE),
  )
