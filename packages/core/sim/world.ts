/** The world of one episode: what is traded, when, and with which settings. */
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
import { createInstruments, createProfiles, TRADABLE, type PriceProfile } from './instruments.ts'
import type { Random } from '../../../testing/random.ts'

export type SimWorld = {
  readonly settings: TradingSettings
  readonly instruments: readonly Instrument[]
  readonly profiles: ReadonlyMap<number, PriceProfile>
  readonly sessions: readonly SessionText[]
  /** The first journal entry: all of these terms. */
  readonly seed: Entry
  readonly startsAt: number
  /** The instrument that is traded most, and how many orders may be active at once. */
  readonly favourite: Instrument
  readonly maxActiveOrders: number
  /** How much the core does in one slice. */
  readonly budget: Budget
  /** How often the host continues due work, in percent of its steps. */
  readonly dueWorkPercent: number
  /** When the two-operator rules begin: at the first step, at some time, or not at all. */
  readonly adoption: 'first' | 'later' | 'never'
}

const weekdays = (start: string, end: string) =>
  ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'].map((day) => `${day} ${start}-${day} ${end}`).join('; ')

const OVERNIGHT_DAYS = [
  ['Sun', 'Mon'],
  ['Mon', 'Tue'],
  ['Tue', 'Wed'],
  ['Wed', 'Thu'],
  ['Thu', 'Fri'],
]
const overnight = (start: string, end: string) =>
  OVERNIGHT_DAYS.map(([from, to]) => `${from} ${start}-${to} ${end}`).join('; ')

export const SESSIONS: readonly SessionText[] = [
  { name: 'forex', zone: 'America/New_York', windows: overnight('17:05', '16:55'), holidays: [] },
  { name: 'metal', zone: 'America/New_York', windows: overnight('18:00', '17:00'), holidays: [] },
  {
    name: 'share',
    zone: 'Europe/Berlin',
    windows: weekdays('09:00', '17:30'),
    holidays: [{ date: '2025-03-06', closesAt: null }],
  },
  { name: 'tokyo', zone: 'Asia/Tokyo', windows: weekdays('08:00', '23:30'), holidays: [] },
]

/**
 * Mornings of ordinary weeks, of weeks in which New York or Berlin changes its clocks, and of a week with a holiday.
 */
const STARTS = [
  '2025-03-04',
  '2025-03-06',
  '2025-03-07',
  '2025-03-28',
  '2025-06-10',
  '2025-06-12',
  '2025-10-31',
]

/** Starting balances: large, medium, and so small that one small order uses it up. */
export const STARTING_BALANCES = [100_000_000_000n, 100_000_000_000n, 2_345_678_901n, 57_500_000n]

const SOURCE: InstrumentSource = { kind: 'simulated', hours: 'session', freshnessMs: null }

/** Account currency and fee type change from episode to episode, so that a few episodes cover them all. */
export function createWorld(random: Random, episode: number): SimWorld {
  const instruments = createInstruments(random)
  const startingBalance = random.pick(STARTING_BALANCES)
  const settings: TradingSettings = {
    accountCurrency: ['EUR', 'USD', 'GBP', 'USD'][episode % 4] ?? 'USD',
    feeType: episode % 3 === 0 ? 'fixed' : 'rate',
    demoBalance: money(startingBalance),
    freshnessMs: random.pick([5_000, 5_000, 3_000]),
    warningLevel: 100,
    stopOutLevel: random.pick([50, 50, 50, 30, 100]),
    maxLivingOrders: random.pick([500, 500, 6]),
    noticeMs: random.pick([86_400_000, 60_000, 5_000]),
    fourEyesLimit: money(startingBalance / 2n),
    ...(random.chance(75) && { fourEyesOperatorLimit: money(startingBalance) }),
  }
  const startsAt = Date.parse(`${random.pick(STARTS)}T08:30:00Z`) + random.int(0, 3_600_000)
  const sources = new Map(instruments.map(({ id }) => [id, SOURCE] as const))
  return {
    settings,
    instruments,
    seed: seedTerms({ settings, instruments, sessions: SESSIONS, sources }, startsAt),
    profiles: createProfiles(random),
    sessions: SESSIONS,
    startsAt,
    favourite: random.pick(instruments.slice(0, TRADABLE)),
    maxActiveOrders: episode % 5 === 4 ? 120 : 45,
    budget: random.chance(25) ? BUDGET : { events: random.int(1, 4), checks: random.int(1, 9) },
    dueWorkPercent: random.pick([0, 3, 40]),
    adoption: random.pick(['first', 'later', 'later', 'never'] as const),
  }
}
