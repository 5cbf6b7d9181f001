import type { Candle, Decimal } from '@fairlot/contract'
import { expect, it, test } from 'vitest'
import { barsSince, tailOf, toBar, toBars, withMid } from './bars.ts'
import type { ChartBar } from './chart-port.ts'

const bar = (time: number, close = 10): ChartBar => ({ time, open: 10, high: 11, low: 9, close, volume: 1 })
const candle = (close: string): Candle =>
  ({
    code: 'EURUSD',
    instrumentId: 1,
    period: '1min',
    time: 60_000,
    open: 1.0847 as Decimal,
    high: 1.0849 as Decimal,
    low: 1.08469 as Decimal,
    close: Number(close) as Decimal,
    volume: 41 as Decimal,
  }) as Candle

it('converts decimals into ticks', () => {
  expect(toBar(candle('1.08472'), 5)).toEqual({
    time: 60_000,
    open: 108_470,
    high: 108_490,
    low: 108_469,
    close: 108_472,
    volume: 41,
  })
})

it('leaves out a bar with more digits than its instrument', () => {
  expect(toBars([candle('1.084725'), candle('1.08472')], 5)).toHaveLength(1)
})

it('continues with the last bar and those after it when the response overlaps', () => {
  expect(tailOf(bar(2, 10), [bar(1), bar(2, 12), bar(3)])).toEqual([bar(2, 12), bar(3)])
})

it('starts over when the response does not reach back to the shown bars', () => {
  expect(tailOf(bar(2), [bar(5)])).toBeNull()
  expect(tailOf(null, [bar(5)])).toBeNull()
})

it('updates the last bar by the mid, extending its high and low', () => {
  expect(withMid(bar(60_000), '1min', { ticks: 13, time: 61_000 })).toMatchObject({
    high: 13,
    low: 9,
    close: 13,
  })
  expect(withMid(bar(60_000), '1min', { ticks: 8, time: 119_999 })).toMatchObject({
    high: 11,
    low: 8,
    close: 8,
  })
})

it('ignores a mid outside the time of the bar', () => {
  expect(withMid(bar(60_000), '1min', { ticks: 13, time: 120_000 })).toEqual(bar(60_000))
  expect(withMid(bar(60_000), '1min', { ticks: 13, time: 59_999 })).toEqual(bar(60_000))
})

const barsAt = (...times: number[]): ChartBar[] =>
  times.map((time) => ({ time, open: 1, high: 1, low: 1, close: 1, volume: 1 }))

test('a chart that begins with the first price shows since when', () => {
  expect(barsSince(barsAt(0), { barsSince: 40 })).toBe(40)
  expect(barsSince(barsAt(0, 100, 200), { barsSince: 40 })).toBe(40)
})

test('a chart that reaches back before it, or begins after it, shows nothing', () => {
  expect(barsSince(barsAt(0, 100, 200), { barsSince: 140 })).toBeNull()
  expect(barsSince(barsAt(100, 200), { barsSince: 40 })).toBeNull()
})

test('a source with earlier prices shows nothing, nor does a chart without a bar or with many', () => {
  expect(barsSince(barsAt(0), { barsSince: null })).toBeNull()
  expect(barsSince([], { barsSince: 40 })).toBeNull()
  expect(barsSince(barsAt(...Array.from({ length: 60 }, (_, at) => at * 100)), { barsSince: 40 })).toBeNull()
})
