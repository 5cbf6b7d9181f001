import type { ChatTable } from '../../database/chat-schema.ts'
import type { DeskServices } from '../desk-services.ts'
import type { CaseContents, WaitingItem, WaitingSource } from '../waiting/waiting-source.ts'

type Row = Pick<ChatTable, 'user_id' | 'waiting_since' | 'unanswered'>

/** People who wait for an answer of the support. What they have written is for that role alone, so the list does not show it. */
export function chatSource({ queries }: Pick<DeskServices, 'queries'>): WaitingSource {
  const waiting = () =>
    queries
      .selectFrom('chat')
      .select(['user_id', 'waiting_since', 'unanswered'])
      .where('waiting_since', 'is not', null)
  return {
    name: 'chat',
    list: async (most) => (await waiting().orderBy('waiting_since').limit(most).execute()).map(itemOf),
    count: async () => {
      const { count } = await queries
        .selectFrom('chat')
        .select(({ fn }) => fn.countAll<bigint>().as('count'))
        .where('waiting_since', 'is not', null)
        .executeTakeFirstOrThrow()
      return Number(count)
    },
    find: async (id) => {
      const row = await waiting().where('user_id', '=', BigInt(id)).executeTakeFirst()
      return row ? itemOf(row) : null
    },
    contents: (item) => Promise.resolve(contentsOf(item)),
  }
}

const itemOf = ({ user_id: id, waiting_since: since, unanswered }: Row): WaitingItem => ({
  ...{ id: Number(id), kind: 'chat', kindName: 'Messages', title: `Messages of ${id}` },
  what: unanswered === 1n ? '1 message without an answer' : `${unanswered} messages without an answer`,
  ...{ accountId: Number(id), amount: null, since: Number(since ?? 0n), asked: null, needsSecond: false },
  ...{ decideAct: 'answerChat', signs: [] },
})

const contentsOf = ({ since, what }: WaitingItem): CaseContents => ({
  ...{ reason: '', facts: [], changes: [], words: [], decision: 'chat' },
  noWords: 'They read your answer as you write it, and that the support has answered, never who.',
  steps: [
    { title: 'Written', state: 'done', by: null, at: since, note: what },
    { title: 'Answered by the support', state: 'now', by: null, at: null, note: 'on their screen at once' },
  ],
})
