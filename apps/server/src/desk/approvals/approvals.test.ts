import { createState, money } from '@fairlot/core'
import { expect, test } from 'vitest'
import type { Database, Queries } from '../../platform/database/open.ts'
import type { Deployment } from '../../deployment/deployment.ts'
import { isRefusal } from '../../platform/refusal.ts'
import { withCut } from '../../testing/faulty-database.ts'
import { onEveryDatabase } from '../../testing/on-every-database.ts'
import { createHarness, type Harness } from '../../testing/engine-harness.ts'
import { START_OF_TEST } from '../../../../../testing/test-world.ts'
import { verify } from '../../verify/verify.ts'
import { createAuditLog } from '../audit-log/audit-log.ts'
import { createFollowUps } from '../../engine/follow-ups.ts'
import { createEngineCommands } from '../audit-log/engine-commands.ts'
import { createDeskHub } from '../desk-socket.ts'
import type { DeskServices } from '../desk-services.ts'
import { addOperator } from '../operators/operators.ts'
import { createReceivingAccounts } from '../../funds/desk/receiving-accounts.ts'
import { createHaltRequests } from '../../market/desk/halts.ts'
import { approvalKey, createApprovals } from './approvals.ts'

const [REQUESTER, SECOND] = [
  { id: 1, name: 'Ada', role: 'finance' },
  { id: 2, name: 'Bo', role: 'administrator' },
] as const
const FORM = {
  currencyCode: 'USDT',
  protocolCode: 'TRC20',
  address: 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC',
  tag: '',
  dayLimit: money(5_000_000_000n),
  personDayLimit: null,
  fixedRate: null,
}
/** A market without prices, for accounts in dollars. */
const DOLLARS = { ...createState(), settings: { ...createState().settings, accountCurrency: 'USD' } }
const CHANNEL = { kind: 'channel', id: null, version: 0, form: FORM, reason: 'a wallet' } as const
const HALT = { instrumentId: 1, reason: 'odd prices' }

/** The requester must still be an operator when a case is decided. */
const addOperators = (queries: Queries) =>
  queries.transaction().execute(async (within) => {
    for (const { name, role } of [REQUESTER, SECOND])
      await addOperator(within, { name, role, password_hash: 'none' }, START_OF_TEST)
  })

/** The desk of one run of the server, on a database connection that the test can cut. */
function openDesk({ engine, clock }: Harness, queries: Queries) {
  const now = () => clock.at
  const auditLog = createAuditLog(queries, now, () => undefined)
  const followUps = createFollowUps({ queries, engine, now })
  const approvals = createApprovals({
    queries,
    auditLog,
    now,
    settle: followUps.settle,
    isSingleOperator: () => false,
  })
  const engineCommands = createEngineCommands(followUps, auditLog, approvals.endOf)
  const services = {
    approvals,
    engineCommands,
    auditLog,
    queries,
    now,
    hub: createDeskHub(),
  }
  const receiving = createReceivingAccounts({
    ...services,
    announced: () => undefined,
    market: () => DOLLARS,
  })
  const requestHalt = createHaltRequests({
    ...services,
    deployment: { engine } as Deployment,
  } as DeskServices)
  return {
    approvals,
    auditLog,
    receiving,
    requestHalt,
    engine,
    engineCommands,
    clock,
    settle: followUps.settle,
  }
}

type Desk = ReturnType<typeof openDesk>
type TestedChange = {
  request(desk: Desk): Promise<number>
  /** Whether the change was made. */
  isDone(desk: Desk, queries: Queries): Promise<boolean>
  /** Reverts it for the next round. */
  undo(desk: Desk, queries: Queries): Promise<unknown>
}

const idOf = (outcome: object): number => (outcome as { readonly approvalId: number }).approvalId

const CHANGES: Readonly<Record<string, TestedChange>> = {
  'in the tables': {
    request: async ({ receiving }) => idOf(await receiving.request(REQUESTER, CHANNEL)),
    isDone: async (_desk, queries) =>
      (await queries.selectFrom('deposit_channel').select('id').execute()).length > 0,
    // It is made in the last round.
    undo: () => Promise.resolve(),
  },
  'in the journal': {
    request: async ({ requestHalt }) => idOf(await requestHalt(REQUESTER, HALT)),
    isDone: ({ engine }) => Promise.resolve(engine.state().halts.has(1)),
    undo: ({ engineCommands, clock }) => {
      clock.at += 1
      const entry = { operator: SECOND, act: 'halt', subject: 'instrument:EURUSD', reason: 'again' } as const
      return engineCommands.execute(entry, { type: 'haltInstrument', instrumentId: 1, reason: null })
    },
  },
}

/** What is stored of an approval and of its change. */
async function tracesOf(desk: Desk, queries: Queries, change: TestedChange, id: number) {
  const { status, decided_name, decided_reason } = await queries
    .selectFrom('approval')
    .selectAll()
    .where('id', '=', BigInt(id))
    .executeTakeFirstOrThrow()
  const entries = await queries
    .selectFrom('desk_act')
    .selectAll()
    .where('case_key', '=', approvalKey(id))
    .where('outcome', '=', 'done')
    .orderBy('id')
    .execute()
  const isDone = await change.isDone(desk, queries)
  const names = entries.map(({ operator_name, second_name }) => [operator_name, second_name])
  const decided = status === 'waiting' ? null : [decided_name, decided_reason]
  return { isDone, status, decided, names }
}

const NOTHING = { isDone: false, status: 'waiting', decided: null, names: [] }
const COMPLETE = {
  isDone: true,
  status: 'approved',
  decided: ['Bo', 'I see it too'],
  names: [
    ['Ada', 'Bo'],
    ['Bo', null],
  ],
}

/** Approves with a connection that breaks after so many statements; returns the state after the next start. */
async function crashAfter(statements: number, change: TestedChange, database: Database, startAt: number) {
  const harness = await createHarness(database, { startAt })
  const cut = withCut(database.queries)
  const desk = openDesk(harness, cut.queries)
  const id = await change.request(desk)
  cut.cutAfter(statements)
  const hasCrashed = await desk.approvals.decide(SECOND, id, true, 'I see it too').then(
    (refusal) => isRefusal(refusal),
    () => true,
  )
  await harness.engine.caughtUp()
  await harness.engine.stop()
  const next = openDesk(await createHarness(database, { startAt }), database.queries)
  await next.settle()
  const traces = await tracesOf(next, database.queries, change, id)
  if (traces.isDone) await change.undo(next, database.queries)
  await next.engine.caughtUp()
  await next.engine.stop()
  return { hasCrashed, traces }
}

onEveryDatabase('an approval during which the server crashes', (databases) => {
  test.each(Object.keys(CHANGES))(
    'is stored completely or not at all, wherever it crashes: %s',
    async (name) => {
      const change = CHANGES[name] as TestedChange
      const seen = new Set<string>()
      const database = await databases.open()
      await addOperators(database.queries)
      for (let statements = 0, hasCrashed = true; hasCrashed; statements += 1) {
        const end = await crashAfter(statements, change, database, START_OF_TEST + statements * 10)
        hasCrashed = end.hasCrashed
        expect(end.traces).toEqual(end.traces.isDone ? COMPLETE : NOTHING)
        seen.add(`${hasCrashed} ${end.traces.isDone}`)
      }
      expect((await verify(database)).difference).toBeNull()
      // A change of the tables is rolled back. A journaled decision remains, and the next start ends its case.
      const [crashed, completed] = ['true false', 'false true']
      expect([...seen].toSorted()).toEqual(
        name === 'in the tables' ? [completed, crashed] : [completed, crashed, 'true true'].toSorted(),
      )
    },
    60_000,
  )

  test('is ended by the next access if the server keeps running', async () => {
    const database = await databases.open()
    await addOperators(database.queries)
    const harness = await createHarness(database)
    const cut = withCut(database.queries)
    const desk = openDesk(harness, cut.queries)
    const change = CHANGES['in the journal'] as TestedChange
    const id = await change.request(desk)
    let statements = 0
    do {
      cut.cutAfter(statements)
      statements += 1
      await desk.approvals.decide(SECOND, id, true, 'I see it too').catch(() => null)
    } while (!(await change.isDone(desk, database.queries)))
    cut.heal()
    expect(await tracesOf(desk, database.queries, change, id)).toMatchObject({
      status: 'waiting',
      isDone: true,
    })
    const third = { id: 3, name: 'Cy', role: 'dealing' } as const
    expect(await desk.approvals.decide(third, id, false, 'no need')).toMatchObject({ rejected: 'caseEnded' })
    expect(await tracesOf(desk, database.queries, change, id)).toEqual(COMPLETE)
  })

  test('is not decided by an operator who was switched off or demoted after the call had begun', async () => {
    const database = await databases.open()
    const { queries } = database
    await addOperators(queries)
    const desk = openDesk(await createHarness(database), queries)
    const change = CHANGES['in the tables'] as TestedChange
    const id = await change.request(desk)
    const setSecond = (standing: { readonly role: string; readonly is_on: bigint }) =>
      queries.updateTable('operator').set(standing).where('id', '=', BigInt(SECOND.id)).execute()
    for (const standing of [
      { role: SECOND.role, is_on: 0n },
      { role: 'support', is_on: 1n },
    ]) {
      await setSecond(standing)
      expect(await desk.approvals.decide(SECOND, id, true, 'I see it too')).toMatchObject({
        rejected: 'operatorNotEntitled',
      })
      expect(await tracesOf(desk, queries, change, id)).toEqual(NOTHING)
    }
    await setSecond({ role: SECOND.role, is_on: 1n })
    expect(await desk.approvals.decide(SECOND, id, true, 'I see it too')).toBeNull()
    expect(await tracesOf(desk, queries, change, id)).toEqual(COMPLETE)
  })

  test('is carried out once, even if another operator decides at the same moment', async () => {
    const { queries } = await databases.open()
    await addOperators(queries)
    const third = { id: 3, name: 'Cy', role: 'dealing' } as const
    const { name, role } = third
    await queries
      .transaction()
      .execute((within) => addOperator(within, { name, role, password_hash: 'none' }, START_OF_TEST))
    const auditLog = createAuditLog(
      queries,
      () => 1,
      () => undefined,
    )
    const approvals = createApprovals({
      queries,
      auditLog,
      now: () => 1,
      settle: () => Promise.resolve(0),
      isSingleOperator: () => false,
    })
    const { promise: isOver, resolve: release } = Promise.withResolvers<null>()
    let count = 0
    approvals.register('halt', {
      textsOf: () => 'nobody reads it',
      execute: () => {
        count += 1
        return isOver
      },
    })
    await approvals.request(REQUESTER, {
      kind: 'halt',
      subject: 'instrument:EURUSD',
      body: {},
      reason: 'odd',
    })
    const first = approvals.decide(SECOND, 1, true, 'I see it too')
    await expect.poll(() => count).toBe(1)
    const other = approvals.decide(third, 1, true, 'so do I')
    await expect(Promise.race([other, first])).resolves.toMatchObject({ rejected: 'caseEnded' })
    release(null)
    expect(await first).toBeNull()
    expect(count).toBe(1)
  })

  test('opens no second case for a repeated request', async () => {
    const { queries } = await databases.open()
    await addOperators(queries)
    const auditLog = createAuditLog(
      queries,
      () => 1,
      () => undefined,
    )
    const approvals = createApprovals({
      queries,
      auditLog,
      now: () => 1,
      settle: () => Promise.resolve(0),
      isSingleOperator: () => false,
    })
    approvals.register('halt', {
      textsOf: () => 'nobody reads it',
      execute: () => Promise.resolve(null),
    })
    const request = { accountId: REQUESTER.id, call: 'desk.askHalt', id: 'a tap', digest: 'halt 1' }
    const halt = { kind: 'halt', subject: 'instrument:EURUSD', body: {}, reason: 'odd', request } as const
    const ids = await Promise.all([approvals.request(REQUESTER, halt), approvals.request(REQUESTER, halt)])
    expect(ids).toEqual([{ approvalId: 1 }, { approvalId: 1 }])
    expect(
      await approvals.request(REQUESTER, { ...halt, request: { ...request, digest: 'halt 2' } }),
    ).toMatchObject({
      rejected: 'requestIdReused',
    })
    const ofSecond = { ...halt, request: { ...request, accountId: SECOND.id } }
    expect(await approvals.request(SECOND, ofSecond)).toEqual({ approvalId: 2 })
    expect(await queries.selectFrom('desk_act').select('id').execute()).toHaveLength(2)
  })
})
