import { requestKey, type Entry, type Request } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import { readWritten } from './journal.ts'

/** What a request did when it was accepted: the entry with it in a journal row. Null where there is none. */
export async function readRequestEntry(
  queries: Queries,
  row: number,
  request: Request,
): Promise<Entry | null> {
  const key = requestKey(request)
  const entries = (await readWritten(queries, row, row)).get(row) ?? []
  const found = entries.find(({ entry }) => entry.request !== null && requestKey(entry.request) === key)
  return found?.entry ?? null
}
