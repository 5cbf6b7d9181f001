import { figuresOf, lots, price, type State } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../testing/random.ts'
import { accountIdOf, EURUSD, marketOrder } from '../../../../testing/test-world.ts'
import { everyDatabase, type Databases } from '../testing/on-every-database.ts'
import { createHarness, type Harness } from '../testing/engine-harness.ts'
import { runScenario } from './scenario.ts'

const BID = 100_000
const ACCOUNTS = 40

/** Highly leveraged traders, mostly on one side, some with stop losses and some with pending orders. */
async function crowd(databases: Databases): Promise<Harness> {
  const harness = await createHarness(await databases.open())
  const random = createRandom(7)
  await harness.tick(BID)
  const open = () => harness.engine.execute({ type: 'openAccount', ledger: 'demo' })
  const ids = (await Promise.all(Array.from({ length: ACCOUNTS }, open))).map(accountIdOf)
  const orders = ids.flatMap((accountId) =>
    Array.from({ length: random.int(1, 3) }, () => {
      const side = random.pick(['buy', 'buy', 'sell'] as const)
      const away = random.int(500, 4_000) * (side === 'buy' ? -1 : 1)
      return marketOrder(accountId, {
        side,
        leverage: 100,
        lots: lots(random.int(100, 2_000) * 100),
        stopLoss: random.chance(30) ? price(BID + away) : null,
        targetPrice: random.chance(20) ? price(BID + away) : null,
      })
    }),
  )
  await Promise.all(orders.map((order) => harness.engine.execute(order)))
  return harness
}

const equityIn = (state: State): bigint =>
  [...state.accounts.values()].reduce((sum, account) => sum + figuresOf(state, account).equity, 0n)

describe.each(everyDatabase)('a scenario, $kind', (databases) => {
  it.each([-400, -100, 300])(
    'predicts the effect of a real move: %i hundredths of a percent',
    async (part) => {
      const [here, there] = [await crowd(databases), await crowd(databases)]
      const scenario = { ledger: 'demo', part, instrumentIds: [EURUSD.id] } as const
      const before = equityIn(here.engine.state())
      const effect = await runScenario(here.engine, scenario, here.clock.at)
      if ('unavailable' in effect) throw new Error('the engine is unavailable')
      // The scenario has changed nothing.
      expect(equityIn(here.engine.state())).toBe(before)

      const actual = { stopOut: 0, stopLoss: 0, opened: 0, covered: 0n }
      const out = new Set<number>()
      there.engine.onCommitted(({ entry, postings }) => {
        for (const event of entry.events) {
          if (event.type === 'positionOpened') actual.opened += 1
          if (event.type !== 'positionClosed') continue
          if (event.reason === 'stopOut') out.add(event.accountId)
          if (event.reason === 'stopOut') actual.stopOut += 1
          if (event.reason === 'stopLoss') actual.stopLoss += 1
        }
        for (const { kind, amount } of postings) if (kind === 'protection') actual.covered += amount
      })
      // The mid is a tick and a half above the bid.
      const shift = Math.round(((2 * BID + 3) * part) / 20_000)
      await there.tick(BID + shift)
      expect(effect).toMatchObject({
        closedByStopOut: actual.stopOut,
        closedByStopLoss: actual.stopLoss,
        opened: actual.opened,
        stoppedOut: out.size,
        covered: actual.covered,
        accounts: effect.lookedAt,
        instruments: 1,
        usersChange: equityIn(there.engine.state()) - before,
      })
      expect(out.size + actual.stopLoss + actual.opened).toBeGreaterThan(0)
    },
  )

  it('counts a margin call only for accounts that were above the level before the move', async () => {
    const harness = await createHarness(await databases.open())
    await harness.tick(BID)
    const open = async (size: number) => {
      const accountId = await harness.openAccount()
      await harness.engine.execute(marketOrder(accountId, { side: 'buy', leverage: 100, lots: lots(size) }))
    }
    // Margins of 80 % and 40 % of the balance; a loss of 0.3 % puts only the first account below 100 %.
    const [first, second] = [400_000, 200_000]
    await open(first)
    await open(second)
    await harness.tick(BID - 300)
    const levels = [...harness.engine.state().accounts.values()].map((account) => {
      const { equity, margin } = figuresOf(harness.engine.state(), account)
      return Number((equity * 100n) / margin)
    })
    expect(levels[0]).toBeLessThan(100)
    expect(levels[1]).toBeGreaterThan(100)
    const called = async (part: number) => {
      const scenario = { ledger: 'demo', part, instrumentIds: [EURUSD.id] } as const
      const effect = await runScenario(harness.engine, scenario, harness.clock.at)
      if ('unavailable' in effect) throw new Error('the engine is unavailable')
      return [effect.marginCalls, effect.stoppedOut]
    }
    expect(await called(-1)).toEqual([0, 0])
    expect(await called(-130)).toEqual([1, 1])
  })
})
