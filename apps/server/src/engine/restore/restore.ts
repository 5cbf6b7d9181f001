import { createCore, evolve, REQUEST_MEMORY_MS, type Core, type Host, type State } from '@fairlot/core'
import { sql } from 'kysely'
import type { Database, Queries, Reading } from '../../database/open.ts'
import { MOST_WHOLE, type ProjectionPosition } from '../projection/backlog.ts'
import { packBatch, weightOf, type PendingBatch } from '../projection/committed-batch.ts'
import { applyFact } from '../projection/engine-facts.ts'
import { decodeWritten } from '../journal/entry-codec.ts'
import { readHead, readRows, type JournalHead } from '../journal/journal.ts'
import { readProjectionPosition } from '../projection/projection-write.ts'
import { loadAccounts, loadBalances, loadCases, loadOrders } from './restore-accounts.ts'
import { loadMarks, loadTerms } from './restore-terms.ts'

/** One statement reads a whole table. */
const LOAD_TIMEOUT_MS = 300_000

/** What a start, or a recovery, begins from. */
export type Restored = {
  readonly core: Core
  readonly head: JournalHead
  /** How far the tables reach. */
  readonly reached: ProjectionPosition
  /** Journal rows that the tables do not hold yet. */
  readonly unprojected: readonly PendingBatch[]
}

/**
 * Rebuilds the engine's memory: the tables are the snapshot, the rest of the journal is folded on top. All of it is read
 * in one snapshot: the last commits of a process that died may still be arriving in the database.
 */
export async function restore(database: Database, host: Host): Promise<Restored> {
  const line = database.openLine({ timeoutMs: LOAD_TIMEOUT_MS, isDurable: true })
  try {
    return await line.queries
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((queries) => restoreWithin({ ...database, queries }, host))
  } finally {
    await line.close()
  }
}

/** The same within a transaction that sees one moment. */
export async function restoreWithin(reading: Reading, host: Host): Promise<Restored> {
  const { queries } = reading
  const core = createCore(host)
  const { state } = core
  const head = await readHead(queries)
  const reached = await readProjectionPosition(queries)
  await loadTerms(queries, core)
  await loadAccounts(reading, core)
  await loadBalances(reading, state)
  await loadCases(reading, state)
  await loadOrders(reading, core)
  await loadMarks(queries, core)
  await loadFacts(queries, core)
  await loadRequests(reading, state)
  const unprojected = await foldRest(queries, core, reached.seq)
  core.journalRow = head.seq + 1
  return { core, head, reached, unprojected }
}

/** What the tables do not hold yet is folded on top; however much that is, little of it is kept. */
async function foldRest(queries: Queries, core: Core, after: number): Promise<PendingBatch[]> {
  const unprojected: PendingBatch[] = []
  let wholeCount = 0
  for await (const { seq, entries } of readRows(queries, after)) {
    core.journalRow = Number(seq)
    const changes = decodeWritten(entries).map(({ entry, texts }) => ({
      ...evolve(core, entry),
      ...{ entry, texts },
    }))
    const batch = { seq: Number(seq), changes }
    wholeCount += weightOf(batch)
    unprojected.push(wholeCount > MOST_WHOLE ? packBatch(batch) : batch)
  }
  return unprojected
}

async function loadFacts(queries: Queries, core: Core): Promise<void> {
  for (const fact of await queries.selectFrom('engine_fact').selectAll().execute()) applyFact(core, fact)
}

/** The oldest first; of each only what identifies a repeat. Requests too old when the newest came are left out. */
async function loadRequests({ queries, scanRows }: Reading, state: State): Promise<void> {
  const newest = await queries
    .selectFrom('request')
    .select(({ fn }) => fn.max('at').as('at'))
    .executeTakeFirst()
  const since = Number(newest?.at ?? 0n) - REQUEST_MEMORY_MS
  const query = queries
    .selectFrom('request')
    .select([
      // As `requestKey` writes it: one text is read in a third of the time of three.
      sql<string>`account_id || ' ' || call || ' ' || request_id`.as('key'),
      ...(['digest', 'at', 'journal_seq'] as const),
    ])
    .where('at', '>=', sql.lit(BigInt(since)))
    .orderBy('at')
  await scanRows(queries, {
    query,
    take: (row) => {
      state.requests.set(row.text(), { digest: row.text(), at: row.number(), row: row.number() })
    },
  })
}
