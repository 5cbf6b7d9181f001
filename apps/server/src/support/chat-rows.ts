import { CHAT_PAGE_ROWS } from '@fairlot/contract'
import type { Transaction } from 'kysely'
import type { ChatMessageTable, ChatTable } from '../database/chat-schema.ts'
import type { Queries } from '../database/open.ts'
import type { Tables } from '../database/schema.ts'

/** Messages of one person, the newest first: those before `before`, or the newest. */
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

/** Answers that a person has not seen. */
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

/** A person's messages after one of them: how many, and when the first came. */
export async function writtenAfter(
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

/** The number of the last message of one person, or of anybody; 0 for none. */
export async function lastMessageId(queries: Queries, userId?: bigint): Promise<bigint> {
  const { last } = await queries
    .selectFrom('chat_message')
    .select(({ fn }) => fn.max('id').as('last'))
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? 0n))
    .executeTakeFirstOrThrow()
  return (last as bigint | null) ?? 0n
}

/** Sets columns of a person's chat, which begins with it where there is none. */
export async function setChat(
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
