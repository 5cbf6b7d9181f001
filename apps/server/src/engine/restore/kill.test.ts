import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { violations } from '@fairlot/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DatabasePlace } from '../../platform/database/open.ts'
import type { KillMoment, ProviderAct } from '../../testing/copies-process.ts'
import type { AnsweredOrder } from '../../testing/engine-process.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { everyDatabase, type Databases } from '../../testing/on-every-database.ts'
import { marketOrder, orderIdOf, START_OF_TEST } from '../../../../../testing/test-world.ts'
import { createHarness } from '../../testing/engine-harness.ts'
import { verify } from '../../verify/verify.ts'
import { findBrokenLink } from '../journal/journal.ts'

const ENGINE = fileURLToPath(new URL('../../testing/engine-process.ts', import.meta.url))
const ROLLOVER = fileURLToPath(new URL('../../testing/rollover-process.ts', import.meta.url))
const COPIES = fileURLToPath(new URL('../../testing/copies-process.ts', import.meta.url))

type OnLine = (line: string, kill: () => void) => void

/** Runs a program on a database until it is killed by SIGKILL, and passes each line it prints. */
async function runUntilKilled(program: string, given: readonly string[], onLine: OnLine): Promise<void> {
  const child = spawn(process.execPath, [program, ...given], { stdio: ['ignore', 'pipe', 'inherit'] })
  const kill = () => void child.kill('SIGKILL')
  onTestFinished(kill)
  for await (const line of createInterface({ input: child.stdout })) onLine(line, kill)
  if (child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
}

const argumentsOf = ({ databaseUrl, dataDir }: DatabasePlace): string[] => [databaseUrl ?? '', dataDir]

/** Number of answers after which each run is killed. */
const KILLS = [700, 30, 260]

/** Runs the engine under load, kills it, and returns every order it had answered by then. */
async function runAndKill(place: DatabasePlace, run: string, answers: number): Promise<AnsweredOrder[]> {
  const answered: AnsweredOrder[] = []
  await runUntilKilled(ENGINE, [...argumentsOf(place), run], (line, kill) => {
    // The last line may be incomplete.
    if (line.endsWith('}')) answered.push(JSON.parse(line) as AnsweredOrder)
    if (answered.length === answers) kill()
  })
  return answered
}

describe.each(everyDatabase)('kill -9 under load, $kind', (databases) => {
  it('loses no answered order and duplicates none', async () => {
    const place = await databases.place()
    const answered: AnsweredOrder[] = []
    for (const [run, answers] of KILLS.entries())
      answered.push(...(await runAndKill(place, String(run), answers)))

    const database = await databases.open(place)
    const { engine } = await createHarness(database)
    expect(violations(engine.core())).toEqual([])
    expect(await findBrokenLink(database.queries)).toBeNull()
    for (const { accountId, requestId, orderId } of answered) {
      const request = { accountId, call: 'submit', id: requestId, digest: '' }
      const again = await engine.execute(marketOrder(accountId, { request }))
      expect([orderIdOf(again), 'repeatOf' in again && again.repeatOf !== null]).toEqual([orderId, true])
    }
    await engine.caughtUp()
    expect(await ledgerFaults(database.queries)).toEqual([])
    const rows = await database.queries.selectFrom('trade_order').select('id').orderBy('id').execute()
    const ids = new Set(rows.map((row) => Number(row.id)))
    expect(answered.filter(({ orderId }) => !ids.has(orderId))).toEqual([])
    // No order number was used twice or skipped.
    expect([...ids]).toEqual(rows.map((_, index) => index + 1))
    expect(new Set(answered.map(({ orderId }) => orderId)).size).toBe(answered.length)
    expect(answered.length).toBeGreaterThanOrEqual(KILLS.reduce((sum, count) => sum + count))
  })
})

/** 40 accounts with 60 positions each. */
const POSITIONS = 2_400
const DAY_MS = 86_400_000

/** Runs a rollover until the process kills itself. Returns the number of bookings it reported. */
async function runRollover(place: DatabasePlace): Promise<number> {
  let reported = 0
  await runUntilKilled(ROLLOVER, argumentsOf(place), (line) => (reported += Number(line)))
  return reported
}

describe.each(everyDatabase)('a rollover killed halfway, $kind', (databases) => {
  it('is booked to every position exactly once', async () => {
    const place = await databases.place()
    // Twice: the second run continues where the first was killed.
    const reported = [await runRollover(place), await runRollover(place)]
    expect(reported.every((count) => count > 0)).toBe(true)
    expect(reported.reduce((sum, count) => sum + count)).toBeLessThan(POSITIONS)

    const database = await databases.open(place)
    const { engine, tick } = await createHarness(database, { startAt: START_OF_TEST + DAY_MS })
    await tick(108_469)
    await expect.poll(() => engine.state().rollovers.size, { timeout: 30_000 }).toBe(0)
    await engine.caughtUp()
    const booked = await database.queries
      .selectFrom('transfer')
      .select(['order_id', ({ fn }) => fn.countAll<bigint>().as('count')])
      .where('kind', '=', 'swap')
      .groupBy('order_id')
      .execute()
    expect(booked).toHaveLength(POSITIONS)
    expect(booked.filter(({ count }) => count !== 1n)).toEqual([])
    expect(violations(engine.core())).toEqual([])
    expect(await ledgerFaults(database.queries)).toEqual([])
    expect((await verify(database)).difference).toBeNull()
  })
})

/** A provider and 600 copies. */
const FOLLOWED = 601

/** Runs a provider's order until the process kills itself; how many positions are open after the restart. */
async function killCopies(databases: Databases, place: DatabasePlace, moment: KillMoment, act: ProviderAct) {
  await runUntilKilled(COPIES, [...argumentsOf(place), moment, act], () => {})
  const database = await databases.open(place)
  const { engine } = await createHarness(database)
  await engine.caughtUp()
  expect(violations(engine.core())).toEqual([])
  expect(await ledgerFaults(database.queries)).toEqual([])
  expect((await verify(database)).difference).toBeNull()
  expect(engine.state().copies.size).toBe(FOLLOWED - 1)
  const { size } = engine.state().orders
  await engine.stop()
  return size
}

describe.each(everyDatabase)('a provider with 600 copies, killed, $kind', (databases) => {
  it('has its order in the journal with all of them or not at all', { timeout: 120_000 }, async () => {
    const place = await databases.place()
    const kill = (moment: KillMoment, act: ProviderAct) => killCopies(databases, place, moment, act)
    expect(await kill('betweenTurns', 'open')).toBe(0)
    expect(await kill('committed', 'open')).toBe(FOLLOWED)
    expect(await kill('betweenTurns', 'close')).toBe(FOLLOWED)
  })
})
