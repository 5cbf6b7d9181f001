/** The world of one chapter: what is traded, when, and by which settings. */
import {
  BUDGET,
  createMarketHours,
  defineSession,
  money,
  type Budget,
  type Instrument,
  type SessionText,
  type TradingSettings,
} from '../src/index.ts'
import { createInstruments, createNatures, TRADABLE, type Nature } from './instruments.ts'
import type { Random } from './random.ts'

export type SimWorld = {
  readonly settings: TradingSettings
  readonly instruments: readonly Instrument[]
  readonly natures: ReadonlyMap<number, Nature>
  readonly sessions: readonly SessionText[]
  readonly startsAt: number
  /** Where users trade most, and how many orders may live at once. */
  readonly favourite: Instrument
  readonly mostLivingOrders: number
  /** How much the core does in one slice of its work. */
  readonly budget: Budget
  /** What a host gives the core: pure functions of their arguments. */
  readonly isOpen: (instrument: Instrument, at: number) => boolean
  /** By schedule; a host adds the end of a halt. */
  readonly openSince: (instrument: Instrument, at: number) => number | null
}

const weekdays = (start: string, end: string) =>
  ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day) => `${day} ${start}-${day} ${end}`).join('; ')

const NIGHTS = [
  ['Sun', 'Mon'],
  ['Mon', 'Tue'],
  ['Tue', 'Wed'],
  ['Wed', 'Thu'],
  ['Thu', 'Fri'],
]
const nights = (start: string, end: string) =>
  NIGHTS.map(([from, to]) => `${from} ${start}-${to} ${end}`).join('; ')

const SESSIONS: readonly SessionText[] = [
  { name: 'forex', zone: 'America/New_York', windows: nights('17:05', '16:55'), holidays: [] },
  { name: 'metal', zone: 'America/New_York', windows: nights('18:00', '17:00'), holidays: [] },
  {
    name: 'share',
    zone: 'Europe/Berlin',
    windows: weekdays('09:00', '17:30'),
    holidays: [{ date: '2025-03-06', closesAt: null }],
  },
  { name: 'tokyo', zone: 'Asia/Tokyo', windows: weekdays('08:00', '23:30'), holidays: [] },
]

/** Mornings of ordinary weeks, of weeks in which New York's or Berlin's clocks change, and of a week with a holiday. */
const STARTS = [
  '2025-03-04',
  '2025-03-06',
  '2025-03-07',
  '2025-03-28',
  '2025-06-10',
  '2025-06-12',
  '2025-10-31',
]

/** Money to start with: much, some, and so little that one small order is all of it. */
const PURSES = [100_000_000_000n, 100_000_000_000n, 2_345_678_901n, 57_500_000n]

/** Currency and kind of fee change from chapter to chapter, so that a few chapters meet them all. */
export function createWorld(random: Random, chapter: number): SimWorld {
  const instruments = createInstruments(random)
  const hours = createMarketHours(new Map(SESSIONS.map((text) => [text.name, defineSession(text)] as const)))
  return {
    settings: {
      accountCurrency: ['EUR', 'USD', 'GBP', 'USD'][chapter % 4] ?? 'USD',
      feeType: chapter % 3 === 0 ? 'fixed' : 'rate',
      demoBalance: money(random.pick(PURSES)),
      freshnessMs: random.pick([5_000, 5_000, 3_000]),
      stopOutLevel: random.pick([50, 50, 50, 30, 100]),
    },
    instruments,
    natures: createNatures(random),
    sessions: SESSIONS,
    startsAt: Date.parse(`${random.pick(STARTS)}T08:30:00Z`) + random.int(0, 3_600_000),
    favourite: random.pick(instruments.slice(0, TRADABLE)),
    mostLivingOrders: chapter % 5 === 4 ? 120 : 45,
    budget: random.chance(40) ? BUDGET : { events: random.int(1, 4), looks: random.int(1, 9) },
    isOpen: (instrument, at) => hours.status(instrument.session, at).isOpen,
    openSince: (instrument, at) => hours.status(instrument.session, at).openSince,
  }
}
