import { expect, test } from 'vitest'
import { createRealClock, createReplayClock } from './clock.ts'
import { realPace } from './pace.ts'
import { createManualPace } from './test-kit.ts'

test('real time is whole ms near the wall clock', () => {
  const now = createRealClock(realPace).now()
  expect(Number.isInteger(now)).toBe(true)
  expect(Math.abs(now - Date.now())).toBeLessThan(60_000)
})

test('market time never begins before what the market has seen', () => {
  const pace = createManualPace(1_000)
  const clock = createRealClock(pace, 5_000)
  expect(clock.now()).toBe(5_000)
  pace.advance(10)
  expect(clock.now()).toBe(5_010)
  expect(createRealClock(pace, 500).now()).toBe(1_010)
})

test('a replay clock stands until it runs, then moves at its speed', () => {
  const pace = createManualPace(0)
  const clock = createReplayClock(pace, 1_000_000, 2.5)
  pace.advance(100)
  expect(clock.now()).toBe(1_000_000)
  clock.run()
  pace.advance(100)
  expect(clock.now()).toBe(1_000_250)
})

test('a replay clock tells how long to wait, rounded up so that the moment has come', () => {
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
