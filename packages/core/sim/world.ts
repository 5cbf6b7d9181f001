/** The world of one chapter: what is traded, when, and by which settings. */
import {
  createMarketHours,
  defineSession,
  lots,
  money,
  price,
  ratio,
  type Instrument,
  type SessionText,
  type TradingSettings,
} from '../src/index.ts'
import type { Random } from './random.ts'

/** An operator's halt: from `from` (included) to `until` (excluded), epoch ms. */
export type Halt = { readonly instrumentId: number; readonly from: number; readonly until: number }

/** Where the simulated market starts, and how far a calm tick moves, both in ticks. */
export type Nature = { readonly reference: number; readonly step: number; readonly spread: number }

export type SimWorld = {
  readonly settings: TradingSettings
  readonly instruments: readonly Instrument[]
  readonly natures: ReadonlyMap<number, Nature>
  readonly sessions: readonly SessionText[]
  readonly halts: readonly Halt[]
  readonly startsAt: number
  /** Where users trade most, and how many orders may live at once. */
  readonly favourite: Instrument
  readonly mostLivingOrders: number
  /** What a host gives the core: pure functions of their arguments. */
  readonly isOpen: (instrument: Instrument, at: number) => boolean
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

const USUAL = {
  contractSize: 100_000,
  marginMode: 'leveraged',
  leverages: [1, 2, 5, 10, 20, 30],
  lotStep: lots(100),
  lotMin: lots(100),
  lotMax: lots(1_000_000),
  feeRate: ratio(1000),
  allowsNegativePrice: false,
  suspectBand: ratio(20_000),
  maxSpread: ratio(10_000),
  session: 'forex',
  isEnabled: true,
} as const

type Listed = Partial<Instrument> & Nature & { readonly pair: string; readonly decimals: number }

const LIST: readonly Listed[] = [
  { pair: 'EUR/USD', decimals: 5, reference: 108_500, step: 8, spread: 6 },
  { pair: 'USD/JPY', decimals: 3, reference: 148_200, step: 12, spread: 9 },
  { pair: 'GBP/USD', decimals: 5, reference: 126_500, step: 9, spread: 9 },
  { pair: 'EUR/GBP', decimals: 5, reference: 85_770, step: 1, spread: 9 },
  {
    pair: 'XAU/USD',
    decimals: 2,
    reference: 265_000,
    step: 40,
    spread: 30,
    contractSize: 2_000,
    marginMode: 'fixed',
    leverages: [10, 20, 100],
    lotStep: lots(1_000),
    lotMin: lots(1_000),
    suspectBand: ratio(50_000),
    session: 'metal',
  },
  {
    pair: 'SHARE/EUR',
    decimals: 2,
    reference: 21_400,
    step: 15,
    spread: 8,
    contractSize: 1,
    leverages: [1, 2, 5],
    lotStep: lots(10_000),
    lotMin: lots(20_000),
    lotMax: lots(50_000_000),
    suspectBand: ratio(100_000),
    maxSpread: ratio(50_000),
    session: 'share',
  },
  {
    pair: 'BTC/USD',
    decimals: 2,
    reference: 6_750_000,
    step: 4_000,
    spread: 2_000,
    contractSize: 1,
    leverages: [1, 2],
    lotStep: lots(1),
    lotMin: lots(5),
    lotMax: lots(200_000),
    suspectBand: ratio(150_000),
    maxSpread: ratio(50_000),
    session: 'always',
  },
  {
    // Near zero, so that it crosses.
    pair: 'OIL/USD',
    decimals: 2,
    reference: 25,
    step: 4,
    spread: 3,
    contractSize: 1_000,
    leverages: [1, 2, 5, 10],
    allowsNegativePrice: true,
    suspectBand: ratio(100_000),
    session: 'metal',
  },
  {
    // Fixed margin in a foreign currency: no conversion is needed.
    pair: 'INDEX/JPY',
    decimals: 0,
    reference: 38_400,
    step: 12,
    spread: 7,
    contractSize: 500,
    marginMode: 'fixed',
    leverages: [5, 20],
    suspectBand: ratio(50_000),
    session: 'tokyo',
    freshnessMs: 20_000,
  },
  {
    pair: 'FUND/JPY',
    decimals: 1,
    reference: 271_000,
    step: 90,
    spread: 40,
    contractSize: 10,
    leverages: [1, 5, 20],
    suspectBand: ratio(50_000),
    session: 'always',
  },
  { pair: 'OFF/USD', decimals: 2, reference: 5_000, step: 5, spread: 2, isEnabled: false, session: 'always' },
  { pair: 'BARE/USD', decimals: 2, reference: 5_000, step: 5, spread: 2, leverages: [], session: 'always' },
  // A currency that no pair leads out of.
  { pair: 'LOST/XXX', decimals: 2, reference: 5_000, step: 5, spread: 2, session: 'always' },
]

function instrumentOf({ pair, decimals, reference, step, spread, ...terms }: Listed, id: number): Instrument {
  const [baseCurrency = '', quoteCurrency = ''] = pair.split('/')
  return {
    ...USUAL,
    id,
    code: baseCurrency + quoteCurrency,
    baseCurrency,
    quoteCurrency,
    priceDecimals: decimals,
    minStopDistance: price(spread),
    ...terms,
  }
}

/** Mornings of ordinary weeks, of weeks in which New York's or Berlin's clocks change, and of a week with a holiday. */
const STARTS = ['2025-03-04', '2025-03-06', '2025-03-07', '2025-03-28', '2025-06-11', '2025-10-31']

/** Currency and kind of fee change from chapter to chapter, so that a few chapters meet them all. */
export function createWorld(random: Random, chapter: number): SimWorld {
  const instruments = LIST.map((listed, index) => instrumentOf(listed, index + 1))
  const startsAt = Date.parse(`${random.pick(STARTS)}T08:30:00Z`) + random.int(0, 3_600_000)
  const halts = createHalts(random, instruments, startsAt)
  const hours = createMarketHours(new Map(SESSIONS.map((text) => [text.name, defineSession(text)] as const)))
  const statusOf = (instrument: Instrument, at: number) => hours.status(instrument.session, at)
  const haltsOf = (instrument: Instrument) => halts.filter((halt) => halt.instrumentId === instrument.id)
  const isOpen: SimWorld['isOpen'] = (instrument, at) =>
    statusOf(instrument, at).isOpen && !haltsOf(instrument).some((halt) => at >= halt.from && at < halt.until)
  return {
    settings: {
      accountCurrency: chapter % 2 === 0 ? 'EUR' : 'USD',
      feeType: chapter % 3 === 0 ? 'fixed' : 'rate',
      demoBalance: money(random.pick([100_000_000_000n, 100_000_000_000n, 2_345_678_901n])),
      freshnessMs: random.pick([5_000, 5_000, 3_000]),
    },
    instruments,
    natures: new Map(LIST.map((listed, index) => [index + 1, natureOf(listed, random)])),
    sessions: SESSIONS,
    halts,
    startsAt,
    favourite: random.pick(instruments.slice(0, TRADABLE)),
    mostLivingOrders: chapter % 5 === 4 ? 150 : 45,
    isOpen,
    openSince(instrument, at) {
      const { openSince } = statusOf(instrument, at)
      if (!isOpen(instrument, at)) return null
      const ends = haltsOf(instrument).flatMap((halt) => (halt.until <= at ? [halt.until] : []))
      return ends.length > 0 ? Math.max(openSince ?? 0, ...ends) : openSince
    },
  }
}

/** The first of the list can be traded; the last are there to be refused. */
const TRADABLE = 10

/** Some instruments are calm, so that levels are hit exactly, and some are wild. */
const natureOf = ({ reference, step, spread }: Nature, random: Random): Nature => ({
  reference,
  spread,
  step: step * random.pick([1, 1, 5, 12]),
})

function createHalts(random: Random, instruments: readonly Instrument[], startsAt: number): Halt[] {
  return Array.from({ length: 30 }, () => {
    const from = startsAt + random.int(0, 2 * 3_600_000)
    return { instrumentId: random.pick(instruments).id, from, until: from + random.int(5_000, 900_000) }
  })
}
