import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coreOf } from '../../scenarios/market.ts'
import { carryOut, wildMarket } from '../../scenarios/wild-market.ts'
import { violations } from '../engine/invariants.ts'
import { AWAITED, MarginWatch, type StopOutPriceBand } from './margin-watch.ts'
import { price } from '../model/number.ts'
import type { Core } from './running-core.ts'

const tick = (bid: number, ask: number, instrumentId = 1) => ({
  instrumentId,
  bid: price(bid),
  ask: price(ask),
})

/** Accounts on instrument 1 with these bands. */
function watching(ranges: Record<number, StopOutPriceBand | null>): MarginWatch {
  const watch = new MarginWatch()
  for (const [id, range] of Object.entries(ranges)) watch.watch(Number(id), new Map([[1, range]]))
  return watch
}

describe('an account within its stop-out price band', () => {
  const watch = watching({ 7: { bidFloor: 90, askCeiling: 110 } })

  it.each([
    [90, 100],
    [100, 110],
    [90, 110],
  ])('is not checked at %d / %d', (bid, ask) => {
    expect(watch.isReachedBy(tick(bid, ask))).toBe(false)
    expect(watch.due(tick(bid, ask))).toEqual([])
  })

  it.each([
    [89, 100],
    [100, 111],
    [89, 111],
    [-5, 0],
  ])('is checked once at %d / %d', (bid, ask) => {
    expect(watch.isReachedBy(tick(bid, ask))).toBe(true)
    expect(watch.due(tick(bid, ask))).toEqual([7])
  })

  it('does not depend on other instruments', () => {
    expect(watch.isReachedBy(tick(1, 1_000, 2))).toBe(false)
    expect(watch.due(tick(1, 1_000, 2))).toEqual([])
  })
})

describe('an account without a stop-out price band', () => {
  it('is checked on every tick, without leaving a band', () => {
    const watch = watching({ 7: null })
    expect(watch.isReachedBy(tick(100, 100))).toBe(true)
    expect(watch.due(tick(100, 100))).toEqual([7])
    expect(watch.leaving(tick(100, 100))).toEqual([])
  })
})

it('an account without a price is checked when it arrives, whatever it is', () => {
  for (const price of [-10, 0, 1, 1_000_000]) {
    const watch = watching({ 7: AWAITED })
    expect(watch.isReachedBy(tick(price, price))).toBe(true)
    expect(watch.leaving(tick(price, price))).toEqual([7])
  }
})

it('watching an account again replaces what was watched before', () => {
  const range = (edge: number): StopOutPriceBand => ({ bidFloor: 100 - edge, askCeiling: 100 + edge })
  const some = [
    new Map([[1, range(5)]]),
    new Map([[1, range(9)]]),
    new Map([[1, null]]),
    new Map([[2, range(7)]]),
    new Map<number, StopOutPriceBand | null>([
      [1, range(3)],
      [2, null],
    ]),
    new Map([
      [1, range(4)],
      [2, range(6)],
    ]),
    new Map<number, StopOutPriceBand>(),
  ]
  for (const before of some) {
    for (const after of some) {
      const watch = new MarginWatch()
      watch.watch(7, before)
      watch.watch(7, after)
      const now = new Map([...watch.all()].map(({ instrumentId, band }) => [instrumentId, band]))
      expect(now).toEqual(after)
      for (const instrumentId of [1, 2])
        for (let low = 90; low <= 100; low += 1) {
          const safe = after.get(instrumentId)
          const isDue = safe === null || (safe !== undefined && low < safe.bidFloor)
          expect(watch.due(tick(low, 100, instrumentId))).toEqual(isDue ? [7] : [])
        }
    }
  }
})

describe('many accounts', () => {
  const watch = watching({
    30: { bidFloor: 95, askCeiling: 105 },
    2: { bidFloor: 96, askCeiling: 200 },
    100: null,
    1: { bidFloor: 50, askCeiling: 150 },
  })

  it('are returned once each, by numeric id', () => {
    expect(watch.due(tick(94, 106))).toEqual([2, 30, 100])
  })

  it('are returned together with those changed for another reason', () => {
    expect(watch.due(tick(94, 106), [30, 11])).toEqual([2, 11, 30, 100])
  })

  it('are removed one by one', () => {
    watch.forget(30)
    watch.forget(100)
    watch.forget(100)
    watch.forget(12_345)
    expect(watch.due(tick(94, 106))).toEqual([2])
    watch.watch(2, new Map([[1, { bidFloor: 10, askCeiling: 1_000 }]]))
    expect(watch.isReachedBy(tick(94, 106))).toBe(false)
    expect([...watch.all()]).toEqual([
      { accountId: 1, instrumentId: 1, band: { bidFloor: 50, askCeiling: 150 } },
      { accountId: 2, instrumentId: 1, band: { bidFloor: 10, askCeiling: 1_000 } },
    ])
  })
})

/** Removes all stop-out price bands: every account is checked on every tick of every price it depends on. */
function checkEverybody({ state, marginWatch }: Core): void {
  for (const account of state.accounts.values()) {
    const behind = new Set<number>()
    for (const id of account.exposures.keys()) {
      behind.add(id)
      for (const leg of state.conversionPaths.get(id) ?? []) behind.add(leg.instrument.id)
    }
    marginWatch.watch(account.id, new Map([...behind].map((id) => [id, null])))
  }
}

/** The rollovers of a checked account are booked first, so the time of booking differs. */
const withoutSwaps = (events: ReturnType<typeof carryOut>) =>
  typeof events === 'string'
    ? events
    : events.filter(({ type }) => type !== 'swapBooked' && type !== 'rolledOver')

describe('whatever the market does', () => {
  it('checking only the returned accounts has the same effects as checking all', () => {
    const seen = new Set<unknown>()
    let [checks, checksAll] = [0, 0]
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const market = wildMarket(seed)
        const [core, model] = [coreOf(market.world), coreOf(market.world)]
        for (let turn = 0; turn < 500; turn += 1) {
          const command = market.next(core.state)
          // Rollovers are booked in slices, and at once for checked accounts: they would differ until both are done.
          const clock = { type: 'clock', at: command.at } as const
          const due = carryOut(core, clock)
          expect(withoutSwaps(due)).toEqual(withoutSwaps(carryOut(model, clock)))
          checkEverybody(model)
          if (command.type === 'tick') {
            checks += core.marginWatch.due(command.quote).length
            checksAll += model.marginWatch.due(command.quote).length
          }
          const events = carryOut(core, command)
          expect(withoutSwaps(events)).toEqual(withoutSwaps(carryOut(model, command)))
          for (const event of [due, events].flatMap((all) => (typeof all === 'string' ? [] : all)))
            seen.add('reason' in event ? `${event.type} ${event.reason}` : event.type)
        }
        expect(violations(core)).toEqual([])
      }),
      { numRuns: 60, examples: [[1_005_344_461]] },
    )
    expect([...seen]).toEqual(
      expect.arrayContaining(['positionClosed stopOut', 'orderCancelled stopOut', 'swapBooked']),
    )
    // Prices here move by up to a fifth in one tick, and many accounts are near their level.
    expect(checks / checksAll).toBeLessThan(0.2)
  })
})
