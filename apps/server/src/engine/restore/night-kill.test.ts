import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { violations } from '@fairlot/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DatabasePlace } from '../../database/open.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { START_OF_TEST } from '../../../../../testing/test-world.ts'
import { openFloor } from '../../testing/trading-floor.ts'
import { verify } from '../../verify/verify.ts'

const PROGRAM = fileURLToPath(new URL('../../testing/night-process.ts', import.meta.url))
/** 40 accounts with 60 positions each. */
const POSITIONS = 2_400
const DAY_MS = 86_400_000

/** Runs into the night until the process is killed. Answers how many bookings it told of. */
async function runUntilKilled(place: DatabasePlace): Promise<number> {
  const child = spawn(process.execPath, [PROGRAM, place.databaseUrl ?? '', place.dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let told = 0
  for await (const line of createInterface({ input: child.stdout })) told += Number(line)
  if (child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return told
}

describe.each(everyDatabase)('a night that is killed in the middle, $kind', (databases) => {
  it('is booked to every position once', async () => {
    const place = await databases.place()
    // Twice: the second goes on where the first was killed.
    const told = [await runUntilKilled(place), await runUntilKilled(place)]
    expect(told.every((count) => count > 0)).toBe(true)
    expect(told.reduce((sum, count) => sum + count)).toBeLessThan(POSITIONS)

    const database = await databases.open(place)
    const { engine, tick } = await openFloor(database, { startAt: START_OF_TEST + DAY_MS })
    await tick(108_469)
    await expect.poll(() => engine.state().nights.size, { timeout: 30_000 }).toBe(0)
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
