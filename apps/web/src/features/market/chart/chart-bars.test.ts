import type { Candle, Decimal } from '@fairlot/contract'
import { expect, it } from 'vitest'
import { tailOf, toBar, toBars, withMid } from './chart-bars.ts'
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

it('turns decimals into ticks', () => {
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

it('adds the last bar and what follows when an answer comes again', () => {
  expect(tailOf(bar(2, 10), [bar(1), bar(2, 12), bar(3)])).toEqual([bar(2, 12), bar(3)])
})

it('starts anew when the answer does not reach back to what is drawn', () => {
  expect(tailOf(bar(2), [bar(5)])).toBeNull()
  expect(tailOf(null, [bar(5)])).toBeNull()
})

it('lets the moving bar follow the mid, stretching its high and low', () => {
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

it('keeps a mid out of a bar that it does not belong to', () => {
  expect(withMid(bar(60_000), '1min', { ticks: 13, time: 120_000 })).toEqual(bar(60_000))
  expect(withMid(bar(60_000), '1min', { ticks: 13, time: 59_999 })).toEqual(bar(60_000))
})
