import { requestKey, type Entry, type Request } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import { decodeEvents } from './entry-codec.ts'
import { readWritten } from './journal.ts'

/**
 * What a request did when it was accepted: the entry with it in a journal row, or for row 0 what the first version kept beside
 * the journal. Null where there is none.
 */
export async function readRequestEntry(
  queries: Queries,
  row: number,
  request: Request,
): Promise<Entry | null> {
  if (row === 0) return readKeptEntry(queries, request)
  const key = requestKey(request)
  const entries = (await readWritten(queries, row, row)).get(row) ?? []
  const found = entries.find(({ entry }) => entry.request !== null && requestKey(entry.request) === key)
  return found?.entry ?? null
}

async function readKeptEntry(queries: Queries, request: Request): Promise<Entry | null> {
  const { accountId, call, id } = request
  const kept = await queries
    .selectFrom('request')
    .select(['digest', 'at', 'events'])
    .where('account_id', '=', BigInt(accountId))
    .where('call', '=', call)
    .where('request_id', '=', id)
    .where('journal_seq', '=', 0n)
    .executeTakeFirst()
  if (!kept) return null
  return {
    at: Number(kept.at),
    author: { type: 'user', accountId },
    request: { ...request, digest: kept.digest },
    events: decodeEvents(kept.events),
  }
}
