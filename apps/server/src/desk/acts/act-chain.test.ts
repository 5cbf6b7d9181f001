import type { Queries } from '../../database/open.ts'
import { describe, expect, it } from 'vitest'
import { TEST_OPERATOR } from '../../../../../testing/test-world.ts'
import { hashOfAct } from '../../database/act-hash.ts'
import { UNAVAILABLE } from '../../engine/pending-command.ts'
import { createActLog } from './act-log.ts'
import { lastAct } from './act-repository.ts'
import { createEngineActs } from './engine-acts.ts'
import { tellUntoldActs } from './untold-acts.ts'
import { everyDatabase, type Databases } from '../../testing/on-every-database.ts'
import { openFloor } from '../../testing/trading-floor.ts'
import { readToldHash, toldDifference } from '../../verify/mailed-hash.ts'
import { differenceWith } from '../../verify/test-kit.ts'
import { verify } from '../../verify/verify.ts'

const DEALING = { id: 1, name: 'Dee', role: 'dealing' } as const

/** A desk on a floor: halts as operators order them, and the same without their being written down. */
async function openDesk(databases: Databases) {
  const database = await databases.open()
  const { queries } = database
  const { engine, clock } = await openFloor(database)
  const acts = createActLog(
    queries,
    () => clock.at,
    () => {},
  )
  const tellUntold = () => tellUntoldActs(queries, engine, acts)
  const engineActs = createEngineActs(engine, acts, tellUntold)
  const halt = (reason: string | null) => {
    clock.at += 1
    const act = { operator: DEALING, act: 'halt', subject: 'instrument:EURUSD', reason: 'a test' } as const
    return engineActs.execute(act, { type: 'haltInstrument', instrumentId: 1, reason })
  }
  /** As if the server had died before it was told. */
  const haltUntold = async (reason: string) => {
    clock.at += 1
    const by = { ...TEST_OPERATOR, role: 'dealing' } as const
    await engine.execute({ type: 'haltInstrument', instrumentId: 1, reason, by })
  }
  return {
    database,
    queries,
    engine,
    acts,
    clock,
    halt,
    haltUntold,
    tellUntold,
    caughtUp: () => engine.caughtUp(),
  }
}

/** Edits an act as somebody who owns the database could, with a hash that fits the row. */
async function forge(queries: Queries, id: bigint, edit: { reason?: string; journal_at?: bigint }) {
  const { hash: _hash, ...row } = await queries
    .selectFrom('desk_act')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const forged = { ...row, ...edit }
  await queries
    .updateTable('desk_act')
    .set({ ...edit, hash: hashOfAct(forged) })
    .where('id', '=', id)
    .execute()
}

describe.each(everyDatabase)('verify, acts of operators, $kind', (databases) => {
  it('finds nothing where each act is in the journal and each entry among the acts', async () => {
    const { database, halt, caughtUp } = await openDesk(databases)
    await halt('one')
    await halt(null)
    await caughtUp()
    expect((await verify(database)).difference).toBeNull()
  })

  it('finds an act that was edited, taken out, or moved to another entry', async () => {
    const { database, halt, caughtUp } = await openDesk(databases)
    for (const reason of ['one', null, 'three']) await halt(reason)
    await caughtUp()
    const broken = /the acts of operators are broken at act 2/
    const edit = (queries: Queries) =>
      queries.updateTable('desk_act').set({ reason: 'kind' }).where('id', '=', 2n).execute()
    expect(await differenceWith(database, edit)).toMatch(broken)
    const remove = (queries: Queries) => queries.deleteFrom('desk_act').where('id', '=', 1n).execute()
    expect(await differenceWith(database, remove)).toMatch(broken)
    // With a hash that fits, the next one tells.
    expect(await differenceWith(database, (queries) => forge(queries, 1n, { reason: 'kind' }))).toMatch(
      broken,
    )
    expect(await differenceWith(database, (queries) => forge(queries, 3n, { journal_at: 5n }))).toMatch(
      /act 3 names an entry of the journal at 5 of operator 1: there is none/,
    )
  })

  it('finds an entry of the journal that no act tells of, but for the last, which the next start writes down', async () => {
    const { database, queries, engine, acts, halt, haltUntold, caughtUp } = await openDesk(databases)
    await halt('one')
    await haltUntold('two')
    await caughtUp()
    expect((await verify(database)).difference).toBeNull()
    await halt('three')
    await caughtUp()
    expect((await verify(database)).difference).toMatch(/is not among the acts of operators$/)
    expect(await tellUntoldActs(queries, engine, acts)).toBe(1)
    expect(await lastAct(queries)).toMatchObject({
      act: 'halt',
      outcome: 'done',
      operator_id: 1n,
      role: 'dealing',
    })
    expect((await verify(database)).difference).toBeNull()
    expect(await tellUntoldActs(queries, engine, acts)).toBe(0)
  })

  it('finds no gap after the database went away between journal and acts, for the next act fills it', async () => {
    const { database, queries, engine, acts, clock, tellUntold, caughtUp } = await openDesk(databases)
    const away = new Set(['tell', 'repair'])
    const engineActs = createEngineActs(
      {
        execute: async (command) => {
          const answer = await engine.execute(command)
          return away.delete('answer') ? UNAVAILABLE : answer
        },
      },
      {
        ...acts,
        tell: (act, at) => (away.delete('tell') ? Promise.reject(new Error('away')) : acts.tell(act, at)),
      },
      () => (away.delete('repair') ? Promise.reject(new Error('away')) : tellUntold()),
    )
    const halt = (reason: string) => {
      clock.at += 1
      return engineActs.execute(
        { operator: DEALING, act: 'halt', subject: 'instrument:EURUSD', reason },
        { type: 'haltInstrument', instrumentId: 1, reason },
      )
    }
    expect(await halt('journaled, not told')).toHaveProperty('entry')
    expect(await halt('still away')).toMatchObject({ rejected: 'engineUnavailable' })
    away.add('answer')
    expect(await halt('nobody knows')).toMatchObject({ rejected: 'engineUnavailable' })
    expect(await Promise.all([halt('three'), halt('four')])).toMatchObject([{ repeatOf: null }, {}])
    await caughtUp()
    expect((await verify(database)).difference).toBeNull()
    const told = await queries.selectFrom('desk_act').select(['reason', 'after']).orderBy('id').execute()
    expect(told.map(({ reason, after }) => [reason, after !== null])).toEqual([
      ['journaled, not told', true],
      ['nobody knows', true],
      ['three', false],
      ['four', false],
    ])
  })

  it('tells from a hash that was kept outside whether a row was rewritten since', async () => {
    const { queries, halt } = await openDesk(databases)
    await halt('one')
    const { id, hash } = (await lastAct(queries)) ?? { id: 0n, hash: '' }
    const told = readToldHash(`${id}:${hash}`)
    if (!told) throw new Error('not read')
    expect(await toldDifference(queries, 'desk_act', told)).toBeNull()
    expect(await toldDifference(queries, 'desk_act', { ...told, hash: '0'.repeat(64) })).toMatch(
      /was rewritten since/,
    )
    expect(await toldDifference(queries, 'journal', { ...told, number: 999 })).toMatch(/no longer there/)
    expect(readToldHash('12')).toBeNull()
  })
})
