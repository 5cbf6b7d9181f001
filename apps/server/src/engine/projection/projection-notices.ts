/** What users are told of as rows of its table. */
import type { Entry } from '@fairlot/core'
import type { Written } from '../../database/bulk.ts'
import type { NoticeTable } from '../../database/notice-schema.ts'
import { isMailed } from '../../notifications/notice-fact.ts'
import { noticeRow } from '../../notifications/notice-row.ts'
import { noticeFacts } from './notice-facts.ts'

export type NoticeRows = Written<NoticeTable>[]

/** A row is known by its journal row and its place in it: folding twice gives the same rows. */
export function projectNotices(
  rows: NoticeRows,
  seq: number,
  entry: Pick<Entry, 'at' | 'author' | 'events'>,
): void {
  for (const [userId, facts] of noticeFacts(entry))
    for (const fact of facts) {
      const id = `${seq}.${placeAfter(rows.at(-1)?.id, seq)}`
      rows.push(noticeRow(id, { userId, at: entry.at, fact }, isMailed(fact) ? 'due' : 'none'))
    }
}

/** Entries of one journal row are folded one after the other. */
const placeAfter = (last: string | undefined, seq: number): number => {
  const [row, place] = last?.split('.') ?? []
  return row === String(seq) ? Number(place) + 1 : 0
}
