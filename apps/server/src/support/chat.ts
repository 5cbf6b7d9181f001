import type { Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import type { ChatMessageTable } from '../database/chat-schema.ts'
import type { Queries } from '../database/open.ts'
import type { Tables } from '../database/schema.ts'
import { createSignal, type Subscribe } from '../engine/signal.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { supportAnswered } from '../notifications/notice-fact.ts'
import { writeNotice } from '../notifications/notice-row.ts'
import { chatOf, lastMessageId, setChat, writtenAfter } from './chat-rows.ts'

/** What somebody has written to the support. */
export type Written = {
  readonly userId: number
  readonly text: string
  /** The key of a picture of theirs that belongs to nothing else. */
  readonly picture: string | null
  readonly request: Request | undefined
}

/** What the support has answered; `seen`: the last message that the writer had read. */
export type Answer = {
  readonly userId: number
  readonly text: string
  /** The key of a picture that the operator has kept for it. */
  readonly picture: string | null
  readonly operator: { readonly id: number; readonly name: string }
  readonly seen: number
}

/** Something has changed for a person: `answer` is the text of what was just answered. */
export type ChatChange = { readonly userId: number; readonly at: number; readonly answer: string | null }

/** The chat of everybody with the support: whoever writes takes turns, so that numbers rise in the order of time. */
export type Chat = {
  write(written: Written): Promise<ChatMessageTable | Refusal>
  /** The same request as an earlier message: that message, or why it cannot be; null for a new one. */
  repeated(userId: number, request: Request | undefined): Promise<ChatMessageTable | Refusal | null>
  /** The person has seen the answers up to this message. */
  noteSeen(userId: number, to: number): Promise<void>
  noteSeenByDesk(userId: number, to: number): Promise<void>
  /** Writes an answer, or settles without one, in turn; `perform` hands the transaction over. */
  inTurn<T>(userId: number, work: () => Promise<T>, answer?: string): Promise<T>
  addAnswer(within: Transaction<Tables>, answer: Answer): Promise<ChatMessageTable | Refusal>
  settle(within: Transaction<Tables>, userId: number, seen: number): Promise<Refusal | null>
  readonly onChanged: Subscribe<ChatChange>
}

export type ChatOptions = {
  readonly queries: Queries
  /** Real time, epoch ms. */
  readonly now: () => number
  /** Ties a picture to the chat, in the transaction of its message; false when it is gone or belongs to another case. */
  readonly tie: (within: Transaction<Tables>, key: string, caseKey: string) => Promise<boolean>
  /** Makes a picture of the operator the person's, in the transaction of its answer; false when it is not the operator's to give. */
  readonly handOver: (
    within: Transaction<Tables>,
    key: string,
    to: { readonly operatorId: number; readonly userId: number; readonly caseKey: string },
  ) => Promise<boolean>
  /** How much one person may write; asked anew each time. */
  readonly limits: { readonly messagesPerMinute: number; readonly messagesPerDay: number }
  readonly onError: (error: unknown, doing: string) => void
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** An answer that was not seen after so long, ms, is told by mail. */
const MAIL_AFTER_MS = 5 * 60_000

export const chatKeyOf = (userId: number): string => `chat:${userId}`

export function createChat({ queries, now, tie, handOver, limits, onError }: ChatOptions): Chat {
  const changes = createSignal<ChatChange>((error) => onError(error, 'telling of a message'))
  const at = () => Math.floor(now())
  let last: Promise<unknown> = Promise.resolve()
  const takeTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work)
    last = turn.catch(() => null)
    return turn
  }
  const tell = (userId: number, answer: string | null = null) => changes.emit({ userId, at: at(), answer })

  /** Moves one of both marks forward, never back, and not beyond what was written. */
  const see = (userId: number, to: number, column: 'user_seen_id' | 'desk_seen_id') =>
    takeTurn(async () => {
      const [known, most] = [await chatOf(queries, userId), await lastMessageId(queries, BigInt(userId))]
      const seen = BigInt(to) < most ? BigInt(to) : most
      if (!known || seen <= known[column]) return
      const change = column === 'user_seen_id' ? { [column]: seen, mail_due_at: null } : { [column]: seen }
      await queries.transaction().execute((within) => setChat(within, BigInt(userId), change))
      tell(userId)
    })

  return {
    onChanged: changes.subscribe,
    repeated: (userId, request) => repeatedMessage(queries, userId, request),
    write: async (written) => {
      const row = await takeTurn(() =>
        queries.transaction().execute((within) => addMessage(within, written, at(), { tie, limits })),
      )
      if (!isRefusal(row)) tell(written.userId)
      return row
    },
    noteSeen: (userId, to) => see(userId, to, 'user_seen_id'),
    noteSeenByDesk: (userId, to) => see(userId, to, 'desk_seen_id'),
    inTurn: async (userId, work, answer) => {
      const done = await takeTurn(work)
      if (!isRefusal(done)) tell(userId, answer)
      return done
    },
    addAnswer: (within, answer) => addAnswer(within, answer, at(), handOver),
    settle: async (within, userId, seen) => {
      const left = await writtenAfter(within, BigInt(userId), BigInt(seen))
      if (left.unanswered > 0n) return refuse('formOutdated')
      await setChat(within, BigInt(userId), left)
      return null
    },
  }
}

async function repeatedMessage(
  queries: Queries,
  userId: number,
  request: Request | undefined,
): Promise<ChatMessageTable | Refusal | null> {
  if (!request) return null
  const known = await queries
    .selectFrom('chat_message')
    .selectAll()
    .where('user_id', '=', BigInt(userId))
    .where('request_id', '=', request.id)
    .executeTakeFirst()
  if (!known) return null
  return known.digest === request.digest ? known : refuse('requestIdReused')
}

async function addMessage(
  within: Transaction<Tables>,
  { userId, text, picture, request }: Written,
  at: number,
  { tie, limits }: Pick<ChatOptions, 'tie' | 'limits'>,
): Promise<ChatMessageTable | Refusal> {
  // Its twin may have been written while this one waited for its turn.
  const known = await repeatedMessage(within, userId, request)
  if (known) return known
  if (await hasWrittenTooMuch(within, userId, at, limits)) return refuse('tooManyMessages')
  if (picture !== null && !(await tie(within, picture, chatKeyOf(userId))))
    return refuse('chatPictureUnknown', { field: 'image' })
  const before = await chatOf(within, userId)
  const row: ChatMessageTable = {
    ...{ id: (await lastMessageId(within)) + 1n, user_id: BigInt(userId), operator_id: null },
    ...{ operator_name: null, text, picture, sent_at: BigInt(at) },
    ...{ request_id: request?.id ?? null, digest: request?.digest ?? null },
  }
  await within.insertInto('chat_message').values(row).execute()
  await setChat(within, row.user_id, {
    waiting_since: before?.waiting_since ?? row.sent_at,
    unanswered: (before?.unanswered ?? 0n) + 1n,
  })
  return row
}

/** By the messages themselves, so that no restart gives anybody more of them: whether the last so many are all of this minute or day. */
async function hasWrittenTooMuch(
  within: Transaction<Tables>,
  userId: number,
  at: number,
  { messagesPerMinute, messagesPerDay }: ChatOptions['limits'],
): Promise<boolean> {
  for (const [most, ms] of [
    [messagesPerMinute, MINUTE_MS],
    [messagesPerDay, DAY_MS],
  ] as const) {
    const first = await within
      .selectFrom('chat_message')
      .select('sent_at')
      .where('user_id', '=', BigInt(userId))
      .where('operator_id', 'is', null)
      .orderBy('id', 'desc')
      .limit(1)
      .offset(most - 1)
      .executeTakeFirst()
    if (first && Number(first.sent_at) > at - ms) return true
  }
  return false
}

async function addAnswer(
  within: Transaction<Tables>,
  { userId, text, picture, operator, seen }: Answer,
  at: number,
  handOver: ChatOptions['handOver'],
): Promise<ChatMessageTable | Refusal> {
  const to = { operatorId: operator.id, userId, caseKey: chatKeyOf(userId) }
  if (picture !== null && !(await handOver(within, picture, to)))
    return refuse('chatPictureUnknown', { field: 'picture' })
  const user = BigInt(userId)
  const before = await chatOf(within, userId)
  const row: ChatMessageTable = {
    ...{ id: (await lastMessageId(within)) + 1n, user_id: user, operator_id: BigInt(operator.id) },
    ...{ operator_name: operator.name, text, picture, sent_at: BigInt(at) },
    ...{ request_id: null, digest: null },
  }
  await within.insertInto('chat_message').values(row).execute()
  await writeNotice(within, { userId, at, fact: supportAnswered(text) })
  // What came after the writer had looked still waits.
  const left = await writtenAfter(within, user, BigInt(seen))
  const since = before?.waiting_since ?? null
  if (since !== null && left.waiting_since !== since)
    await within
      .insertInto('chat_answer')
      .values({ message_id: row.id, waited_ms: row.sent_at - since })
      .execute()
  await setChat(within, user, {
    ...(since === null ? {} : left),
    desk_seen_id: max(before?.desk_seen_id ?? 0n, BigInt(seen)),
    mail_due_at: before?.mail_due_at ?? row.sent_at + BigInt(MAIL_AFTER_MS),
  })
  return row
}

const max = (one: bigint, other: bigint): bigint => (one > other ? one : other)
