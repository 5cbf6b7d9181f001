import { money } from '@fairlot/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everyDatabase } from '../testing/on-every-database.ts'
import { marketOrder } from '../../../../testing/test-world.ts'
import { createHarness, type Harness } from '../testing/engine-harness.ts'
import { startInvariantMonitor } from './invariant-monitor.ts'

const ACCOUNTS = 400

async function openWatchedHarness(harness: Harness) {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => harness.openAccount()))
  await harness.tick(108_469)
  await Promise.all(accounts.map((account) => harness.engine.execute(marketOrder(account))))
  const reported: string[] = []
  const watch = startInvariantMonitor({
    engine: harness.engine,
    onViolation: (violation) => reported.push(violation),
    onError: (error) => reported.push(String(error)),
  })
  onTestFinished(watch.stop)
  return { watch, reported }
}

describe.each(everyDatabase)('the invariant monitor of a running engine, $kind', (databases) => {
  it('finds no violation in a correct state', async () => {
    const { watch, reported } = await openWatchedHarness(await createHarness(await databases.open()))
    await watch.round()
    expect([reported, watch.count(), watch.violations()]).toEqual([[], 0, []])
  })

  it('reports an account whose figures have drifted, counts it, and names it without its amounts', async () => {
    const harness = await createHarness(await databases.open())
    const { watch, reported } = await openWatchedHarness(harness)
    const account = harness.engine.state().accounts.get(ACCOUNTS)
    if (!account) throw new Error('there is no such account')
    const { margin } = account
    account.margin = money(margin + 1n)
    await watch.round()
    expect(reported).toEqual([`account ${ACCOUNTS}: margin is ${margin + 1n}, its positions hold ${margin}`])
    expect(watch.count()).toBe(1)
    expect(watch.violations()).toEqual([`account ${ACCOUNTS}: margin is …, its positions hold …`])
    account.margin = margin
    await watch.round()
    expect(watch.violations()).toEqual([])
    expect(watch.count()).toBe(1)
  })
})
