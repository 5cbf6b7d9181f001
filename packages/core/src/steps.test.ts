import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoFloor, effects, remembered, type Floor } from '../scenarios/floor.ts'
import { usd, coreOf } from '../scenarios/market.ts'
import { carryOut, wildMarket } from '../scenarios/wild-market.ts'
import { hasDueWork } from './due-work/sweep.ts'
import { violations } from './invariants/invariants.ts'
import { isRejection } from './rejection.ts'
import { BUDGET, type Budget } from './steps.ts'
import { MOST_WATCHED } from './outcome.ts'
import { transact, watchTouched } from './transact.ts'

const UNLIMITED: Budget = { events: Infinity, looks: Infinity }

/**
 * Thirty accounts, of which one tick to 0.96000 closes some by their stops, opens a pending order of some and stops some
 * out, together with a pending order that is over by then.
 */
function crowd(budget: Budget): Floor {
  const floor = demoFloor({ settings: { stopOutLevel: 50, demoBalance: usd('5005') }, budget })
  for (let id = 2; id <= 30; id += 1) floor.openAccount()
  floor.tick('EURUSD', '1.00000', '1.00000')
  for (let accountId = 1; accountId <= 30; accountId += 1) {
    if (accountId % 3 === 0) floor.buy('EURUSD', { accountId, lots: '0.2', target: '0.98000' })
    if (accountId % 5 === 0)
      floor.sell('EURUSD', { accountId, lots: '0.01', target: '2.00000', expiresAt: floor.now() + 1_000 })
    if (accountId % 7 === 0) floor.buy('EURUSD', { accountId, lots: '0.1', stopLoss: '0.99000' })
    floor.buy('EURUSD', { accountId, lots: '0.9', leverage: 20 })
  }
  floor.wait(1_000)
  return floor
}

const all = crowd(UNLIMITED)
const wholeTick = effects(all.tick('EURUSD', '0.96000', '0.96000'))

describe('a tick that is too much for one transaction', () => {
  it('does everything there is', () => {
    const kinds = wholeTick.map((effect) => effect.replace(/^\d+ /, ''))
    expect(new Set(kinds)).toEqual(new Set(['orderCancelled', 'positionClosed', 'positionOpened']))
    expect(wholeTick.length).toBeGreaterThan(30)
  })

  it.each([
    { events: 1, looks: 1_000 },
    { events: 7, looks: 1_000 },
    { events: 500, looks: 1 },
    { events: 500, looks: 13 },
    BUDGET,
  ])('in slices of %j leads to the same, in the same order', (budget) => {
    const floor = crowd(budget)
    expect(effects(floor.tick('EURUSD', '0.96000', '0.96000'))).toEqual(wholeTick)
    expect(remembered(floor.core)).toEqual(remembered(all.core))
    expect(remembered(floor.replayed())).toEqual(remembered(all.core))
  })

  it('says so, slice after slice, and keeps each of them small', () => {
    const floor = crowd(UNLIMITED)
    const quote = all.state.quotes.get(1)
    if (!quote) throw new Error('no quote')
    const sizes: number[] = []
    for (let hasMore = true; hasMore;) {
      const outcome = transact(
        floor.core,
        { type: 'tick', at: floor.now(), quote },
        { events: 10, looks: 1_000 },
      )
      if (isRejection(outcome)) throw new Error(outcome.rejected)
      sizes.push(outcome.entry.events.length)
      hasMore = outcome.hasMore
      // In between, every sum and every watch is in order.
      expect(violations(floor.core)).toEqual([])
    }
    expect(sizes.slice(0, -1).every((size) => size === 10)).toBe(true)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(wholeTick.length)
  })

  it('lets nothing else in between', () => {
    const floor = crowd({ events: 10, looks: 1_000 })
    const quote = all.state.quotes.get(1)
    if (!quote) throw new Error('no quote')
    const tick = { type: 'tick', at: floor.now(), quote } as const
    transact(floor.core, tick, { events: 10, looks: 1_000 })
    expect(() => transact(floor.core, { type: 'clock', at: tick.at })).toThrow(/has more to do/)
    expect(() => transact(floor.core, { ...tick, at: tick.at + 1 })).toThrow(/has more to do/)
    expect(transact(floor.core, tick)).toMatchObject({ hasMore: false })
  })

  it('cut off by a crash is finished by the next tick', () => {
    const floor = crowd(UNLIMITED)
    const quote = all.state.quotes.get(1)
    if (!quote) throw new Error('no quote')
    const outcome = transact(
      floor.core,
      { type: 'tick', at: floor.now(), quote },
      { events: 10, looks: 1_000 },
    )
    if (isRejection(outcome)) throw new Error(outcome.rejected)
    floor.journal.push(outcome.entry)
    const copy = floor.replayed()
    watchTouched(copy)
    expect(copy.underway).toBeNull()
    const rest = carryOut(copy, { type: 'tick', at: floor.now(), quote: { ...quote, seq: quote.seq + 1 } })
    expect(outcome.entry.events.length + rest.length).toBe(wholeTick.length)
    expect([...copy.state.accounts.values()].map(({ available }) => available.balance)).toEqual(
      [...all.state.accounts.values()].map(({ available }) => available.balance),
    )
  })
})

it('a tick waits until everybody’s safe prices are those of now, a slice at a time, and orders go on', () => {
  const { core, now } = crowd(UNLIMITED)
  const quote = all.state.quotes.get(1)
  if (!quote) throw new Error('no quote')
  for (let id = 1; id <= 2 * MOST_WATCHED + 1; id += 1) core.touched.add(id)
  const tick = () => transact(core, { type: 'tick', at: now(), quote })
  expect(tick()).toMatchObject({ hasMore: true, entry: { events: [] } })
  expect(core.touched.size).toBe(MOST_WATCHED + 1)
  expect(effects(transact(core, { type: 'closeAll', at: now(), accountId: 77 }))).toEqual([
    'refused accountNotFound',
  ])
  expect(tick()).toMatchObject({ hasMore: true, entry: { events: [] } })
  expect(effects(tick())).toEqual(wholeTick)
})

it('the clock, too, ends orders in slices', () => {
  const floor = crowd({ events: 2, looks: 1_000 })
  expect(effects(floor.clock())).toHaveLength(6)
})

it('orders past their expiry that the budget of a clock left over count as due work until they have ended', () => {
  const { core, now } = crowd(UNLIMITED)
  const at = now()
  // What the seed left to be done is done.
  while (hasDueWork(core, at - 1)) transact(core, { type: 'clock', at: at - 1 })
  const slices: string[][] = []
  while (hasDueWork(core, at))
    slices.push(effects(transact(core, { type: 'clock', at }, { events: 2, looks: 1_000 })))
  expect(slices.map(({ length }) => length)).toEqual([2, 2, 2])
  expect(slices.flat().every((effect) => effect.endsWith(' orderCancelled'))).toBe(true)
})

it('one account with more positions than fit is stopped out over several slices', () => {
  const rich = (budget: Budget) => {
    const floor = demoFloor({ settings: { stopOutLevel: 50, demoBalance: usd('5005') }, budget })
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { lots: '0.01', target: '0.50000' })
    for (let count = 0; count < 40; count += 1) floor.buy('EURUSD', { lots: '0.02', leverage: 20 })
    return floor
  }
  const [whole, sliced] = [rich(UNLIMITED), rich({ events: 3, looks: 2 })]
  expect(effects(sliced.tick('EURUSD', '0.90000', '0.90000'))).toEqual(
    effects(whole.tick('EURUSD', '0.90000', '0.90000')),
  )
  expect(remembered(sliced.core)).toEqual(remembered(whole.core))
  expect(sliced.journal.length).toBeGreaterThan(whole.journal.length)
})

describe('whatever the market does', () => {
  const budget = fc.constantFrom<Budget>(
    { events: 1, looks: 1 },
    { events: 1, looks: 50 },
    { events: 3, looks: 4 },
    { events: 500, looks: 2 },
  )

  it('slices lead to what one piece would', () => {
    fc.assert(
      fc.property(fc.integer(), budget, (seed, small) => {
        const market = wildMarket(seed)
        const [whole, sliced] = [coreOf(market.world), coreOf(market.world)]
        for (let turn = 0; turn < 400; turn += 1) {
          const command = market.next(whole.state)
          expect(carryOut(sliced, command, small)).toEqual(carryOut(whole, command, UNLIMITED))
        }
        expect(remembered(sliced)).toEqual(remembered(whole))
      }),
      // The first: several orders expire at one clock, more than its budget.
      { numRuns: 60, examples: [[2_147_483_641, { events: 1, looks: 1 }]] },
    )
  })
})
