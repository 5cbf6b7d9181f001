import { createCore, DEPLOYMENT, evolve, violations, type Core } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import type { Database, Queries } from '../../database/open.ts'
import { withFaults } from '../../testing/faulty-database.ts'
import { openLife } from '../../testing/journal-life.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { readJournal } from '../journal/journal.ts'
import { describeState } from '../state-hash.ts'
import { restore } from './restore.ts'

const STEPS = 120

/** The journal from its first row, with nothing but the core. */
async function folded(queries: Queries): Promise<Core> {
  const core = createCore()
  for await (const { seq, entries } of readJournal(queries, 0)) {
    core.journalRow = seq
    for (const entry of entries) evolve(core, entry)
  }
  return core
}

const told = (core: Core): unknown => JSON.parse(describeState(core))

async function restored(database: Database): Promise<Core> {
  return (await restore(database, {})).core
}

describe.each(everyDatabase)('restore, $kind', (databases) => {
  it.each([1, 2])('gives the living state at any moment, far behind or caught up (seed %i)', async (seed) => {
    const { database, faults } = withFaults(await databases.open())
    const life = await openLife(database, seed)
    const lags = new Set<boolean>()
    for (let step = 1; step <= STEPS; step += 1) {
      // The tables stand still for a while, and follow for a while.
      if (step % 40 === 0) faults.add('tables')
      if (step % 40 === 20) faults.clear()
      await life.step()
      if (step % 15 !== 0) continue
      if (step % 30 === 0 && faults.size === 0) await life.caughtUp()
      const { core, unprojected } = await restore(database, {})
      lags.add(unprojected.length > 0)
      expect(told(core)).toEqual(told(life.core()))
    }
    expect(lags).toEqual(new Set([true, false]))
    faults.clear()
    await life.caughtUp()
    const caughtUp = await restore(database, {})
    expect(caughtUp.unprojected).toEqual([])
    expect(told(caughtUp.core)).toEqual(told(life.core()))
    expect(told(await folded(database.queries))).toEqual(told(life.core()))
    expect(violations(caughtUp.core)).toEqual([])
    expect(await ledgerFaults(database.queries)).toEqual([])
  })

  it('goes on from what it restored as if nothing had happened', async () => {
    const database = await databases.open()
    const life = await openLife(database, 4)
    for (let step = 1; step <= STEPS / 2; step += 1) {
      await life.step()
      if (step % 10 === 0) await life.restart()
    }
    await life.caughtUp()
    expect(told(await restored(database))).toEqual(told(await folded(database.queries)))
  })

  it('keeps a night under way with the version of its own terms', async () => {
    const database = await databases.open()
    const life = await openLife(database)
    for (let step = 1; step <= 5; step += 1) await life.step()
    const at = (life.clock.at += 24 * 3_600_000)
    // The night that it passes is marked before it, and booked only later.
    const change = { kind: 'settings' as const, settings: { ...life.state().settings, warningLevel: 120 } }
    await life.give({ type: 'setTerms', at, change, effectiveAt: null, by: DEPLOYMENT })
    expect([...life.state().nights.values()].map(({ terms }) => terms)).not.toContain(
      life.state().termsVersion,
    )
    await life.caughtUp()
    expect((await restored(database)).state.nights).toEqual(life.state().nights)
  })

  it('leaves the row that comes next to what is decided next', async () => {
    const database = await databases.open()
    const life = await openLife(database)
    for (let count = 0; count < 5; count += 1) await life.step()
    const { core, head } = await restore(database, {})
    expect(head.seq).toBeGreaterThan(1)
    expect(core.journalRow).toBe(head.seq + 1)
  })

  it('starts empty on an empty database', async () => {
    const { core, head, unprojected } = await restore(await databases.open(), {})
    expect([core.state.accounts.size, core.state.orders.size, head.seq, unprojected.length]).toEqual([
      0, 0, 0, 0,
    ])
    expect(told(core)).toEqual(told(createCore()))
  })
})
