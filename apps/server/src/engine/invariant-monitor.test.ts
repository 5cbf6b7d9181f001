import { money } from '@fairlot/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { everyDatabase } from '../testing/on-every-database.ts'
import { marketOrder } from '../../../../testing/test-world.ts'
import { openFloor, type Floor } from '../testing/trading-floor.ts'
import { startInvariantMonitor } from './invariant-monitor.ts'

const ACCOUNTS = 400

async function openWatchedFloor(floor: Floor) {
  const accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => floor.openAccount()))
  await floor.tick(108_469)
  await Promise.all(accounts.map((account) => floor.engine.execute(marketOrder(account))))
  const told: string[] = []
  const watch = startInvariantMonitor({
    engine: floor.engine,
    onViolation: (violation) => told.push(violation),
    onError: (error) => told.push(String(error)),
  })
  onTestFinished(watch.stop)
  return { watch, told }
}

describe.each(everyDatabase)('the invariant monitor of a living engine, $kind', (databases) => {
  it('finds nothing where nothing is wrong', async () => {
    const { watch, told } = await openWatchedFloor(await openFloor(await databases.open()))
    await watch.round()
    expect([told, watch.count(), watch.violations()]).toEqual([[], 0, []])
  })

  it('tells of an account whose figures have drifted, counts it, and names it without its money', async () => {
    const floor = await openFloor(await databases.open())
    const { watch, told } = await openWatchedFloor(floor)
    const account = floor.engine.state().accounts.get(ACCOUNTS)
    if (!account) throw new Error('there is no such account')
    const { margin } = account
    account.margin = money(margin + 1n)
    await watch.round()
    expect(told).toEqual([`account ${ACCOUNTS}: margin is ${margin + 1n}, its positions hold ${margin}`])
    expect(watch.count()).toBe(1)
    expect(watch.violations()).toEqual([`account ${ACCOUNTS}: margin is …, its positions hold …`])
    account.margin = margin
    await watch.round()
    expect(watch.violations()).toEqual([])
    expect(watch.count()).toBe(1)
  })
})
