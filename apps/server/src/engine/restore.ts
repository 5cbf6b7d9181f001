import { createState, evolve, REQUEST_MEMORY_MS, requestKey, type Host, type State } from '@fairlot/core'
import type { Database, Queries } from '../database/open.ts'
import { MOST_WHOLE, type Reached } from './backlog.ts'
import { packBatch, weightOf, type PendingBatch } from './committed.ts'
import { applyFact } from './engine-facts.ts'
import { decodeWritten } from './entry-codec.ts'
import { readHead, readRows, type JournalHead } from './journal.ts'
import { eachChunk, LOAD_CHUNK } from './load-chunk.ts'
import { readReached } from './projection-write.ts'
import { loadAccounts, loadBalances, loadCases, loadOrders } from './restore-accounts.ts'
import { loadMarks, loadTerms } from './restore-terms.ts'

const LOAD_TIMEOUT_MS = 60_000

/** What a start, or a recovery, begins from. */
export type Restored = {
  readonly state: State
  readonly head: JournalHead
  /** How far the tables reach. */
  readonly reached: Reached
  /** Journal rows that the tables do not hold yet. */
  readonly unprojected: readonly PendingBatch[]
}

/**
 * Rebuilds the engine's memory: the tables are the snapshot, the rest of the journal is folded on top. All of it is read
 * as of one moment, for the last words of a process that died may still be on their way into the database.
 */
export async function restore(database: Database, host: Host): Promise<Restored> {
  const line = database.openLine({ timeoutMs: LOAD_TIMEOUT_MS, isDurable: true })
  try {
    return await line.queries
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((transaction) => restoreWithin(transaction, host))
  } finally {
    await line.close()
  }
}

/** The same within a transaction that sees one moment. */
export async function restoreWithin(queries: Queries, host: Host): Promise<Restored> {
  const state = createState(host)
  const head = await readHead(queries)
  const reached = await readReached(queries)
  await loadTerms(queries, state)
  await loadAccounts(queries, state)
  await loadBalances(queries, state)
  await loadCases(queries, state)
  await loadOrders(queries, state)
  await loadMarks(queries, state)
  await loadFacts(queries, state)
  await loadRequests(queries, state)
  const unprojected = await foldRest(queries, state, reached.seq)
  state.journalRow = head.seq + 1
  return { state, head, reached, unprojected }
}

/** What the tables do not hold yet is folded on top; however much that is, little of it is kept. */
async function foldRest(queries: Queries, state: State, after: number): Promise<PendingBatch[]> {
  const unprojected: PendingBatch[] = []
  let wholeCount = 0
  for await (const { seq, entries } of readRows(queries, after)) {
    state.journalRow = Number(seq)
    const changes = decodeWritten(entries).map(({ entry, texts }) => ({
      ...evolve(state, entry),
      ...{ entry, texts },
    }))
    const batch = { seq: Number(seq), changes }
    wholeCount += weightOf(batch)
    unprojected.push(wholeCount > MOST_WHOLE ? packBatch(batch) : batch)
  }
  return unprojected
}

async function loadFacts(queries: Queries, state: State): Promise<void> {
  for (const fact of await queries.selectFrom('engine_fact').selectAll().execute()) applyFact(state, fact)
}

/** The oldest first, as they came; of each only what tells a repeat. The newest has swept out what was too old for it. */
async function loadRequests(queries: Queries, state: State): Promise<void> {
  const newest = await queries
    .selectFrom('request')
    .select(({ fn }) => fn.max('at').as('at'))
    .executeTakeFirst()
  const since = (newest?.at ?? 0n) - BigInt(REQUEST_MEMORY_MS)
  const key = ['at', 'account_id', 'call', 'request_id'] as const
  const all = queries
    .selectFrom('request')
    .select([...key, 'digest', 'journal_seq'])
    .orderBy('at')
    .orderBy('account_id')
    .orderBy('call')
    .orderBy('request_id')
    .limit(LOAD_CHUNK)
  await eachChunk(
    (last: Awaited<ReturnType<typeof all.execute>>[number] | undefined) => {
      // By this a database finds the place in its index; by the whole key, where it stopped at that time.
      const chunk = all.where('at', '>=', last?.at ?? since)
      if (!last) return chunk.execute()
      const place = [last.at, last.account_id, last.call, last.request_id] as const
      return chunk.where(({ eb, refTuple, tuple }) => eb(refTuple(...key), '>', tuple(...place))).execute()
    },
    (row) => {
      const request = { accountId: Number(row.account_id), call: row.call, id: row.request_id }
      state.requests.set(requestKey(request), {
        digest: row.digest,
        at: Number(row.at),
        row: Number(row.journal_seq),
      })
    },
  )
}
