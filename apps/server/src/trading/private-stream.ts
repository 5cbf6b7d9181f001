import {
  accountChannel,
  chatChannel,
  closedChannel,
  fundsChannel,
  noticesChannel,
  ordersChannel,
  PRIVATE_CHANNELS,
  topicOf,
  type Channel,
  type FundsBalance,
  type LedgerRecord,
  type OrderView,
} from '@fairlot/contract'
import type { Posting } from '@fairlot/core'
import type { Committed, Engine } from '../engine/engine.ts'
import { isRefusal, type Refusal } from '../http/refusal.ts'
import { frameOf } from '../websocket/socket-client.ts'
import type { SocketHub } from '../websocket/socket-hub.ts'
import { translatorFor, type Language, type Translate } from '../i18n/translate.ts'
import { supportAnswered, type NoticeFact } from '../notifications/notice-fact.ts'
import { figuresFrame, liveFigures, publishFigures } from './account-figures-publisher.ts'
import { privateChanges, type PrivateChange } from './private-changes.ts'
import { messageCount, messagesOf, slices, type PrivateMessage } from './private-messages.ts'
import { createPrivateSequencer, type PrivateSequencer } from './private-sequencer.ts'

/**
 * Numbers of a run begin after this many times the journal's last row: more than one row can make for a user, so none comes
 * twice, and after a restart every client sees a gap.
 */
const NUMBERS_PER_ROW = 65_536

const TOPICS = PRIVATE_CHANNELS.map((channel) => topicOf(channel))

/** How a user's orders and money are shown; the same as the calls that ask for them. */
export type PrivateViews = {
  /** As `my_deal` has them, living or ended. Without numbers: all that live. */
  readonly ordersOf: (userId: number, orderIds?: readonly number[]) => Promise<readonly OrderView[] | Refusal>
  readonly fundsOf: (userId: number) => Promise<FundsBalance | Refusal>
  /** As `forexChange` has them. Rejects while they cannot be had. */
  readonly recordsOf: (
    userId: number,
    postings: readonly Posting[],
  ) => Promise<(posting: Posting, translate: Translate) => LedgerRecord>
}

export type PrivateStreamParts = {
  readonly hub: SocketHub
  readonly engine: Engine
  /** The last row of the journal at the start. */
  readonly journalRow: number
  readonly views: PrivateViews
  readonly onError: (error: unknown, doing: string) => void
}

type Setting = Omit<PrivateStreamParts, 'journalRow' | 'onError'> & { readonly turns: PrivateSequencer }

/** `answer`: what the support has just written; null for any other change. */
export type ChatNews = {
  readonly userId: number
  readonly at: number
  readonly unread: number
  readonly answer: string | null
}

export type PrivateStream = {
  /** Tells a user in words what the journal does not hold. `at`: epoch ms. */
  tell(userId: number, fact: NoticeFact, at: number): void
  /** Tells a user that the chat with the support has changed, and what was just answered, if something was. */
  tellChat(change: ChatNews): void
  stop(): void
}

/**
 * Tells each user what changes for them, on all their devices, numbered in one sequence. Changes that nobody hears have their
 * numbers as well: who comes back sees the gap.
 */
export function publishPrivately({ journalRow, onError, ...parts }: PrivateStreamParts): PrivateStream {
  let isStopped = false
  const report = (error: unknown) => isStopped || onError(error, 'telling a user of a change')
  const turns = createPrivateSequencer(journalRow * NUMBERS_PER_ROW, report)
  const setting = { ...parts, turns }
  sendSnapshots(setting)
  const stopListening = parts.engine.onCommitted((committed) => publishChange(setting, committed))
  const stopFigures = publishFigures(setting, report)
  return {
    tell: (userId, fact, at) => {
      if (!turns.has(userId)) return
      publishTo(setting, userId, { ...NOTHING, at, hasCaseStep: 'caseId' in fact, notices: [fact] })
    },
    tellChat: ({ userId, at, unread, answer }) => {
      if (!turns.has(userId)) return
      const notices = answer === null ? [] : [supportAnswered(answer)]
      publishTo(setting, userId, { ...NOTHING, at, notices, chat: { unread } })
    },
    stop: () => {
      isStopped = true
      stopFigures()
      stopListening()
    },
  }
}

const NOTHING = { orderIds: [], closedIds: [], postings: [], hasCaseStep: false, notices: [] }

function publishChange(setting: Setting, committed: Committed): void {
  for (const [userId, change] of privateChanges(committed, setting.turns.has))
    publishTo(setting, userId, change)
}

function publishTo({ hub, views, turns }: Setting, userId: number, change: PrivateChange): void {
  turns.change(userId, messageCount(change), async (last) => {
    const isHeard = TOPICS.some((topic) => hub.readersOf(topic, userId).length > 0)
    if (isHeard) sendAll(hub, userId, await messagesFor(views, userId, change), last)
  })
}

async function messagesFor(
  { ordersOf, fundsOf, recordsOf }: PrivateViews,
  userId: number,
  change: PrivateChange,
): Promise<PrivateMessage[]> {
  const { orderIds, postings } = change
  const [orders, funds] = [known(await ordersOf(userId, orderIds)), known(await fundsOf(userId))]
  const recordOf = await recordsOf(userId, postings)
  return messagesOf(userId, change, {
    orders: new Map(orders.map((order) => [order.id, order])),
    funds,
    recordOf,
  })
}

/** Throws for what cannot be had: the gap in the numbers tells it. */
function known<T extends object>(value: T | Refusal): T {
  if (isRefusal(value)) throw new Error(`a change cannot be shown: ${value.rejected}`)
  return value
}

/** Each frame is made once for all who hear it in one language. */
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

/** Frames of the present state, under the number of the last change. */
type Present = (userId: number, seq: number) => Promise<readonly string[]>

/** Sends the present state to each new subscriber. */
function sendSnapshots({ hub, engine, views, turns }: Setting): void {
  const sendOnSubscribe = (channel: Channel, present: Present) =>
    hub.onSubscribe(channel, (client) => {
      const { user } = client
      if (!user) return []
      turns.join(user.id)
      return turns.inTurn(user.id, async (last) => {
        const frames = await present(user.id, last)
        const isThere = client.user?.id === user.id && client.topics.has(topicOf(channel))
        if (isThere) for (const frame of frames) hub.send(client, frame)
      })
    })

  sendOnSubscribe(accountChannel, async (userId, seq) =>
    (await liveFigures(engine, [userId])).map((figures) => figuresFrame(figures, seq)),
  )
  sendOnSubscribe(ordersChannel, async (userId, seq) => {
    const living = known(await views.ordersOf(userId))
    const parts = living.length === 0 ? [[]] : slices(living)
    return parts.map((orders) => frameOf({ type: 'orders', userId, orders, seq }))
  })
  sendOnSubscribe(fundsChannel, async (userId, seq) => {
    const funds = known(await views.fundsOf(userId))
    return [frameOf({ type: 'funds', userId, ...funds, records: [], seq })]
  })
  sendOnSubscribe(closedChannel, async () => [])
  sendOnSubscribe(noticesChannel, async () => [])
  sendOnSubscribe(chatChannel, async () => [])
}
