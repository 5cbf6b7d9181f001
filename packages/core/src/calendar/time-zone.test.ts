import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromLocalTime, parseLocalDay, toLocalTime, weekdayOf, zoneOffsetMs } from './time-zone.ts'

const ZONES = [
  'America/New_York',
  'Europe/London',
  'Europe/Berlin',
  'Australia/Sydney',
  'Asia/Tokyo',
  'Asia/Hong_Kong',
]
const MINUTE = 60_000

const on = (date: string): number => parseLocalDay(date) ?? NaN
const at = (iso: string): number => Date.parse(iso)

describe('a zone', () => {
  it.each([
    ['America/New_York', '2026-03-08T06:59:59.999Z', -300],
    ['America/New_York', '2026-03-08T07:00:00.000Z', -240],
    ['Europe/London', '2026-10-25T00:59:59.999Z', 60],
    ['Europe/London', '2026-10-25T01:00:00.000Z', 0],
    ['Australia/Sydney', '2026-04-04T15:59:59.999Z', 660],
    ['Australia/Sydney', '2026-04-04T16:00:00.000Z', 600],
    ['Asia/Tokyo', '2026-04-04T16:00:00.000Z', 540],
  ])('%s at %s lies %d minutes from UTC', (zone, moment, minutes) => {
    expect(zoneOffsetMs(zone, at(moment))).toBe(minutes * MINUTE)
  })

  it('throws for an unknown zone', () => {
    expect(() => zoneOffsetMs('Europe/Atlantis', 0)).toThrow(RangeError)
  })
})

describe('a local time', () => {
  it('converts back to the same minute in every zone', () => {
    const minutes = fc.integer({
      min: at('2024-01-01T00:00Z') / MINUTE,
      max: at('2031-01-01T00:00Z') / MINUTE,
    })
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), minutes, (zone, minute) => {
        const local = toLocalTime(zone, minute * MINUTE)
        const back = fromLocalTime(zone, local)
        expect(toLocalTime(zone, back)).toEqual(local)
        // A repeated hour gives back its first run.
        expect([0, 60 * MINUTE]).toContain(minute * MINUTE - back)
      }),
      { numRuns: 500 },
    )
  })

  it('means the first of two times that a clock change repeats', () => {
    const local = { day: on('2026-11-01'), minute: 90 }
    expect(fromLocalTime('America/New_York', local)).toBe(at('2026-11-01T05:30:00Z'))
  })

  it('uses the old offset for a time that a clock change skips', () => {
    const local = { day: on('2026-03-08'), minute: 150 }
    expect(fromLocalTime('America/New_York', local)).toBe(at('2026-03-08T07:30:00Z'))
  })
})

describe('a local day', () => {
  it('knows its weekday, also before 1970', () => {
    expect(weekdayOf(on('2026-11-22'))).toBe(0)
    expect(weekdayOf(on('1969-12-31'))).toBe(3)
  })

  it.each(['2025-02-29', '2025-13-01', '2025-1-1', '25-01-01', '', 'today'])('is not "%s"', (text) => {
    expect(parseLocalDay(text)).toBeNull()
  })
})
