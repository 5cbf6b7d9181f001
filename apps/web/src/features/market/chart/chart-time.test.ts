import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { timeTicks, timeWriter } from './chart-time.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const NOON = Date.UTC(2014, 4, 1, 12)
const bars = (start: number, stepMs: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => start + index * stepMs)

describe('labels of the time axis', () => {
  const zone = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = 'UTC'
  })
  afterAll(() => {
    if (zone === undefined) delete process.env['TZ']
    else process.env['TZ'] = zone
  })

  it('stand at round times, at least as far apart as asked', () => {
    const ticks = timeTicks(bars(NOON + 7 * MINUTE, MINUTE, 60), '1min', 12)
    expect(ticks.map((tick) => tick.index)).toEqual([8, 23, 38, 53])
  })

  it('mark the first bar of a day', () => {
    const ticks = timeTicks(bars(NOON, HOUR, 30), '60min', 6)
    expect(ticks).toContainEqual({ index: 12, unit: 'day' })
  })

  it('prefer the new day to a round hour that stands too close', () => {
    const start = Date.UTC(2014, 4, 1, 20)
    const times = [...bars(start, HOUR, 3), ...bars(Date.UTC(2014, 4, 2, 0), HOUR, 8)]
    const ticks = timeTicks(times, '60min', 5)
    expect(ticks[0]).toEqual({ index: 3, unit: 'day' })
  })

  it('step by weeks or by months for bars of a day, and mark the new year', () => {
    const days = bars(Date.UTC(2014, 10, 15), DAY, 80)
    expect(timeTicks(days, '1day', 20)).toEqual([
      { index: 16, unit: 'month' },
      { index: 47, unit: 'year' },
      { index: 78, unit: 'month' },
    ])
    const weeks = timeTicks(days.slice(0, 30), '1day', 5)
    expect(weeks.every(({ unit }) => unit === 'day')).toBe(true)
    expect(new Set(weeks.slice(1).map(({ index }, at) => index - (weeks[at]?.index ?? 0)))).toEqual(
      new Set([7]),
    )
  })

  it('are written in local time with Latin digits, whatever the language', () => {
    const arabic = timeWriter('ar')
    expect(arabic.tick(NOON + 5 * MINUTE, 'clock')).toBe('12:05')
    expect(timeWriter('en').tick(NOON, 'day')).toBe('May 1')
    expect(timeWriter('th').full(NOON, '1day')).toContain('2014')
  })
})
