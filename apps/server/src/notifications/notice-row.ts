import { randomUUID } from 'node:crypto'
import type { Queries } from '../database/database.ts'
import type { NoticeTable } from '../database/notice-schema.ts'
import { isMailed, type NoticeFact } from './notice-fact.ts'

/** A notice on its way into its table: when it was, epoch ms, for whom, and what. */
export type NewNotice = { readonly userId: number; readonly at: number; readonly fact: NoticeFact }

/** The row of a notice; for both ways into the table. */
export const noticeRow = (
  id: string,
  { userId, at, fact: { kind, ...facts } }: NewNotice,
  mail: 'due' | 'none',
) => ({
  ...{ id, user_id: userId, at: Math.floor(at), kind },
  ...{ facts: JSON.stringify(facts), read_at: null, mail, mailed_at: null },
})

/** Writes a notice that the journal does not hold, inside the transaction that is its reason. */
export async function writeNotice(within: Queries, notice: NewNotice): Promise<void> {
  const row = noticeRow(randomUUID(), notice, isMailed(notice.fact) ? 'due' : 'none')
  await within
    .insertInto('notice')
    .values({ ...row, user_id: BigInt(row.user_id), at: BigInt(row.at) })
    .execute()
}

/** What a row of the table says. */
export const factOfRow = ({ kind, facts }: Pick<NoticeTable, 'kind' | 'facts'>): NoticeFact =>
  ({ kind, ...(JSON.parse(facts) as object) }) as NoticeFact
