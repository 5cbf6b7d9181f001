import { PAGE_ROWS } from '@fairlot/contract'
import type { LedgerPage, LedgerRecord } from '@fairlot/contract'
import type { InfiniteData } from '@tanstack/react-query'

/** The user's bookings as far as they were loaded, newest first. */
export type LedgerPages = InfiniteData<LedgerPage, number>

/** Puts new bookings on top. As many pages as before: what no longer fits comes with the next one. */
export function addRecords(before: LedgerPages, added: readonly LedgerRecord[]): LedgerPages {
  const records = before.pages.flatMap((page) => page.records)
  const newest = records[0]?.id ?? 0
  const fresh = added.filter(({ id }) => id > newest).toSorted((a, b) => b.id - a.id)
  if (fresh.length === 0) return before
  const all = [...fresh, ...records]
  return {
    ...before,
    pages: before.pages.map((page, index) => ({
      records: all.slice(index * PAGE_ROWS, (index + 1) * PAGE_ROWS),
      total: page.total + fresh.length,
    })),
  }
}
