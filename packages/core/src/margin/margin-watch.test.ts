import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { coreOf } from '../../scenarios/market.ts'
import { carryOut, wildMarket } from '../../scenarios/wild-market.ts'
import { violations } from '../invariants/invariants.ts'
import { AWAITED, MarginWatch, type SafeRange } from './margin-watch.ts'
import { price } from '../money/number.ts'
import type { Core } from '../core.ts'

const tick = (bid: number, ask: number, instrumentId = 1) => ({
  instrumentId,
  bid: price(bid),
  ask: price(ask),
})

/** Accounts on instrument 1 with the ranges given. */
function watching(ranges: Record<number, SafeRange | null>): MarginWatch {
  const watch = new MarginWatch()
  for (const [id, range] of Object.entries(ranges)) watch.watch(Number(id), new Map([[1, range]]))
  return watch
}

describe('an account within its safe range', () => {
  const watch = watching({ 7: { bidFloor: 90, askCeiling: 110 } })

  it.each([
    [90, 100],
    [100, 110],
    [90, 110],
  ])('is left alone at %d / %d', (bid, ask) => {
    expect(watch.isReachedBy(tick(bid, ask))).toBe(false)
    expect(watch.due(tick(bid, ask))).toEqual([])
  })

  it.each([
    [89, 100],
    [100, 111],
    [89, 111],
    [-5, 0],
  ])('is looked at once at %d / %d', (bid, ask) => {
    expect(watch.isReachedBy(tick(bid, ask))).toBe(true)
    expect(watch.due(tick(bid, ask))).toEqual([7])
  })

  it('has nothing to do with other instruments', () => {
    expect(watch.isReachedBy(tick(1, 1_000, 2))).toBe(false)
    expect(watch.due(tick(1, 1_000, 2))).toEqual([])
  })
})

describe('an account without a safe range', () => {
  it('is looked at on every tick, but leaves nothing', () => {
    const watch = watching({ 7: null })
    expect(watch.isReachedBy(tick(100, 100))).toBe(true)
    expect(watch.due(tick(100, 100))).toEqual([7])
    expect(watch.leaving(tick(100, 100))).toEqual([])
  })
})

it('an account that awaits a price is looked at once when it comes, whatever it is', () => {
  for (const price of [-10, 0, 1, 1_000_000]) {
    const watch = watching({ 7: AWAITED })
    expect(watch.isReachedBy(tick(price, price))).toBe(true)
    expect(watch.leaving(tick(price, price))).toEqual([7])
  }
})

it('an account watched again is watched only as it is now, wherever it was watched before', () => {
  const range = (edge: number): SafeRange => ({ bidFloor: 100 - edge, askCeiling: 100 + edge })
  const some = [
    new Map([[1, range(5)]]),
    new Map([[1, range(9)]]),
    new Map([[1, null]]),
    new Map([[2, range(7)]]),
    new Map<number, SafeRange | null>([
      [1, range(3)],
      [2, null],
    ]),
    new Map([
      [1, range(4)],
      [2, range(6)],
    ]),
    new Map<number, SafeRange>(),
  ]
  for (const before of some) {
    for (const after of some) {
      const watch = new MarginWatch()
      watch.watch(7, before)
      watch.watch(7, after)
      const now = new Map([...watch.all()].map(({ instrumentId, range }) => [instrumentId, range]))
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

  it('are named once each, by id as a number', () => {
    expect(watch.due(tick(94, 106))).toEqual([2, 30, 100])
  })

  it('are named together with those who changed for another reason', () => {
    expect(watch.due(tick(94, 106), [30, 11])).toEqual([2, 11, 30, 100])
  })

  it('are forgotten one by one', () => {
    watch.forget(30)
    watch.forget(100)
    watch.forget(100)
    watch.forget(12_345)
    expect(watch.due(tick(94, 106))).toEqual([2])
    watch.watch(2, new Map([[1, { bidFloor: 10, askCeiling: 1_000 }]]))
    expect(watch.isReachedBy(tick(94, 106))).toBe(false)
    expect([...watch.all()]).toEqual([
      { accountId: 1, instrumentId: 1, range: { bidFloor: 50, askCeiling: 150 } },
      { accountId: 2, instrumentId: 1, range: { bidFloor: 10, askCeiling: 1_000 } },
    ])
  })
})

/** Forgets all safe prices: every account is looked at on every tick of every price it depends on. */
function trustNobody({ state, marginWatch }: Core): void {
  for (const account of state.accounts.values()) {
    const behind = new Set<number>()
    for (const id of account.exposures.keys()) {
      behind.add(id)
      for (const leg of state.conversionPaths.get(id) ?? []) behind.add(leg.instrument.id)
    }
    marginWatch.watch(account.id, new Map([...behind].map((id) => [id, null])))
  }
}

/** An account that is looked at has its nights booked first: when that is, differs. */
const withoutNights = (events: ReturnType<typeof carryOut>) =>
  typeof events === 'string'
    ? events
    : events.filter(({ type }) => type !== 'swapBooked' && type !== 'rolledOver')

describe('whatever the market does', () => {
  it('looking only at the accounts named leads to what looking at all of them would', () => {
    const seen = new Set<unknown>()
    let [looks, looksAtAll] = [0, 0]
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const market = wildMarket(seed)
        const [core, model] = [coreOf(market.world), coreOf(market.world)]
        for (let turn = 0; turn < 500; turn += 1) {
          const command = market.next(core.state)
          // Nights are booked slice by slice, and at once for whom is looked at: until both are through, they would differ in that.
          const clock = { type: 'clock', at: command.at } as const
          const due = carryOut(core, clock)
          expect(withoutNights(due)).toEqual(withoutNights(carryOut(model, clock)))
          trustNobody(model)
          if (command.type === 'tick') {
            looks += core.marginWatch.due(command.quote).length
            looksAtAll += model.marginWatch.due(command.quote).length
          }
          const events = carryOut(core, command)
          expect(withoutNights(events)).toEqual(withoutNights(carryOut(model, command)))
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
    // Prices here move by up to a fifth in one tick, and many accounts stand near their level.
    expect(looks / looksAtAll).toBeLessThan(0.2)
  })
})
