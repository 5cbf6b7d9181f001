import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBuckets, foldTick, mergeCandles, PERIODS, type Candle, type Period } from './candle.ts'
import { price } from '../model/number.ts'
import { createTradingDays } from '../calendar/trading-day.ts'

const buckets = createBuckets('newYorkClose', createTradingDays())
const time = (iso: string): number => Date.parse(iso)
const text = (at: number): string => new Date(at).toISOString().slice(0, 16)

type Tick = { readonly at: number; readonly value: number }

/** All bars of a period made by ticks. */
function barsOf(ticks: readonly Tick[], period: Period): Candle[] {
  const bars = new Map<number, Candle>()
  let candle: Candle | null = null
  for (const { at, value } of ticks) {
    candle = foldTick(candle, price(value), at, period, buckets)
    bars.set(candle.time, candle)
  }
  return [...bars.values()]
}

describe('a bar', () => {
  it('has the first, highest, lowest and last price and the number of ticks', () => {
    const start = time('2026-03-02T10:00Z')
    const values = [105, 109, 101, 103]
    const ticks = values.map((value, index) => ({ at: start + index, value }))
    expect(barsOf(ticks, '1min')).toEqual([
      { time: start, open: 105, high: 109, low: 101, close: 103, volume: 4 },
    ])
  })

  it('uses the volume of the feed', () => {
    const first = foldTick(null, price(5), 0, '1min', buckets, 30)
    expect(foldTick(first, price(6), 1, '1min', buckets, 12).volume).toBe(42)
  })

  it('ends before the next period, and a period without ticks has no bar', () => {
    const ticks = ['10:00:59.999', '10:01:00.000', '10:03:00.000'].map((clock, value) => ({
      at: time(`2026-03-02T${clock}Z`),
      value,
    }))
    const starts = barsOf(ticks, '1min').map((bar) => text(bar.time).slice(11))
    expect(starts).toEqual(['10:00', '10:01', '10:03'])
  })

  it.each([
    ['1min', '2026-03-02T22:47'],
    ['5min', '2026-03-02T22:45'],
    ['15min', '2026-03-02T22:45'],
    ['30min', '2026-03-02T22:30'],
    ['60min', '2026-03-02T22:00'],
    ['1day', '2026-03-02T22:00'],
  ] as const)('of %s that holds 22:47:30 UTC starts at %s', (period, start) => {
    expect(text(buckets(period, time('2026-03-02T22:47:30Z')))).toBe(start)
  })

  it('of a day starts at 17:00 New York, or at 00:00 UTC for markets that never close', () => {
    const crypto = createBuckets('utcMidnight', createTradingDays())
    expect(text(buckets('1day', time('2026-07-15T20:59Z')))).toBe('2026-07-14T21:00')
    expect(text(crypto('1day', time('2026-07-15T20:59Z')))).toBe('2026-07-15T00:00')
  })

  it('keeps its start when an older price arrives', () => {
    const bar = foldTick(null, price(5), time('2026-03-02T10:01Z'), '1min', buckets)
    const late = foldTick(bar, price(3), time('2026-03-02T10:00Z'), '1min', buckets)
    expect(late).toEqual({ ...bar, low: 3, close: 3, volume: 2 })
  })
})

describe('whatever the ticks', () => {
  const ticks = fc
    .array(
      fc.record({ step: fc.integer({ min: 0, max: 3_000_000 }), value: fc.integer({ min: -50, max: 50 }) }),
    )
    .map((steps) => {
      let at = time('2026-03-06T15:00Z')
      return steps.map(({ step, value }): Tick => ({ at: (at += step), value }))
    })

  it('every bar of every period has the open, high, low, close and count of the ticks in it', () => {
    fc.assert(
      fc.property(ticks, fc.constantFrom(...PERIODS), (ticks, period) => {
        const groups = Map.groupBy(ticks, ({ at }) => buckets(period, at))
        const expected = [...groups].map(([time, group]) => {
          const values = group.map(({ value }) => value)
          const [high, low] = [Math.max(...values), Math.min(...values)]
          return { time, open: values[0], high, low, close: values.at(-1), volume: values.length }
        })
        expect(barsOf(ticks, period)).toEqual(expected)
      }),
    )
  })

  it('bars merged out of finer bars equal bars built from the ticks', () => {
    fc.assert(
      fc.property(ticks, fc.constantFrom(...PERIODS), fc.constantFrom(...PERIODS), (ticks, one, other) => {
        const [finer, coarser] = [one, other].sort((a, b) => PERIODS.indexOf(a) - PERIODS.indexOf(b)) as [
          Period,
          Period,
        ]
        expect(mergeCandles(barsOf(ticks, finer), coarser, buckets)).toEqual(barsOf(ticks, coarser))
      }),
    )
  })
})
