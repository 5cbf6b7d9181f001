import { expect, test } from 'vitest'
import { barsSince } from './bars-since.ts'
import type { ChartBar } from './chart-port.ts'

const barsAt = (...times: number[]): ChartBar[] =>
  times.map((time) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 }))

test('a chart that begins with the first price says since when', () => {
  expect(barsSince(barsAt(0), { barsSince: 40 })).toBe(40)
  expect(barsSince(barsAt(0, 100, 200), { barsSince: 40 })).toBe(40)
})

test('a chart that reaches back before it, or begins after it, says nothing', () => {
  expect(barsSince(barsAt(0, 100, 200), { barsSince: 140 })).toBeNull()
  expect(barsSince(barsAt(100, 200), { barsSince: 40 })).toBeNull()
})

test('a source with a past says nothing, nor does a chart without a bar or with many', () => {
  expect(barsSince(barsAt(0), { barsSince: null })).toBeNull()
  expect(barsSince([], { barsSince: 40 })).toBeNull()
  expect(barsSince(barsAt(...Array.from({ length: 60 }, (_, at) => at * 100)), { barsSince: 40 })).toBeNull()
})
