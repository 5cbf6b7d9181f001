import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRealClock, createReplayClock, realPace } from './clock.ts'
import { createManualPace } from './test-kit.ts'

test('real time is an integer of ms near the wall clock', () => {
  const now = createRealClock(realPace).now()
  expect(Number.isInteger(now)).toBe(true)
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000)
})

test('market time never starts before the last time the market has seen', () => {
  const pace = createManualPace(1_000)
  const clock = createRealClock(pace, 5_000)
  expect(clock.now()).toBe(5_000)
  pace.advance(10)
  expect(clock.now()).toBe(5_010)
  expect(createRealClock(pace, 500).now()).toBe(1_010)
})

test('a replay clock stays at its start until it runs, then advances at its speed', () => {
  const pace = createManualPace(0)
  const clock = createReplayClock(pace, 1_000_000, 2.5)
  pace.advance(100)
  expect(clock.now()).toBe(1_000_000)
  clock.run()
  pace.advance(100)
  expect(clock.now()).toBe(1_000_250)
})

test('a replay clock returns the time to wait, rounded up so that the moment is reached', () => {
  const pace = createManualPace(0)
  const clock = createReplayClock(pace, 0, 3)
  clock.run()
  expect(clock.msUntil(10)).toBe(4)
  pace.advance(4)
  expect(clock.now()).toBe(12)
  expect(clock.msUntil(12)).toBe(0)
})

test('a replay clock jumps forward and never back', () => {
  const pace = createManualPace(0)
  const clock = createReplayClock(pace, 1_000, 1)
  clock.run()
  clock.jump(5_000)
  expect(clock.now()).toBe(5_000)
  clock.jump(4_000)
  pace.advance(1)
  expect(clock.now()).toBe(5_001)
})

const HOUR_MS = 3_600_000

test('real time follows a machine that slept or was set forward, and reports by how much', () => {
  const pace = createManualPace(1_000_000)
  const clock = createRealClock(pace)
  pace.step(8 * HOUR_MS)
  expect(clock.now()).toBe(1_000_000 + 8 * HOUR_MS)
  pace.advance(10)
  expect(clock.now()).toBe(1_000_010 + 8 * HOUR_MS)
  expect([clock.takeJumps(), clock.takeJumps()]).toEqual([8 * HOUR_MS, 0])
})

test('real time continues by the monotonic clock when the machine’s is set back or is off by little', () => {
  const pace = createManualPace(10 * HOUR_MS)
  const clock = createRealClock(pace)
  pace.step(-HOUR_MS)
  pace.advance(10)
  expect(clock.now()).toBe(10 * HOUR_MS + 10)
  pace.step(HOUR_MS + 1_000)
  expect(clock.now()).toBe(10 * HOUR_MS + 10)
  pace.step(1)
  expect(clock.now()).toBe(10 * HOUR_MS + 1_011)
  expect(clock.takeJumps()).toBe(1_001)
})

test('real time never goes back, whatever the machine’s clock does', () => {
  const step = fc.record({ by: fc.integer({ min: -HOUR_MS, max: HOUR_MS }), passes: fc.nat({ max: 5_000 }) })
  fc.assert(
    fc.property(fc.array(step), fc.nat({ max: 2 * HOUR_MS }), (steps, notBefore) => {
      const pace = createManualPace(HOUR_MS)
      const clock = createRealClock(pace, notBefore)
      let before = clock.now()
      for (const { by, passes } of steps) {
        pace.step(by)
        pace.advance(passes)
        expect(clock.now()).toBeGreaterThanOrEqual(before + passes)
        expect(clock.now()).toBeGreaterThanOrEqual(pace.wall() - 1_000)
        before = clock.now()
      }
    }),
  )
})

test('a source’s time is kept, unless it was set back together with the machine’s clock', () => {
  const pace = createManualPace(10 * HOUR_MS)
  const clock = createRealClock(pace)
  expect(clock.fromSource(10 * HOUR_MS - 250)).toBe(10 * HOUR_MS - 250)
  pace.step(-HOUR_MS)
  expect(clock.fromSource(9 * HOUR_MS - 250)).toBe(10 * HOUR_MS - 250)
  // A source that was not set back.
  expect(clock.fromSource(10 * HOUR_MS - 250)).toBe(10 * HOUR_MS - 250)
  pace.step(HOUR_MS)
  expect(clock.fromSource(9 * HOUR_MS)).toBe(9 * HOUR_MS)
  expect(clock.fromSource(NaN)).toBeNaN()
})
