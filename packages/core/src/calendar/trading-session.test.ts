import { describe, expect, it } from 'vitest'
import {
  createMarketHours,
  defineSession,
  type HolidayText,
  marketStatus,
  type SessionCalendar,
  sessionText,
  type TradingSession,
} from './trading-session.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri']
const NEXT = { Sun: 'Mon', Mon: 'Tue', Tue: 'Wed', Wed: 'Thu', Thu: 'Fri', Fri: 'Sat' } as Record<
  string,
  string
>
const daily = (opens: string, closes: string): string[] =>
  WEEKDAYS.map((day) => `${day} ${opens}-${day} ${closes}`)
const nightly = (opens: string, closes: string, days = WEEKDAYS): string[] =>
  days.map((day) => `${day} ${opens}-${NEXT[day]} ${closes}`)

const FOREX = nightly('17:05', '16:55', ['Sun', 'Mon', 'Tue', 'Wed', 'Thu']).join('; ')
const SCHEDULES: readonly (readonly [name: string, zone: string, windows: string])[] = [
  ['forex', 'America/New_York', FOREX],
  ['us-share', 'America/New_York', daily('09:30', '16:00').join('; ')],
  ['uk-index', 'Europe/London', daily('01:00', '21:00').join('; ')],
  ['eu-index', 'Europe/Berlin', daily('01:15', '22:00').join('; ')],
  ['jp-index', 'Asia/Tokyo', [...daily('08:00', '16:00'), ...nightly('17:30', '07:00')].join('; ')],
  ['hk-index', 'Asia/Hong_Kong', [...daily('09:15', '12:00'), ...nightly('17:15', '03:00')].join('; ')],
  ['au-index', 'Australia/Sydney', [...daily('09:50', '16:30'), ...nightly('17:10', '07:00')].join('; ')],
]

function calendarOf(holidays: Record<string, readonly HolidayText[]> = {}): SessionCalendar {
  const sessions = SCHEDULES.map(([name, zone, windows]): [string, TradingSession] => [
    name,
    defineSession({ name, zone, windows, holidays: holidays[name] ?? [] }),
  ])
  const crypto = defineSession({ name: 'crypto', zone: 'UTC', windows: 'always', holidays: [] })
  return new Map([...sessions, ['crypto', crypto]])
}

const time = (iso: string): number => Date.parse(iso)
const text = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString().slice(0, 16)

describe('a weekly schedule', () => {
  const calendar = calendarOf()

  it.each([
    ['2026-03-01T22:04:59.999Z', false, null, '2026-03-01T22:05'],
    ['2026-03-01T22:05:00.000Z', true, '2026-03-01T22:05', '2026-03-02T21:55'],
    ['2026-03-02T21:54:59.999Z', true, '2026-03-01T22:05', '2026-03-02T21:55'],
    ['2026-03-02T21:55:00.000Z', false, null, '2026-03-02T22:05'],
    ['2026-03-06T21:55:00.000Z', false, null, '2026-03-08T21:05'],
  ])(
    'includes its start and excludes its end, and follows the clock change: forex at %s',
    (at, isOpen, since, changes) => {
      const status = marketStatus(calendar, 'forex', time(at))
      expect([status.isOpen, text(status.openSince), text(status.changesAt)]).toEqual([
        isOpen,
        since,
        changes,
      ])
    },
  )

  it('without closing times never changes', () => {
    const always = { isOpen: true, openSince: null, changesAt: null }
    expect(marketStatus(calendar, 'crypto', time('2026-12-25T12:00Z'))).toEqual(always)
    expect(marketStatus(calendar, 'always', 0)).toEqual(always)
  })

  it('treats adjacent windows as one opening', () => {
    const windows = 'Mon 08:00-Mon 12:00; Mon 12:00-Mon 16:00'
    const session = defineSession({ name: 'x', zone: 'UTC', windows, holidays: [] })
    const status = marketStatus(new Map([['x', session]]), 'x', time('2026-03-02T11:00Z'))
    expect([text(status.openSince), text(status.changesAt)]).toEqual(['2026-03-02T08:00', '2026-03-02T16:00'])
  })

  it('may run over the end of the week', () => {
    const session = defineSession({ name: 'x', zone: 'UTC', windows: 'Sat 20:00-Sun 04:00', holidays: [] })
    const status = marketStatus(new Map([['x', session]]), 'x', time('2026-03-08T03:59Z'))
    expect([text(status.openSince), text(status.changesAt)]).toEqual(['2026-03-07T20:00', '2026-03-08T04:00'])
  })

  it('throws for a session that is not in the calendar', () => {
    expect(() => marketStatus(calendar, 'moon', 0)).toThrow('the calendar has no session "moon"')
  })
})

describe('a holiday', () => {
  const closed = { date: '2025-12-25', closesAt: null }
  const early = { date: '2025-11-27', closesAt: '13:00' }
  const calendar = calendarOf({
    forex: [closed, early],
    'us-share': [closed, { date: '2025-11-28', closesAt: '13:00' }],
    'jp-index': [closed, { date: '2025-11-27', closesAt: '12:00' }],
  })
  /** Every opening and closing of a session between two moments. */
  function changes(session: string, from: string, to: string): (string | null)[] {
    const found: (string | null)[] = []
    let next = marketStatus(calendar, session, time(from)).changesAt
    while (next !== null && next < time(to)) {
      found.push(text(next))
      next = marketStatus(calendar, session, next).changesAt
    }
    return found
  }

  it('of an overnight market removes the window that closes on its date, not that of the evening', () => {
    expect(changes('forex', '2025-12-24T00:00Z', '2025-12-26T12:00Z')).toEqual([
      '2025-12-24T21:55',
      '2025-12-25T22:05',
    ])
  })

  it('of a market with day windows removes every window that overlaps its date', () => {
    expect(changes('us-share', '2025-12-24T20:00Z', '2025-12-27T00:00Z')).toEqual([
      '2025-12-24T21:00',
      '2025-12-26T14:30',
      '2025-12-26T21:00',
    ])
    // Tokyo: the nights of the 24th and the 25th are gone as well.
    expect(changes('jp-index', '2025-12-24T00:00Z', '2025-12-26T08:00Z')).toEqual([
      '2025-12-24T07:00',
      '2025-12-25T23:00',
      '2025-12-26T07:00',
    ])
  })

  it('keeps a window that ends when its date begins', () => {
    const windows = 'Mon 09:00-Tue 00:00; Tue 09:00-Wed 00:00'
    const holidays = [{ date: '2026-03-03', closesAt: null }]
    const session = defineSession({ name: 'x', zone: 'UTC', windows, holidays })
    const status = (at: string) => marketStatus(new Map([['x', session]]), 'x', time(at))
    expect(text(status('2026-03-02T10:00Z').changesAt)).toBe('2026-03-03T00:00')
    expect(status('2026-03-03T10:00Z').isOpen).toBe(false)
  })

  it('with an early close ends the trading day at its local time', () => {
    expect(changes('us-share', '2025-11-28T00:00Z', '2025-11-29T00:00Z')).toEqual([
      '2025-11-28T14:30',
      '2025-11-28T18:00',
    ])
    expect(changes('forex', '2025-11-27T12:00Z', '2025-11-28T12:00Z')).toEqual([
      '2025-11-27T18:00',
      '2025-11-27T22:05',
    ])
    // Tokyo: open 08:00 to 12:00 after the night before, and no night after.
    expect(changes('jp-index', '2025-11-26T21:00Z', '2025-11-28T00:00Z')).toEqual([
      '2025-11-26T22:00',
      '2025-11-26T23:00',
      '2025-11-27T03:00',
      '2025-11-27T23:00',
    ])
  })
})

describe('a schedule as text', () => {
  const define = (windows: string, holidays: readonly HolidayText[] = []): TradingSession =>
    defineSession({ name: 'x', zone: 'UTC', windows, holidays })

  it.each([
    '',
    'Mon 09:30',
    'Mon 9:30-Mon 16:00',
    'Mon 09:30-Mon 24:00',
    'Mo 09:30-Mon 16:00',
    'Mon 09:30-Mon 16:00;',
  ])('is refused when a window reads "%s"', (windows) =>
    expect(() => define(windows)).toThrow('is no window such as'),
  )

  it('is refused with an unknown zone, date or time', () => {
    expect(() => defineSession({ name: 'x', zone: 'Mars/Base', windows: 'always', holidays: [] })).toThrow(
      RangeError,
    )
    expect(() => define('always', [{ date: '2025-02-29', closesAt: null }])).toThrow(
      '"2025-02-29" is no date',
    )
    expect(() => define('always', [{ date: '2025-02-28', closesAt: '1 pm' }])).toThrow('"1 pm" is no time')
  })
})

/** The local time of a zone by the platform, independently of the code under test. */
function wallClock(zone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    weekday: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  return (at) => format.format(at).replace(',', '')
}

/** Every "Mon 09:30" of the week at which a schedule is open. */
function openMinutes(windows: string): Set<string> {
  const days = ['Sun', ...WEEKDAYS, 'Sat']
  const week = days.flatMap((day) =>
    Array.from({ length: 1440 }, (_, minute) => {
      const [hour, rest] = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0'))
      return `${day} ${hour}:${rest}`
    }),
  )
  const open = new Set<string>()
  for (const window of windows.split('; ')) {
    const [from = '', to = ''] = window.split('-')
    for (let i = week.indexOf(from); week[i % week.length] !== to; i++) open.add(week[i % week.length] ?? '')
  }
  return open
}

/** Days (00:00 UTC) of a year on which the zone's clocks change; where they never do, two ordinary days. */
function clockChanges(zone: string, year: number): number[] {
  const clock = wallClock(zone)
  const time = (at: number): string => clock(at).slice(-5)
  const days = Array.from({ length: 365 }, (_, day) => Date.UTC(year, 0, 1 + day))
  const changes = days.filter((day) => time(day) !== time(day + DAY))
  return changes.length > 0 ? changes : [Date.UTC(year, 2, 8), Date.UTC(year, 10, 1)]
}

describe.each(SCHEDULES)('%s, checked minute by minute in the local time of %s', (name, zone, windows) => {
  it.each([2025, 2026, 2027, 2028, 2029, 2030])('is right around every clock change of %d', (year) => {
    const hours = createMarketHours(calendarOf())
    const clock = wallClock(zone)
    const open = openMinutes(windows)
    const wrong: string[] = []
    const changes = clockChanges(zone, year)
    for (const change of changes) {
      for (let at = change - 3 * DAY; at < change + 4 * DAY; at += MINUTE) {
        if (hours.status(name, at).isOpen !== open.has(clock(at))) wrong.push(new Date(at).toISOString())
      }
    }
    expect(changes).toHaveLength(2)
    expect(wrong).toEqual([])
  })
})

describe('the cached hours', () => {
  it('answer as the calendar does, forwards and backwards in time', () => {
    const calendar = calendarOf({ forex: [{ date: '2025-12-25', closesAt: null }] })
    const hours = createMarketHours(calendar)
    const moments = Array.from(
      { length: 9 * 24 },
      (_, hour) => time('2025-12-20T00:05Z') + hour * 60 * MINUTE,
    )
    for (const at of [...moments, ...moments.toReversed()]) {
      for (const session of calendar.keys()) {
        expect(hours.status(session, at)).toEqual(marketStatus(calendar, session, at))
      }
    }
  })

  it('are not computed again before the next change', () => {
    const hours = createMarketHours(calendarOf())
    const first = hours.status('forex', time('2026-03-02T10:00Z'))
    expect(hours.status('forex', time('2026-03-02T21:54Z'))).toBe(first)
    expect(hours.status('forex', time('2026-03-02T21:55Z'))).not.toBe(first)
  })
})

it('formats a schedule as it is parsed', () => {
  for (const [name, zone, windows] of SCHEDULES) {
    const holidays = [
      { date: '2026-12-24', closesAt: '13:15' },
      { date: '2026-12-25', closesAt: null },
    ]
    const session = defineSession({ name, zone, windows, holidays })
    expect(defineSession(sessionText(session))).toEqual(session)
  }
})
