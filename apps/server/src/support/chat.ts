import { CHAT_PAGE_ROWS, CHAT_TEXT_LENGTH } from '@fairlot/contract'
import type { Request } from '@fairlot/core'
import type { Transaction } from 'kysely'
import { supportAnswered, writeNotice } from '../engine/projection/notice-facts.ts'
import type { Addressee, MessageWriter } from '../notices/message-writer.ts'
import type { ChatMessageTable, ChatTable } from '../platform/database/chat-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Tables } from '../platform/database/schema.ts'
import { createMutex } from '../platform/concurrency.ts'
import { createEmitter, type Subscribe } from '../platform/emitter.ts'
import { isRefusal, type Refusal, refuse } from '../platform/refusal.ts'

/** A user's messages before the id `before`, or the latest; newest first. */
export async function messagesOf(
  queries: Queries,
  userId: number,
  before: number | null,
): Promise<{ readonly rows: readonly ChatMessageTable[]; readonly hasMore: boolean }> {
  const found = await queries
    .selectFrom('chat_message')
    .selectAll()
    .where('user_id', '=', BigInt(userId))
    .$if(before !== null, (query) => query.where('id', '<', BigInt(before ?? 0)))
    .orderBy('id', 'desc')
    .limit(CHAT_PAGE_ROWS + 1)
    .execute()
  return { rows: found.slice(0, CHAT_PAGE_ROWS), hasMore: found.length > CHAT_PAGE_ROWS }
}

export const chatOf = (queries: Queries, userId: number): Promise<ChatTable | undefined> =>
  queries.selectFrom('chat').selectAll().where('user_id', '=', BigInt(userId)).executeTakeFirst()

/** The number of answers that a user has not seen. */
export async function unreadOf(queries: Queries, userId: number): Promise<number> {
  const seen = (await chatOf(queries, userId))?.user_seen_id ?? 0n
  const { count } = await queries
    .selectFrom('chat_message')
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .where('user_id', '=', BigInt(userId))
    .where('id', '>', seen)
    .where('operator_id', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** A user's messages after a given one: how many, and when the first was sent. */
async function writtenAfter(
  within: Transaction<Tables>,
  userId: bigint,
  after: bigint,
): Promise<Pick<ChatTable, 'waiting_since' | 'unanswered'>> {
  const { count, first } = await within
    .selectFrom('chat_message')
    .select(({ fn }) => [fn.countAll<bigint>().as('count'), fn.min('sent_at').as('first')])
    .where('user_id', '=', userId)
    .where('id', '>', after)
    .where('operator_id', 'is', null)
    .executeTakeFirstOrThrow()
  return { unanswered: BigInt(count), waiting_since: first === null ? null : BigInt(first) }
}

/** The id of the last message of one user or of all; 0 for none. */
async function lastMessageId(queries: Queries, userId?: bigint): Promise<bigint> {
  const { last } = await queries
    .selectFrom('chat_message')
    .select(({ fn }) => fn.max('id').as('last'))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0n))
    .executeTakeFirstOrThrow()
  return (last as bigint | null) ?? 0n
}

/** Updates a user's chat, or creates it. */
async function setChat(
  within: Transaction<Tables>,
  userId: bigint,
  change: Partial<Omit<ChatTable, 'user_id'>>,
): Promise<void> {
  await within
    .insertInto('chat')
    .values({ ...EMPTY, ...change, user_id: userId })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(change))
    .execute()
}

const EMPTY = {
  waiting_since: null,
  unanswered: 0n,
  user_seen_id: 0n,
  desk_seen_id: 0n,
  mail_due_at: null,
} as const

/** Why a message is rejected; null for a valid one. */
export function refusalOfMessage(text: string, mayBeEmpty: boolean): Refusal | null {
  if (text === '' && !mayBeEmpty) return refuse('messageBlank', { field: 'text' })
  return text.length > CHAT_TEXT_LENGTH
    ? refuse('messageTooLong', { field: 'text', maximumLength: CHAT_TEXT_LENGTH })
    : null
}

/** A message of a user to support staff. */
export type NewMessage = {
  readonly userId: number
  readonly text: string
  /** The key of a picture of the user that no other case uses. */
  readonly picture: string | null
  readonly request: Request | undefined
}

/** An answer of support staff; `seen` is the last message that the operator had read. */
export type Answer = {
  readonly userId: number
  readonly text: string
  /** The key of a picture that the operator has uploaded for it. */
  readonly picture: string | null
  readonly operator: { readonly id: number; readonly name: string }
  readonly seen: number
}

/** A change of a user's chat; `answer` is the text of a new answer. */
export type ChatChange = { readonly userId: number; readonly at: number; readonly answer: string | null }

/** The support chat of all users. One message is written at a time, so that ids rise in the order of time. */
export type Chat = {
  write(written: NewMessage): Promise<ChatMessageTable | Refusal>
  /** The message that this request has already written, or the refusal of a reused request id; null for a new request. */
  messageOfRequest(userId: number, request: Request | undefined): Promise<ChatMessageTable | Refusal | null>
  /** Marks answers up to a message as seen by the user. */
  noteSeen(userId: number, to: number): Promise<void>
  noteSeenByDesk(userId: number, to: number): Promise<void>
  /** Runs work that writes an answer or settles the chat under the lock of the writers, then publishes the change. */
  withLock<T>(userId: number, work: () => Promise<T>, answer?: string): Promise<T>
  addAnswer(within: Transaction<Tables>, answer: Answer): Promise<ChatMessageTable | Refusal>
  settle(within: Transaction<Tables>, userId: number, seen: number): Promise<Refusal | null>
  readonly onChanged: Subscribe<ChatChange>
}

export type ChatOptions = {
  readonly queries: Queries
  /** Real time, epoch ms. */
  readonly now: () => number
  /** Assigns a picture to the chat, in the transaction of its message; false when it is gone or belongs to another case. */
  readonly tie: (within: Transaction<Tables>, key: string, caseKey: string) => Promise<boolean>
  /** Passes an operator's picture to the user, in the transaction of its answer; false when it is not the operator's. */
  readonly handOver: (
    within: Transaction<Tables>,
    key: string,
    to: { readonly operatorId: number; readonly userId: number; readonly caseKey: string },
  ) => Promise<boolean>
  /** Limits on the messages of one user; read for each message. */
  readonly limits: { readonly messagesPerMinute: number; readonly messagesPerDay: number }
  readonly onError: (error: unknown, doing: string) => void
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
/** The user gets a mail when an answer is not seen within this time, ms. */
const MAIL_AFTER_MS = 5 * 60_000

export const chatKeyOf = (userId: number): string => `chat:${userId}`

export function createChat({ queries, now, tie, handOver, limits, onError }: ChatOptions): Chat {
  const changes = createEmitter<ChatChange>((error) => onError(error, 'publishing a chat message'))
  const at = () => Math.floor(now())
  const writing = createMutex()
  const publish = (userId: number, answer: string | null = null) => changes.emit({ userId, at: at(), answer })

  /** Moves the last seen message forward, up to the last message. */
  const moveSeen = (userId: number, to: number, column: 'user_seen_id' | 'desk_seen_id') =>
    writing(async () => {
      const [known, last] = [await chatOf(queries, userId), await lastMessageId(queries, BigInt(userId))]
      const seen = BigInt(to) < last ? BigInt(to) : last
      if (!known || seen <= known[column]) return
      const change = column === 'user_seen_id' ? { [column]: seen, mail_due_at: null } : { [column]: seen }
      await queries.transaction().execute((within) => setChat(within, BigInt(userId), change))
      publish(userId)
    })

  return {
    onChanged: changes.subscribe,
    messageOfRequest: (userId, request) => repeatedMessage(queries, userId, request),
    write: async (written) => {
      const row = await writing(() =>
        queries.transaction().execute((within) => addMessage(within, written, at(), { tie, limits })),
      )
      if (!isRefusal(row)) publish(written.userId)
      return row
    },
    noteSeen: (userId, to) => moveSeen(userId, to, 'user_seen_id'),
    noteSeenByDesk: (userId, to) => moveSeen(userId, to, 'desk_seen_id'),
    withLock: async (userId, work, answer) => {
      const done = await writing(work)
      if (!isRefusal(done)) publish(userId, answer)
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
  { userId, text, picture, request }: NewMessage,
  at: number,
  { tie, limits }: Pick<ChatOptions, 'tie' | 'limits'>,
): Promise<ChatMessageTable | Refusal> {
  // The same request may have been written while this one waited for the lock.
  const known = await repeatedMessage(within, userId, request)
  if (known) return known
  if (await hasWrittenTooMuch(within, userId, at, limits)) return refuse('tooManyMessages')
  if (picture !== null && !(await tie(within, picture, chatKeyOf(userId))))
    return refuse('chatPictureUnknown', { field: 'image' })
  const before = await chatOf(within, userId)
  const row: ChatMessageTable = {
    id: (await lastMessageId(within)) + 1n,
    user_id: BigInt(userId),
    operator_id: null,
    operator_name: null,
    text,
    picture,
    sent_at: BigInt(at),
    request_id: request?.id ?? null,
    digest: request?.digest ?? null,
  }
  await within.insertInto('chat_message').values(row).execute()
  await setChat(within, row.user_id, {
    waiting_since: before?.waiting_since ?? row.sent_at,
    unanswered: (before?.unanswered ?? 0n) + 1n,
  })
  return row
}

/** Whether the user has reached a limit. It counts stored messages, so that a restart resets nothing. */
async function hasWrittenTooMuch(
  within: Transaction<Tables>,
  userId: number,
  at: number,
  { messagesPerMinute, messagesPerDay }: ChatOptions['limits'],
): Promise<boolean> {
  for (const [limit, ms] of [
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
      .offset(limit - 1)
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
    id: (await lastMessageId(within)) + 1n,
    user_id: user,
    operator_id: BigInt(operator.id),
    operator_name: operator.name,
    text,
    picture,
    sent_at: BigInt(at),
    request_id: null,
    digest: null,
  }
  await within.insertInto('chat_message').values(row).execute()
  await writeNotice(within, { userId, at, fact: supportAnswered(text) })
  // Messages sent after the operator had read the chat still wait.
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

type MailOptions = {
  readonly queries: Queries
  readonly messageWriter: MessageWriter
  /** Null for users without an address, such as demo accounts. */
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  /** Whether the user is connected now. */
  readonly isOnline: (userId: number) => boolean
  /** Real time, epoch ms. */
  readonly now: () => number
}

/** Users per run. */
const AT_ONCE = 200
/** Users who are online are checked again after this time, ms. */
const RETRY_MS = 60_000

/** Mails users who have not seen an answer for a while and are offline. The mail does not contain the answer. */
export async function mailUnseenAnswers(options: MailOptions): Promise<void> {
  const { queries, messageWriter, contactOf, isOnline, now } = options
  const due = await queries
    .selectFrom('chat')
    .select('user_id')
    .where('mail_due_at', '<=', BigInt(Math.floor(now())))
    .orderBy('mail_due_at')
    .limit(AT_ONCE)
    .execute()
  for (const { user_id: id } of due) {
    const isConnected = isOnline(Number(id))
    const contact = isConnected ? null : await contactOf(Number(id))
    await queries.transaction().execute(async (within) => {
      if (contact) await messageWriter.write('supportAnswered', contact, {}, within)
      await within
        .updateTable('chat')
        .set({ mail_due_at: isConnected ? BigInt(Math.floor(now()) + RETRY_MS) : null })
        .where('user_id', '=', id)
        .execute()
    })
  }
  if (due.length > 0) messageWriter.send()
}
