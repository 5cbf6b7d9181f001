import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { violations } from '@fairlot/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DatabasePlace } from '../../database/open.ts'
import type { AnsweredOrder } from '../../testing/engine-process.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { marketOrder, orderIdOf } from '../../../../../testing/test-world.ts'
import { openFloor } from '../../testing/trading-floor.ts'
import { findBrokenLink } from '../journal/journal.ts'

const PROGRAM = fileURLToPath(new URL('../../testing/engine-process.ts', import.meta.url))
/** Answers after which each run is killed. */
const KILLS = [700, 30, 260]

/** Runs the engine under load, kills it without a word, and returns every order it had answered by then. */
async function runAndKill(place: DatabasePlace, run: string, answers: number): Promise<AnsweredOrder[]> {
  const child = spawn(process.execPath, [PROGRAM, place.databaseUrl ?? '', place.dataDir, run], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const answered: AnsweredOrder[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    // The last line may be cut in two.
    if (line.endsWith('}')) answered.push(JSON.parse(line) as AnsweredOrder)
    if (answered.length === answers) child.kill('SIGKILL')
  }
  if (child.signalCode === null) await once(child, 'exit')
  expect(child.signalCode).toBe('SIGKILL')
  return answered
}

describe.each(everyDatabase)('kill -9 under load, $kind', (databases) => {
  it('loses no answered order and doubles none', async () => {
    const place = await databases.place()
    const answered: AnsweredOrder[] = []
    for (const [run, answers] of KILLS.entries())
      answered.push(...(await runAndKill(place, String(run), answers)))

    const database = await databases.open(place)
    const { engine } = await openFloor(database)
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
    // No number was given twice and none was skipped.
    expect([...ids]).toEqual(rows.map((_, index) => index + 1))
    expect(new Set(answered.map(({ orderId }) => orderId)).size).toBe(answered.length)
    expect(answered.length).toBeGreaterThanOrEqual(KILLS.reduce((sum, count) => sum + count))
  })
})
