import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoHarness, effects, snapshotOf, type Harness } from '../../scenarios/harness.ts'
import { usd, coreOf } from '../../scenarios/market.ts'
import { carryOut, wildMarket } from '../../scenarios/wild-market.ts'
import { hasDueWork } from '../accounts/due-work.ts'
import { violations } from './invariants.ts'
import { isRejection } from '../model/rejection.ts'
import { BUDGET, type Budget } from '../state/work-in-steps.ts'
import { MAX_BANDS_AT_ONCE } from './transaction.ts'
import { transact, watchDirtyAccounts } from './transact.ts'

const UNLIMITED: Budget = { events: Infinity, checks: Infinity }

/**
 * Thirty accounts, of which one tick to 0.96000 closes some by their stops, opens a pending order of some and stops some
 * out, together with a pending order that is over by then.
 */
function manyAccounts(budget: Budget): Harness {
  const harness = demoHarness({ settings: { stopOutLevel: 50, demoBalance: usd('5005') }, budget })
  for (let id = 2; id <= 30; id += 1) harness.openAccount()
  harness.tick('EURUSD', '1.00000', '1.00000')
  for (let accountId = 1; accountId <= 30; accountId += 1) {
    if (accountId % 3 === 0) harness.buy('EURUSD', { accountId, lots: '0.2', target: '0.98000' })
    if (accountId % 5 === 0)
      harness.sell('EURUSD', { accountId, lots: '0.01', target: '2.00000', expiresAt: harness.now() + 1_000 })
    if (accountId % 7 === 0) harness.buy('EURUSD', { accountId, lots: '0.1', stopLoss: '0.99000' })
    harness.buy('EURUSD', { accountId, lots: '0.9', leverage: 20 })
  }
  harness.wait(1_000)
  return harness
}

const all = manyAccounts(UNLIMITED)
const wholeTick = effects(all.tick('EURUSD', '0.96000', '0.96000'))

describe('a tick with too much work for one transaction', () => {
  it('has all its effects', () => {
    const kinds = wholeTick.map((effect) => effect.replace(/^\d+ /, ''))
    expect(new Set(kinds)).toEqual(new Set(['orderCancelled', 'positionClosed', 'positionOpened']))
    expect(wholeTick.length).toBeGreaterThan(30)
  })

  it.each([
    { events: 1, checks: 1_000 },
    { events: 7, checks: 1_000 },
    { events: 500, checks: 1 },
    { events: 500, checks: 13 },
    BUDGET,
  ])('in slices of %j has the same effects in the same order', (budget) => {
    const harness = manyAccounts(budget)
    expect(effects(harness.tick('EURUSD', '0.96000', '0.96000'))).toEqual(wholeTick)
    expect(snapshotOf(harness.core)).toEqual(snapshotOf(all.core))
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(all.core))
  })

  it('reports after each slice that there is more, and keeps slices small', () => {
    const harness = manyAccounts(UNLIMITED)
    const quote = all.state.quotes.get(1)
    if (!quote) throw new Error('no quote')
    const sizes: number[] = []
    for (let hasMore = true; hasMore;) {
      const outcome = transact(
        harness.core,
        { type: 'tick', at: harness.now(), quote },
        { events: 10, checks: 1_000 },
      )
      if (isRejection(outcome)) throw new Error(outcome.rejected)
      sizes.push(outcome.entry.events.length)
      hasMore = outcome.hasMore
      // Between slices all sums and watches are consistent.
      expect(violations(harness.core)).toEqual([])
    }
    expect(sizes.slice(0, -1).every((size) => size === 10)).toBe(true)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(wholeTick.length)
  })

  it('allows no other command in between', () => {
    const harness = manyAccounts({ events: 10, checks: 1_000 })
    const quote = all.state.quotes.get(1)
    if (!quote) throw new Error('no quote')
    const tick = { type: 'tick', at: harness.now(), quote } as const
    transact(harness.core, tick, { events: 10, checks: 1_000 })
    expect(() => transact(harness.core, { type: 'clock', at: tick.at })).toThrow(/has more to do/)
    expect(() => transact(harness.core, { ...tick, at: tick.at + 1 })).toThrow(/has more to do/)
    expect(transact(harness.core, tick)).toMatchObject({ hasMore: false })
  })

  it('is completed by the next tick after a crash', () => {
    const harness = manyAccounts(UNLIMITED)
    const quote = all.state.quotes.get(1)
    if (!quote) throw new Error('no quote')
    const outcome = transact(
      harness.core,
      { type: 'tick', at: harness.now(), quote },
      { events: 10, checks: 1_000 },
    )
    if (isRejection(outcome)) throw new Error(outcome.rejected)
    harness.journal.push(outcome.entry)
    const copy = harness.replayed()
    watchDirtyAccounts(copy)
    expect(copy.unfinished).toBeNull()
    const rest = carryOut(copy, { type: 'tick', at: harness.now(), quote: { ...quote, seq: quote.seq + 1 } })
    expect(outcome.entry.events.length + rest.length).toBe(wholeTick.length)
    expect([...copy.state.accounts.values()].map(({ available }) => available.balance)).toEqual(
      [...all.state.accounts.values()].map(({ available }) => available.balance),
    )
  })
})

it('a tick waits until all stop-out price bands are up to date, slice by slice, while orders are processed', () => {
  const { core, now } = manyAccounts(UNLIMITED)
  const quote = all.state.quotes.get(1)
  if (!quote) throw new Error('no quote')
  for (let id = 1; id <= 2 * MAX_BANDS_AT_ONCE + 1; id += 1) core.dirtyAccounts.add(id)
  const tick = () => transact(core, { type: 'tick', at: now(), quote })
  expect(tick()).toMatchObject({ hasMore: true, entry: { events: [] } })
  expect(core.dirtyAccounts.size).toBe(MAX_BANDS_AT_ONCE + 1)
  expect(effects(transact(core, { type: 'closeAll', at: now(), accountId: 77 }))).toEqual([
    'refused accountNotFound',
  ])
  expect(tick()).toMatchObject({ hasMore: true, entry: { events: [] } })
  expect(effects(tick())).toEqual(wholeTick)
})

it('the clock ends expired orders in slices, too', () => {
  const harness = manyAccounts({ events: 2, checks: 1_000 })
  expect(effects(harness.clock())).toHaveLength(6)
})

it("expired orders left over by a clock's budget count as due work until they have ended", () => {
  const { core, now } = manyAccounts(UNLIMITED)
  const at = now()
  // Do the due work of the seed.
  while (hasDueWork(core, at - 1)) transact(core, { type: 'clock', at: at - 1 })
  const slices: string[][] = []
  while (hasDueWork(core, at))
    slices.push(effects(transact(core, { type: 'clock', at }, { events: 2, checks: 1_000 })))
  expect(slices.map(({ length }) => length)).toEqual([2, 2, 2])
  expect(slices.flat().every((effect) => effect.endsWith(' orderCancelled'))).toBe(true)
})

it('one account with more positions than fit is stopped out over several slices', () => {
  const rich = (budget: Budget) => {
    const harness = demoHarness({ settings: { stopOutLevel: 50, demoBalance: usd('5005') }, budget })
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { lots: '0.01', target: '0.50000' })
    for (let count = 0; count < 40; count += 1) harness.buy('EURUSD', { lots: '0.02', leverage: 20 })
    return harness
  }
  const [whole, sliced] = [rich(UNLIMITED), rich({ events: 3, checks: 2 })]
  expect(effects(sliced.tick('EURUSD', '0.90000', '0.90000'))).toEqual(
    effects(whole.tick('EURUSD', '0.90000', '0.90000')),
  )
  expect(snapshotOf(sliced.core)).toEqual(snapshotOf(whole.core))
  expect(sliced.journal.length).toBeGreaterThan(whole.journal.length)
})

describe('whatever the market does', () => {
  const budget = fc.constantFrom<Budget>(
    { events: 1, checks: 1 },
    { events: 1, checks: 50 },
    { events: 3, checks: 4 },
    { events: 500, checks: 2 },
  )

  it('slices have the same effects as a single transaction', () => {
    fc.assert(
      fc.property(fc.integer(), budget, (seed, small) => {
        const market = wildMarket(seed)
        const [whole, sliced] = [coreOf(market.world), coreOf(market.world)]
        for (let turn = 0; turn < 400; turn += 1) {
          const command = market.next(whole.state)
          expect(carryOut(sliced, command, small)).toEqual(carryOut(whole, command, UNLIMITED))
        }
        expect(snapshotOf(sliced)).toEqual(snapshotOf(whole))
      }),
      // The first: several orders expire at one clock, more than its budget.
      { numRuns: 60, examples: [[2_147_483_641, { events: 1, checks: 1 }]] },
    )
  })
})
