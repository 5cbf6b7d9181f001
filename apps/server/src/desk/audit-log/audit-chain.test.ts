import type { DeskActTable } from '../../platform/database/desk-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import { describe, expect, it } from 'vitest'
import { TEST_OPERATOR } from '../../../../../testing/test-world.ts'
import { hashOfAuditEntry } from '../../platform/database/audit-hash.ts'
import { createFollowUps } from '../../engine/follow-ups.ts'
import { UNAVAILABLE } from '../../engine/queue.ts'
import { createAuditLog } from './audit-log.ts'
import { lastEntry } from './chain-mail.ts'
import { createEngineCommands } from './engine-commands.ts'
import { everyDatabase, type Databases } from '../../testing/on-every-database.ts'
import { createHarness } from '../../testing/engine-harness.ts'
import { readPublishedHash, publishedHashDifference } from '../../verify/mailed-hashes.ts'
import { differenceWith } from '../../verify/test-kit.ts'
import { verify } from '../../verify/verify.ts'

const DEALING = { id: 1, name: 'Dee', role: 'dealing' } as const
/** A second halt within four hours needs two operators. */
const SECOND = { id: 2, name: 'Bo', role: 'administrator' } as const

/** A desk beside a test engine, with halts that are recorded in the audit log and halts that are not. */
async function openDesk(databases: Databases) {
  const database = await databases.open()
  const { queries } = database
  const { engine, clock } = await createHarness(database)
  const auditLog = createAuditLog(
    queries,
    () => clock.at,
    () => {},
  )
  const followUps = createFollowUps({ queries, engine, now: () => clock.at })
  const engineCommands = createEngineCommands(followUps, auditLog, () => Promise.resolve(null))
  const halt = (reason: string | null) => {
    clock.at += 1
    const entry = {
      operator: DEALING,
      second: SECOND,
      act: 'halt',
      subject: 'instrument:EURUSD',
      reason: 'a test',
    } as const
    return engineCommands.execute(entry, { type: 'haltInstrument', instrumentId: 1, reason })
  }
  /** As if the server had crashed before it received the outcome. */
  const haltUnrecorded = async (reason: string) => {
    clock.at += 1
    const second = { id: SECOND.id, role: SECOND.role }
    const by = { ...TEST_OPERATOR, role: 'dealing', second } as const
    await engine.execute({ type: 'haltInstrument', instrumentId: 1, reason, by })
  }
  return {
    database,
    queries,
    engine,
    auditLog,
    clock,
    halt,
    haltUnrecorded,
    caughtUp: () => engine.caughtUp(),
  }
}

/** Edits an audit entry as the owner of the database could, with a matching hash of the row. */
async function forge(
  queries: Queries,
  id: bigint,
  edit: Partial<Pick<DeskActTable, 'reason' | 'case_key' | 'journal_at'>>,
) {
  const { hash: _hash, ...row } = await queries
    .selectFrom('desk_act')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const forged = { ...row, ...edit }
  await queries
    .updateTable('desk_act')
    .set({ ...edit, hash: hashOfAuditEntry(forged) })
    .where('id', '=', id)
    .execute()
}

describe.each(everyDatabase)('verification of the audit log, $kind', (databases) => {
  it('finds nothing if audit log and journal agree', async () => {
    const { database, halt, caughtUp } = await openDesk(databases)
    await halt('one')
    await halt(null)
    await caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })

  it('finds an entry that was edited, removed, or pointed at another journal entry', async () => {
    const { database, halt, caughtUp } = await openDesk(databases)
    for (const reason of ['one', null, 'three']) await halt(reason)
    await caughtUp()
    const broken = /the audit log is broken at audit entry 2/
    const edit = (queries: Queries) =>
      queries.updateTable('desk_act').set({ reason: 'kind' }).where('id', '=', 2n).execute()
    expect(await differenceWith(database, edit)).toMatch(broken)
    const remove = (queries: Queries) => queries.deleteFrom('desk_act').where('id', '=', 1n).execute()
    expect(await differenceWith(database, remove)).toMatch(broken)
    // With a matching hash, the next entry reveals it, or the journal does.
    expect(await differenceWith(database, (queries) => forge(queries, 1n, { case_key: 'another' }))).toMatch(
      broken,
    )
    expect(await differenceWith(database, (queries) => forge(queries, 1n, { reason: 'kind' }))).toMatch(
      /audit entry 1: reason is "kind", it should be "a test"/,
    )
    expect(await differenceWith(database, (queries) => forge(queries, 3n, { journal_at: 5n }))).toMatch(
      /audit entry 3: names an entry of the journal at 5 of operator 1: there is none/,
    )
  })

  it('finds a journal entry without audit entry, except the last, which may still be written', async () => {
    const { database, halt, haltUnrecorded, caughtUp } = await openDesk(databases)
    await halt('one')
    await haltUnrecorded('two')
    await caughtUp()
    expect((await verify(database)).difference).toBeNull()
    await halt('three')
    await caughtUp()
    expect((await verify(database)).difference).toMatch(/is in the journal and not in the audit log$/)
  })

  it('finds no gap after a crash between the journal and the audit log: the next start fills it', async () => {
    const { database, queries, engine, auditLog, clock, halt, caughtUp } = await openDesk(databases)
    const now = () => clock.at
    const crashingLog = { ...auditLog, record: () => Promise.reject(new Error('died')) }
    const crashedCommands = createEngineCommands(createFollowUps({ queries, engine, now }), crashingLog, () =>
      Promise.resolve(null),
    )
    clock.at += 1
    expect(
      await crashedCommands.execute(
        { operator: DEALING, second: SECOND, act: 'halt', subject: 'instrument:EURUSD', reason: 'no more' },
        { type: 'haltInstrument', instrumentId: 1, reason: 'odd' },
      ),
    ).toHaveProperty('entry')
    expect(await lastEntry(queries)).toBeUndefined()
    const next = createFollowUps({ queries, engine, now })
    createEngineCommands(next, auditLog, () => Promise.resolve(null))
    expect(await next.settle()).toBe(1)
    expect(await next.settle()).toBe(0)
    expect(await lastEntry(queries)).toMatchObject({
      act: 'halt',
      outcome: 'done',
      operator_id: 1n,
      reason: 'no more',
    })
    await halt('three')
    await caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })

  it('records every decision after a crash, also several of one millisecond', async () => {
    const { database, queries, engine, auditLog, clock, caughtUp } = await openDesk(databases)
    const now = () => clock.at
    const accounts = [1, 2]
    for (const _account of accounts) await engine.execute({ type: 'openAccount', ledger: 'real' })
    const crashingLog = { ...auditLog, record: () => Promise.reject(new Error('died')) }
    const crashedCommands = createEngineCommands(createFollowUps({ queries, engine, now }), crashingLog, () =>
      Promise.resolve(null),
    )
    const freeze = (accountId: number) =>
      crashedCommands.execute(
        {
          operator: SECOND,
          act: 'restrictPerson',
          subject: `person:${accountId}`,
          accountId,
          after: { status: 'frozen' },
          reason: 'a test',
        },
        { type: 'setAccountStatus', accountId, status: 'frozen' },
      )
    for (const outcome of await Promise.all(accounts.map(freeze))) expect(outcome).toHaveProperty('entry')
    const next = createFollowUps({ queries, engine, now })
    createEngineCommands(next, auditLog, () => Promise.resolve(null))
    await next.settle()
    const recorded = await queries.selectFrom('desk_act').select(['account_id', 'journal_at']).execute()
    const at = BigInt(clock.at)
    expect(recorded.toSorted((a, b) => Number(a.account_id) - Number(b.account_id))).toEqual([
      { account_id: 1n, journal_at: at },
      { account_id: 2n, journal_at: at },
    ])
    await caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })

  it('finds entries removed from the end of a run, once the next run has lasted a while', async () => {
    const { database, engine, clock, halt, caughtUp } = await openDesk(databases)
    await halt('one')
    await halt(null)
    await caughtUp()
    await engine.stop()
    const next = await createHarness(database, { startAt: clock.at + 60_000 })
    const cut = (queries: Queries) => queries.deleteFrom('desk_act').where('id', '=', 2n).execute()
    const openAccount = async () => {
      await next.openAccount()
      await next.engine.caughtUp()
    }
    await openAccount()
    // A server that has just started may still have to write it.
    expect(await differenceWith(database, cut)).toBeNull()
    next.clock.at += 3_600_000
    await openAccount()
    expect((await verify(database)).difference).toBeNull()
    expect(await differenceWith(database, cut)).toMatch(
      /^instrumentHalted at \d+ of operator 1 is in the journal and not in the audit log$/,
    )
  })

  it('finds no gap after the database was away between the two: the next action fills it, once', async () => {
    const { database, queries, engine, auditLog, clock, caughtUp } = await openDesk(databases)
    const away = new Set(['record'])
    const followUps = createFollowUps({
      queries,
      now: () => clock.at,
      engine: {
        ...engine,
        execute: async (command) => {
          const answer = await engine.execute(command)
          return away.delete('answer') ? UNAVAILABLE : answer
        },
      },
    })
    const record: typeof auditLog.record = (...given) =>
      away.delete('record') ? Promise.reject(new Error('away')) : auditLog.record(...given)
    const engineCommands = createEngineCommands(followUps, { ...auditLog, record }, () =>
      Promise.resolve(null),
    )
    const halt = (reason: string) => {
      clock.at += 1
      return engineCommands.execute(
        { operator: DEALING, second: SECOND, act: 'halt', subject: 'instrument:EURUSD', reason },
        { type: 'haltInstrument', instrumentId: 1, reason },
      )
    }
    expect(await halt('journaled, not recorded')).toHaveProperty('entry')
    away.add('answer')
    expect(await halt('nobody knows')).toMatchObject({ rejected: 'engineUnavailable' })
    expect(await Promise.all([halt('three'), halt('four')])).toMatchObject([{ repeatOf: null }, {}])
    await caughtUp()
    expect((await verify(database)).difference).toBeNull()
    const entries = await queries.selectFrom('desk_act').select('reason').orderBy('id').execute()
    expect(entries.map(({ reason }) => reason).toSorted()).toEqual([
      'four',
      'journaled, not recorded',
      'nobody knows',
      'three',
    ])
  })

  it('finds a rewritten row by a hash that was kept elsewhere', async () => {
    const { queries, halt } = await openDesk(databases)
    await halt('one')
    const { id, hash } = (await lastEntry(queries)) ?? { id: 0n, hash: '' }
    const published = readPublishedHash(`${id}:${hash}`)
    if (!published) throw new Error('not read')
    expect(await publishedHashDifference(queries, 'desk_act', published)).toBeNull()
    expect(
      await publishedHashDifference(queries, 'desk_act', { ...published, hash: '0'.repeat(64) }),
    ).toMatch(/was rewritten since/)
    expect(await publishedHashDifference(queries, 'journal', { ...published, number: 999 })).toMatch(
      /is missing/,
    )
    expect(readPublishedHash('12')).toBeNull()
  })
})
