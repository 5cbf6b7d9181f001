import { figuresOf, lots, price, type State } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../../testing/random.ts'
import { accountIdOf, EURUSD, marketOrder } from '../../../../../testing/test-world.ts'
import { everyDatabase, type Databases } from '../../testing/on-every-database.ts'
import { openFloor, type Floor } from '../../testing/trading-floor.ts'
import { foretell } from './foretell.ts'

const BID = 100_000
const ACCOUNTS = 40

/** Traders who have put much of what they have on one side, some with stops and some with orders that wait. */
async function crowd(databases: Databases): Promise<Floor> {
  const floor = await openFloor(await databases.open())
  const random = createRandom(7)
  await floor.tick(BID)
  const open = () => floor.engine.execute({ type: 'openAccount', ledger: 'demo' })
  const ids = (await Promise.all(Array.from({ length: ACCOUNTS }, open))).map(accountIdOf)
  const tickets = ids.flatMap((accountId) =>
    Array.from({ length: random.int(1, 3) }, () => {
      const side = random.pick(['buy', 'buy', 'sell'] as const)
      const away = random.int(500, 4_000) * (side === 'buy' ? -1 : 1)
      return marketOrder(accountId, {
        ...{ side, leverage: 100, lots: lots(random.int(100, 2_000) * 100) },
        stopLoss: random.chance(30) ? price(BID + away) : null,
        targetPrice: random.chance(20) ? price(BID + away) : null,
      })
    }),
  )
  await Promise.all(tickets.map((ticket) => floor.engine.execute(ticket)))
  return floor
}

const equityIn = (state: State): bigint =>
  [...state.accounts.values()].reduce((sum, account) => sum + figuresOf(state, account).equity, 0n)

describe.each(everyDatabase)('what a move would do, $kind', (databases) => {
  it.each([-400, -100, 300])('is what it does when it comes: %i hundredths of a percent', async (part) => {
    const [here, there] = [await crowd(databases), await crowd(databases)]
    const question = { ledger: 'demo', part, instrumentIds: [EURUSD.id] } as const
    const before = equityIn(here.engine.state())
    const effect = await foretell(here.engine, question, here.clock.at)
    if ('unavailable' in effect) throw new Error('the engine is away')
    // Nothing has happened here.
    expect(equityIn(here.engine.state())).toBe(before)

    const lived = { stopOut: 0, stopLoss: 0, opened: 0, covered: 0n }
    const out = new Set<number>()
    there.engine.onCommitted(({ entry, postings }) => {
      for (const event of entry.events) {
        if (event.type === 'positionOpened') lived.opened += 1
        if (event.type !== 'positionClosed') continue
        if (event.reason === 'stopOut') out.add(event.accountId)
        if (event.reason === 'stopOut') lived.stopOut += 1
        if (event.reason === 'stopLoss') lived.stopLoss += 1
      }
      for (const { kind, amount } of postings) if (kind === 'protection') lived.covered += amount
    })
    // The mid is a tick and a half above the bid.
    const shift = Math.round(((2 * BID + 3) * part) / 20_000)
    await there.tick(BID + shift)
    expect(effect).toMatchObject({
      ...{ closedByStopOut: lived.stopOut, closedByStopLoss: lived.stopLoss, opened: lived.opened },
      ...{ stoppedOut: out.size, covered: lived.covered, accounts: effect.lookedAt, instruments: 1 },
      clientsChange: equityIn(there.engine.state()) - before,
    })
    expect(out.size + lived.stopLoss + lived.opened).toBeGreaterThan(0)
  })
})
