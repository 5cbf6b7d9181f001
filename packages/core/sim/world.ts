/** The world of one chapter: what is traded, when, and by which settings. */
import {
  BUDGET,
  money,
  seedTerms,
  type Budget,
  type Entry,
  type Instrument,
  type InstrumentSource,
  type SessionText,
  type TradingSettings,
} from '../src/index.ts'
import { createInstruments, createNatures, TRADABLE, type Nature } from './instruments.ts'
import type { Random } from '../../../testing/random.ts'

export type SimWorld = {
  readonly settings: TradingSettings
  readonly instruments: readonly Instrument[]
  readonly natures: ReadonlyMap<number, Nature>
  readonly sessions: readonly SessionText[]
  /** The first entry of the journal: all of these terms. */
  readonly seed: Entry
  readonly startsAt: number
  /** Where users trade most, and how many orders may live at once. */
  readonly favourite: Instrument
  readonly mostLivingOrders: number
  /** How much the core does in one slice of its work. */
  readonly budget: Budget
  /** How eagerly the host goes on with due work, in percent of its steps. */
  readonly diligence: number
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

export const SESSIONS: readonly SessionText[] = [
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
export const PURSES = [100_000_000_000n, 100_000_000_000n, 2_345_678_901n, 57_500_000n]

const SOURCE: InstrumentSource = { kind: 'simulated', hours: 'session', freshnessMs: null }

/** Currency and kind of fee change from chapter to chapter, so that a few chapters meet them all. */
export function createWorld(random: Random, chapter: number): SimWorld {
  const instruments = createInstruments(random)
  const purse = random.pick(PURSES)
  const settings: TradingSettings = {
    accountCurrency: ['EUR', 'USD', 'GBP', 'USD'][chapter % 4] ?? 'USD',
    feeType: chapter % 3 === 0 ? 'fixed' : 'rate',
    demoBalance: money(purse),
    freshnessMs: random.pick([5_000, 5_000, 3_000]),
    warningLevel: 100,
    stopOutLevel: random.pick([50, 50, 50, 30, 100]),
    maxLivingOrders: random.pick([500, 500, 6]),
    noticeMs: random.pick([86_400_000, 60_000, 5_000]),
    fourEyesLimit: money(purse / 2n),
  }
  const startsAt = Date.parse(`${random.pick(STARTS)}T08:30:00Z`) + random.int(0, 3_600_000)
  const sources = new Map(instruments.map(({ id }) => [id, SOURCE] as const))
  return {
    settings,
    instruments,
    seed: seedTerms({ settings, instruments, sessions: SESSIONS, sources }, startsAt),
    natures: createNatures(random),
    sessions: SESSIONS,
    startsAt,
    favourite: random.pick(instruments.slice(0, TRADABLE)),
    mostLivingOrders: chapter % 5 === 4 ? 120 : 45,
    budget: random.chance(25) ? BUDGET : { events: random.int(1, 4), looks: random.int(1, 9) },
    diligence: random.pick([0, 3, 40]),
  }
}
