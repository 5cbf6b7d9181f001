/** What the simulation trades: usual instruments and extreme ones. */
import { lots, price, ratio, type Instrument } from '../src/index.ts'
import type { Random } from '../../../testing/random.ts'

/** Where the simulated price starts, and how far it moves in a calm market; in ticks. */
export type PriceProfile = { readonly reference: number; readonly step: number; readonly spread: number }

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
  tripleSwapDay: 'wed',
  isEnabled: true,
} as const

type Listed = Partial<Instrument> & PriceProfile & { readonly pair: string; readonly decimals: number }

const LIST: readonly Listed[] = [
  {
    pair: 'EUR/USD',
    decimals: 5,
    reference: 108_500,
    step: 8,
    spread: 6,
    leverages: [1, 5, 20, 30, 200, 500],
  },
  { pair: 'USD/JPY', decimals: 3, reference: 148_200, step: 12, spread: 9, leverages: [1, 2, 20, 100] },
  { pair: 'GBP/USD', decimals: 5, reference: 126_500, step: 9, spread: 9, leverages: [1, 20, 30, 300] },
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
    lotStep: lots(10),
    lotMin: lots(10),
    suspectBand: ratio(50_000),
    session: 'metal',
  },
  {
    pair: 'SHARE/EUR',
    decimals: 2,
    reference: 21_400,
    step: 15,
    spread: 8,
    markUp: ratio(150),
    contractSize: 1,
    leverages: [1, 2, 5],
    lotStep: lots(10_000),
    lotMin: lots(20_000),
    lotMax: lots(50_000_000),
    suspectBand: ratio(100_000),
    maxSpread: ratio(50_000),
    session: 'share',
    tripleSwapDay: 'fri',
  },
  {
    // Its tick and lots are so small that an account can lie exactly on a threshold.
    pair: 'BTC/USD',
    decimals: 4,
    reference: 675_000_000,
    step: 400_000,
    spread: 200_000,
    contractSize: 1,
    leverages: [1, 2, 20],
    lotStep: lots(1),
    lotMin: lots(5),
    lotMax: lots(200_000),
    suspectBand: ratio(150_000),
    maxSpread: ratio(50_000),
    session: 'always',
    tripleSwapDay: 'daily',
  },
  {
    // Near zero, so that its price crosses it.
    pair: 'OIL/USD',
    decimals: 2,
    reference: 25,
    step: 4,
    spread: 3,
    markUp: ratio(30_000),
    contractSize: 1_000,
    leverages: [1, 2, 5, 10],
    allowsNegativePrice: true,
    suspectBand: ratio(100_000),
    session: 'metal',
    tripleSwapDay: 'mon',
  },
  {
    // Fixed margin in a foreign currency, which needs no conversion.
    pair: 'INDEX/JPY',
    decimals: 0,
    reference: 38_400,
    step: 12,
    spread: 7,
    markUp: ratio(150),
    contractSize: 500,
    marginMode: 'fixed',
    leverages: [5, 20, 200],
    suspectBand: ratio(50_000),
    session: 'tokyo',
    freshnessMs: 20_000,
    tripleSwapDay: 'tue',
  },
  {
    // Its stops may lie at the price itself.
    pair: 'FUND/JPY',
    decimals: 1,
    reference: 271_000,
    step: 90,
    spread: 40,
    contractSize: 10,
    leverages: [1, 5, 20],
    minStopDistance: price(0),
    suspectBand: ratio(50_000),
    session: 'always',
    tripleSwapDay: 'thu',
  },
  { pair: 'OFF/USD', decimals: 2, reference: 5_000, step: 5, spread: 2, isEnabled: false, session: 'always' },
  { pair: 'BARE/USD', decimals: 2, reference: 5_000, step: 5, spread: 2, leverages: [], session: 'always' },
  // So large that no order on it can be booked.
  {
    pair: 'VAST/USD',
    decimals: 2,
    reference: 5_000,
    step: 5,
    spread: 2,
    contractSize: 1e15,
    session: 'always',
  },
  // No pair converts its currency.
  { pair: 'LOST/XXX', decimals: 2, reference: 5_000, step: 5, spread: 2, session: 'always' },
]

/** The first instruments of the list can be traded; orders on the last ones are rejected. */
export const TRADABLE = 10

/** The list with random swap rates: none, usual and extreme ones, of both signs. */
export const createInstruments = (random: Random): Instrument[] =>
  LIST.map((listed, index) => {
    const { pair, decimals, reference: _reference, step: _step, spread, ...terms } = listed
    const [baseCurrency = '', quoteCurrency = ''] = pair.split('/')
    return {
      ...USUAL,
      id: index + 1,
      code: baseCurrency + quoteCurrency,
      baseCurrency,
      quoteCurrency,
      priceDecimals: decimals,
      minStopDistance: price(spread),
      swapRate: { buy: yearlyRate(random), sell: yearlyRate(random) },
      ...terms,
    }
  })

/** In 1e-6 percent a year; the smallest come to less than a millionth of money per rollover. */
export const yearlyRate = (random: Random) =>
  ratio(
    random.pick([
      0,
      random.int(-20, 20),
      random.int(-9_000_000, 9_000_000),
      random.int(-2_000_000_000, 2_000_000_000),
    ]),
  )

/** Some instruments are calm, so that price levels are hit exactly, and some are volatile. */
export const createProfiles = (random: Random): Map<number, PriceProfile> =>
  new Map(
    LIST.map(({ reference, step, spread }, index) => [
      index + 1,
      { reference, spread, step: step * random.pick([1, 1, 5, 12]) },
    ]),
  )
