import { createCore, DEPLOYMENT, evolve, lots, money, violations, type Core } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import type { Database, Queries } from '../../platform/database/open.ts'
import { withFaults } from '../../testing/faulty-database.ts'
import { openSimulation } from '../../testing/journal-simulation.ts'
import { accountIdOf, entryOf, marketOrder, TEST_OPERATOR } from '../../../../../testing/test-world.ts'
import { createHarness } from '../../testing/engine-harness.ts'
import { ledgerFaults } from '../../../../../testing/ledger-faults.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'
import { readJournal } from '../journal/journal.ts'
import { describeState } from '../state-hash.ts'
import { restore } from './restore.ts'

const STEPS = 120

/** Replays the journal from its first row with the core alone. */
async function replayed(queries: Queries): Promise<Core> {
  const core = createCore()
  for await (const { seq, entries } of readJournal(queries, 0)) {
    core.journalRow = seq
    for (const entry of entries) evolve(core, entry)
  }
  return core
}

const described = (core: Core): unknown => JSON.parse(describeState(core))

async function restored(database: Database): Promise<Core> {
  return (await restore(database, {})).core
}

describe.each(everyDatabase)('restore, $kind', (databases) => {
  it.each([1, 2])(
    'gives the current state at any time, whether the tables lag or have caught up (seed %i)',
    async (seed) => {
      const { database, faults } = withFaults(await databases.open())
      const simulation = await openSimulation(database, seed)
      const lags = new Set<boolean>()
      for (let step = 1; step <= STEPS; step += 1) {
        // The tables stop and follow in turn.
        if (step % 40 === 0) faults.add('tables')
        if (step % 40 === 20) faults.clear()
        await simulation.step()
        if (step % 15 !== 0) continue
        if (step % 30 === 0 && faults.size === 0) await simulation.caughtUp()
        const { core, unprojected } = await restore(database, {})
        lags.add(unprojected.length > 0)
        expect(described(core)).toEqual(described(simulation.core()))
      }
      expect(lags).toEqual(new Set([true, false]))
      faults.clear()
      await simulation.caughtUp()
      const caughtUp = await restore(database, {})
      expect(caughtUp.unprojected).toEqual([])
      expect(described(caughtUp.core)).toEqual(described(simulation.core()))
      expect(described(await replayed(database.queries))).toEqual(described(simulation.core()))
      expect(violations(caughtUp.core)).toEqual([])
      expect(await ledgerFaults(database.queries)).toEqual([])
    },
  )

  it('continues from the restored state as if never stopped', async () => {
    const database = await databases.open()
    const simulation = await openSimulation(database, 4)
    for (let step = 1; step <= STEPS / 2; step += 1) {
      await simulation.step()
      if (step % 10 === 0) await simulation.restart()
    }
    await simulation.caughtUp()
    expect(described(await restored(database))).toEqual(described(await replayed(database.queries)))
  })

  it('keeps the version of the terms of a rollover in progress', async () => {
    const database = await databases.open()
    const simulation = await openSimulation(database)
    for (let step = 1; step <= 5; step += 1) await simulation.step()
    const at = (simulation.clock.at += 24 * 3_600_000)
    // The rollover in between records its prices before the change, and is booked after it.
    const change = {
      kind: 'settings' as const,
      settings: { ...simulation.state().settings, warningLevel: 120 },
    }
    await simulation.execute({ type: 'setTerms', at, change, effectiveAt: null, by: DEPLOYMENT })
    expect([...simulation.state().rollovers.values()].map(({ terms }) => terms)).not.toContain(
      simulation.state().termsVersion,
    )
    await simulation.caughtUp()
    expect((await restored(database)).state.rollovers).toEqual(simulation.state().rollovers)
  })

  it('sets the next journal row for the next decision', async () => {
    const database = await databases.open()
    const simulation = await openSimulation(database)
    for (let count = 0; count < 5; count += 1) await simulation.step()
    const { core, head } = await restore(database, {})
    expect(head.seq).toBeGreaterThan(1)
    expect(core.journalRow).toBe(head.seq + 1)
  })

  it('knows the protection that an open withdrawal repays', async () => {
    const database = await databases.open()
    const { engine, tick } = await createHarness(database)
    await tick(100_000)
    const accountId = accountIdOf(await engine.execute({ type: 'openAccount', ledger: 'real' }))
    const deposit = money(1_000_000_000n)
    entryOf(await engine.execute({ type: 'openDeposit', accountId, amount: deposit }))
    const [caseId] = engine.state().cases.keys()
    const end = { type: 'endDeposit', outcome: 'finished', amount: deposit, by: TEST_OPERATOR } as const
    entryOf(await engine.execute({ ...end, caseId: caseId ?? 0 }))
    entryOf(await engine.execute(marketOrder(accountId, { side: 'buy', lots: lots(5_000), leverage: 100 })))
    const amount = money(200_000_000n)
    const requested = { type: 'requestWithdrawal', accountId, amount, fee: money(0n) } as const
    entryOf(await engine.execute(requested))
    await tick(95_000)
    await engine.caughtUp()
    const owed = [...engine.state().cases.values()].map(
      (each) => each.kind === 'withdrawal' && each.protection,
    )
    expect(owed).toEqual([expect.any(BigInt)])
    expect(owed).not.toEqual([0n])
    const { state } = await restored(database)
    expect([...state.cases.values()]).toEqual([...engine.state().cases.values()])
  })

  it('starts empty on an empty database', async () => {
    const { core, head, unprojected } = await restore(await databases.open(), {})
    expect([core.state.accounts.size, core.state.orders.size, head.seq, unprojected.length]).toEqual([
      0, 0, 0, 0,
    ])
    expect(described(core)).toEqual(described(createCore()))
  })
})
