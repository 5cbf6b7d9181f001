import { money } from '@fairlot/core'
import { expect, test } from 'vitest'
import type { Database, Queries } from '../../database/open.ts'
import type { Deployment } from '../../deployment.ts'
import { isRefusal } from '../../http/refusal.ts'
import { withCut } from '../../testing/faulty-database.ts'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { openFloor, type Floor } from '../../testing/trading-floor.ts'
import { START_OF_TEST } from '../../../../../testing/test-world.ts'
import { verify } from '../../verify/verify.ts'
import { createActLog } from '../acts/act-log.ts'
import { createEngineActs, journaledBy } from '../acts/engine-acts.ts'
import { tellUntoldActs } from '../acts/untold-acts.ts'
import { createDeskHub } from '../desk-hub.ts'
import type { DeskServices } from '../desk-services.ts'
import { createReceivingAccounts } from '../money/receiving-accounts.ts'
import { createAskedHalts } from '../waiting/asked-halts.ts'
import { createApprovals, approvalKey } from './approvals.ts'

const [ASKER, SECOND] = [
  { id: 1, name: 'Ada', role: 'finance' },
  { id: 2, name: 'Bo', role: 'administrator' },
] as const
const FORM = {
  ...{ currencyCode: 'USDT', protocolCode: 'TRC20', address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC' },
  ...{ dayLimit: money(5_000_000_000n), personDayLimit: null },
}
const CHANNEL = { kind: 'channel', id: null, version: 0, form: FORM, reason: 'a wallet' } as const
const HALT = { instrumentId: 1, reason: 'odd prices' }

/** The desk of one run of the server, with its topics on tables that may be cut. */
function openDesk({ engine, clock }: Floor, queries: Queries) {
  const now = () => clock.at
  const acts = createActLog(queries, now, () => undefined)
  const approvals = createApprovals({ queries, acts, now, journaled: journaledBy(engine, queries) })
  /** As a start does it. */
  const tellTheRest = async () => {
    await approvals.endDone()
    await tellUntoldActs(queries, engine, acts)
  }
  const engineActs = createEngineActs(engine, acts, tellTheRest)
  const services = { ...{ approvals, engineActs, acts, queries, now }, hub: createDeskHub() }
  const receiving = createReceivingAccounts(services)
  const askHalt = createAskedHalts({ ...services, deployment: { engine } as Deployment } as DeskServices)
  return {
    ...{ approvals, acts, receiving, askHalt, engine, engineActs, clock, tellTheRest },
  }
}

type Desk = ReturnType<typeof openDesk>
type Way = {
  ask(desk: Desk): Promise<number>
  /** Whether what was asked for has happened. */
  isDone(desk: Desk, queries: Queries): Promise<boolean>
  /** Takes it back, for the next try. */
  undo(desk: Desk, queries: Queries): Promise<unknown>
}

const idOf = (asked: object): number => (asked as { readonly approvalId: number }).approvalId

const WAYS: Readonly<Record<string, Way>> = {
  'in the tables': {
    ask: async ({ receiving }) => idOf(await receiving.ask(ASKER, CHANNEL)),
    isDone: async (_desk, queries) =>
      (await queries.selectFrom('deposit_channel').select('id').execute()).length > 0,
    undo: (_desk, queries) => queries.deleteFrom('deposit_channel').execute(),
  },
  'in the journal': {
    ask: async ({ askHalt }) => idOf(await askHalt(ASKER, HALT)),
    isDone: ({ engine }) => Promise.resolve(engine.state().halts.has(1)),
    undo: ({ engineActs, clock }) => {
      clock.at += 1
      const act = { operator: SECOND, act: 'halt', subject: 'instrument:EURUSD', reason: 'again' } as const
      return engineActs.execute(act, { type: 'haltInstrument', instrumentId: 1, reason: null })
    },
  },
}

/** What is there of an approval and of what it was about. */
async function tracesOf(desk: Desk, queries: Queries, way: Way, id: number) {
  const { status, decided_name, decided_reason } = await queries
    .selectFrom('approval')
    .selectAll()
    .where('id', '=', BigInt(id))
    .executeTakeFirstOrThrow()
  const acts = await queries
    .selectFrom('desk_act')
    .selectAll()
    .where('case_key', '=', approvalKey(id))
    .where('outcome', '=', 'done')
    .orderBy('id')
    .execute()
  const isDone = await way.isDone(desk, queries)
  const names = acts.map(({ operator_name, second_name }) => [operator_name, second_name])
  const decided = status === 'waiting' ? null : [decided_name, decided_reason]
  return { isDone, status, decided, names }
}

const NOTHING = { isDone: false, status: 'waiting', decided: null, names: [] }
const WHOLE = {
  ...{ isDone: true, status: 'approved', decided: ['Bo', 'I see it too'] },
  names: [
    ['Ada', 'Bo'],
    ['Bo', null],
  ],
}

/** Approves with a connection that breaks after so many statements; answers what the next start makes of it. */
async function dieAfter(statements: number, way: Way, database: Database, startAt: number) {
  const floor = await openFloor(database, { startAt })
  const cut = withCut(database.queries)
  const desk = openDesk(floor, cut.queries)
  const id = await way.ask(desk)
  cut.cutAfter(statements)
  const hasDied = await desk.approvals.decide(SECOND, id, true, 'I see it too').then(
    (refusal) => isRefusal(refusal),
    () => true,
  )
  await floor.engine.caughtUp()
  await floor.engine.stop()
  const next = openDesk(await openFloor(database, { startAt }), database.queries)
  await next.tellTheRest()
  const traces = await tracesOf(next, database.queries, way, id)
  if (traces.isDone) await way.undo(next, database.queries)
  await next.engine.caughtUp()
  await next.engine.stop()
  return { hasDied, traces }
}

onEveryDatabase('an approval that the server dies over', (databases) => {
  test.each(Object.keys(WAYS))(
    'is there whole or not at all, wherever it dies: %s',
    async (name) => {
      const way = WAYS[name] as Way
      const seen = new Set<string>()
      const database = await databases.open()
      for (let statements = 0, hasDied = true; hasDied; statements += 1) {
        const end = await dieAfter(statements, way, database, START_OF_TEST + statements * 10)
        hasDied = end.hasDied
        expect(end.traces).toEqual(end.traces.isDone ? WHOLE : NOTHING)
        seen.add(`${hasDied} ${end.traces.isDone}`)
      }
      expect((await verify(database)).difference).toBeNull()
      // What is in the tables is taken back with them; the journal's word stands, and the next start ends its case.
      const [dead, alive] = ['true false', 'false true']
      expect([...seen].toSorted()).toEqual(
        name === 'in the tables' ? [alive, dead] : [alive, dead, 'true true'].toSorted(),
      )
    },
    60_000,
  )

  test('is ended by the next look at it, where the server lives on', async () => {
    const database = await databases.open()
    const floor = await openFloor(database)
    const cut = withCut(database.queries)
    const desk = openDesk(floor, cut.queries)
    const way = WAYS['in the journal'] as Way
    const id = await way.ask(desk)
    let statements = 0
    do {
      cut.cutAfter(statements)
      statements += 1
      await desk.approvals.decide(SECOND, id, true, 'I see it too').catch(() => null)
    } while (!(await way.isDone(desk, database.queries)))
    cut.heal()
    expect(await tracesOf(desk, database.queries, way, id)).toMatchObject({ status: 'waiting', isDone: true })
    const third = { id: 3, name: 'Cy', role: 'dealing' } as const
    expect(await desk.approvals.decide(third, id, false, 'no need')).toMatchObject({ rejected: 'caseEnded' })
    expect(await tracesOf(desk, database.queries, way, id)).toEqual(WHOLE)
  })

  test('opens no second case when it is asked for again by the same request', async () => {
    const { queries } = await databases.open()
    const journaled = () => Promise.resolve(null)
    const acts = createActLog(
      queries,
      () => 1,
      () => undefined,
    )
    const approvals = createApprovals({ queries, acts, now: () => 1, journaled })
    approvals.register('halt', {
      ...{ askAct: 'askHalt', decideAct: 'halt', wordsOf: () => 'nobody reads it' },
      execute: () => Promise.resolve(null),
    })
    const request = { accountId: ASKER.id, call: 'desk.askHalt', id: 'a tap', digest: 'halt 1' }
    const asked = { kind: 'halt', subject: 'instrument:EURUSD', body: {}, reason: 'odd', request }
    const ids = await Promise.all([approvals.ask(ASKER, asked), approvals.ask(ASKER, asked)])
    expect(ids).toEqual([1, 1])
    expect(await approvals.ask(ASKER, { ...asked, request: { ...request, digest: 'halt 2' } })).toMatchObject(
      {
        rejected: 'requestIdReused',
      },
    )
    const theirs = { ...asked, request: { ...request, accountId: SECOND.id } }
    expect(await approvals.ask(SECOND, theirs)).toBe(2)
    expect(await queries.selectFrom('desk_act').select('id').execute()).toHaveLength(2)
  })
})
