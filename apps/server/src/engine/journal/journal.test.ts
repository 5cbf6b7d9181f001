import { type Entry, money, REQUEST_RETENTION_MS, transact } from '@fairlot/core'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database, DatabaseKind, Queries } from '../../platform/database/open.ts'
import type { JournalTable } from '../../platform/database/schema.ts'
import { everyDatabase, onEveryDatabase } from '../../testing/on-every-database.ts'
import { encodeEntry } from './entry-codec.ts'
import {
  type Append,
  createAppend,
  findBrokenLink,
  headAt,
  type JournalBatch,
  nextRow,
  readHead,
  readJournal,
  readRequestEntry,
} from './journal.ts'
import { openSimulation } from '../../testing/journal-simulation.ts'

const entryAt = (at: number): Entry => ({
  at,
  author: { type: 'user', accountId: at },
  request: null,
  events: [{ type: 'accountOpened', accountId: at, ledger: 'demo', transfers: [] }],
})

const encoded = (entries: readonly Entry[]) => ({
  at: entries.at(-1)?.at ?? 0,
  entries: entries.map(encodeEntry),
})

function appendTo(database: Database): Append {
  const connection = database.openConnection({ timeoutMs: 5_000, isDurable: true })
  onTestFinished(connection.close)
  return createAppend(connection)
}

async function appendRows(database: Database, count: number): Promise<JournalTable[]> {
  const { queries } = database
  const rows: JournalTable[] = []
  const append = appendTo(database)
  let head = await readHead(queries)
  for (let index = 1; index <= count; index += 1) {
    const row = nextRow(head, encoded([entryAt(index), entryAt(index)]), 'me')
    await append(row)
    head = headAt(row)
    rows.push(row)
  }
  return rows
}

async function batchesAfter(queries: Queries, after: number): Promise<JournalBatch[]> {
  const batches: JournalBatch[] = []
  for await (const batch of readJournal(queries, after)) batches.push(batch)
  return batches
}

/** A forgery by somebody with full access to the database. */
const forge = (queries: Queries, kind: DatabaseKind, change: Partial<JournalTable>, seq: bigint) =>
  queries.transaction().execute(async (transaction) => {
    if (kind === 'sqlite') await sql`drop trigger journal_no_update`.execute(transaction)
    else await sql`set local session_replication_role = replica`.execute(transaction)
    await transaction.updateTable('journal').set(change).where('seq', '=', seq).execute()
  })

describe.each(everyDatabase)('journal, $kind', (databases) => {
  it('is empty at first', async () => {
    const { queries } = await databases.open()
    expect(await readHead(queries)).toMatchObject({ seq: 0, at: 0 })
    expect(await batchesAfter(queries, 0)).toEqual([])
    expect(await findBrokenLink(queries)).toBeNull()
  })

  it('returns its batches in order, from any row on', async () => {
    const database = await databases.open()
    const { queries } = database
    const rows = await appendRows(database, 120)
    const batches = await batchesAfter(queries, 0)
    expect(batches.map((batch) => batch.seq)).toEqual(rows.map((row) => Number(row.seq)))
    expect(batches[41]?.entries).toEqual([entryAt(42), entryAt(42)])
    expect((await batchesAfter(queries, 117)).map((batch) => batch.seq)).toEqual([118, 119, 120])
    expect(await readHead(queries)).toEqual({ seq: 120, at: 120, hash: rows.at(-1)?.hash })
    expect(await findBrokenLink(queries)).toBeNull()
  })

  it('lets only one of two writers append after the same row', async () => {
    const database = await databases.open()
    const { queries } = database
    const head = await readHead(queries)
    const append = appendTo(database)
    await append(nextRow(head, encoded([entryAt(1)]), 'me'))
    await expect(append(nextRow(head, encoded([entryAt(1)]), 'other'))).rejects.toThrow(/unique/i)
  })

  it.each([
    { entries: '[]' },
    { at: 9n },
    { writer: 'other' },
    { hash: 'f'.repeat(64) },
    { previous_hash: 'f'.repeat(64) },
  ])('finds a forged row: %o', async (change) => {
    const database = await databases.open()
    const { queries } = database
    await appendRows(database, 5)
    await forge(queries, databases.kind, change, 3n)
    expect(await findBrokenLink(queries)).toBe(3)
  })

  it('finds a missing row, even where the forger has hashed the next one again', async () => {
    const database = await databases.open()
    const { queries } = database
    const rows = await appendRows(database, 5)
    const [, second] = rows
    if (!second) throw new Error('no second row')
    const { entries, at, previous_hash, hash } = nextRow(
      headAt(second),
      encoded([entryAt(4), entryAt(4)]),
      'me',
    )
    await forge(queries, databases.kind, { entries, at, previous_hash, hash }, 3n)
    expect(await findBrokenLink(queries)).toBe(4)
  })
})

const named = (accountId: number, id: string) => ({ accountId, call: 'deposit', id, digest: 'd' })

onEveryDatabase('a repeated request', ({ open }) => {
  it('finds its entry in its journal row, among others', async () => {
    const database = await open()
    const simulation = await openSimulation(database)
    const { at } = simulation.clock
    const deposit = (id: string) =>
      ({ type: 'openDeposit', at, accountId: 1, amount: 5n as never, request: named(1, id) }) as const
    await simulation.execute({ type: 'openAccount', at, ledger: 'real' }, deposit('a'), deposit('b'))
    const row = simulation.state().requests.get('1 deposit b')?.row ?? -1
    expect(row).toBe(2)
    expect(await readRequestEntry(database.queries, row, named(1, 'b'))).toMatchObject({
      at,
      request: named(1, 'b'),
      events: [{ type: 'depositOpened', caseId: 2, amount: 5n }],
    })
    expect(await readRequestEntry(database.queries, row, named(1, 'c'))).toBeNull()
    expect(await readRequestEntry(database.queries, 7, named(1, 'b'))).toBeNull()
  })

  it('is recognised from the tables for 48 hours after a restart, and no longer', async () => {
    const database = await open()
    const simulation = await openSimulation(database)
    const { at } = simulation.clock
    const deposit = (id: string, sentAt: number, digest = 'd') => {
      const request = { ...named(1, id), digest }
      return { type: 'openDeposit', at: sentAt, accountId: 1, amount: money(5n), request } as const
    }
    await simulation.execute(
      { type: 'openAccount', at, ledger: 'real' },
      deposit('a', at),
      deposit('ü b', at + 1),
    )
    await simulation.caughtUp()
    await simulation.restart()
    const repeat = (id: string, sentAt: number, digest?: string) => {
      let answer = transact(simulation.core(), deposit(id, sentAt, digest))
      // Due work comes first.
      while ('hasMore' in answer && answer.hasMore)
        answer = transact(simulation.core(), deposit(id, sentAt, digest))
      return answer
    }
    const row = 2
    expect(repeat('a', at + REQUEST_RETENTION_MS)).toMatchObject({ repeatOf: row })
    expect(repeat('ü b', at + REQUEST_RETENTION_MS)).toMatchObject({ repeatOf: row })
    expect(repeat('a', at, 'another')).toMatchObject({ rejected: 'requestIdReused' })
    expect(repeat('a', at + REQUEST_RETENTION_MS + 1)).toMatchObject({ repeatOf: null })
  })
})
