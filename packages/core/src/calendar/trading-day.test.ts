import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createTradingDays, dayRolloverOf, tradingDay } from './trading-day.ts'

const HOUR = 3_600_000
const time = (iso: string): number => Date.parse(iso)
const text = (at: number): string => new Date(at).toISOString().slice(0, 16)

describe('the trading day', () => {
  it.each([
    ['2026-01-15T21:59:59.999Z', '2026-01-14T22:00', 24],
    ['2026-01-15T22:00:00.000Z', '2026-01-15T22:00', 24],
    ['2026-07-15T20:59:59.999Z', '2026-07-14T21:00', 24],
    ['2026-07-15T21:00:00.000Z', '2026-07-15T21:00', 24],
    ['2026-03-08T12:00:00.000Z', '2026-03-07T22:00', 23],
    ['2026-11-01T12:00:00.000Z', '2026-10-31T21:00', 25],
  ])('begins at 17:00 New York: at %s it began at %s and lasts %d hours', (at, start, hours) => {
    const day = tradingDay('newYorkClose', time(at))
    expect([text(day.start), (day.end - day.start) / HOUR]).toEqual([start, hours])
  })

  it('begins at 00:00 UTC for markets that never close', () => {
    expect(dayRolloverOf({ windows: 'always' })).toBe('utcMidnight')
    expect(dayRolloverOf({ windows: [] })).toBe('newYorkClose')
    const day = tradingDay('utcMidnight', time('2026-03-08T23:59:59.999Z'))
    expect([text(day.start), text(day.end)]).toEqual(['2026-03-08T00:00', '2026-03-09T00:00'])
  })

  it('contains its moment, ends where the next begins, and is the same when cached', () => {
    const days = createTradingDays()
    const turn = fc.constantFrom('newYorkClose' as const, 'utcMidnight' as const)
    const moment = fc.integer({ min: time('2024-01-01T00:00Z'), max: time('2031-01-01T00:00Z') })
    fc.assert(
      fc.property(turn, moment, (turn, at) => {
        const day = tradingDay(turn, at)
        expect(day.start <= at && at < day.end).toBe(true)
        expect(tradingDay(turn, day.end).start).toBe(day.end)
        expect(days(turn, at)).toEqual(day)
        expect(days(turn, day.end - 1)).toBe(days(turn, day.start))
      }),
      { numRuns: 300 },
    )
  })
})
