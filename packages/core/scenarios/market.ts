import {
  lots,
  parseDecimal,
  price,
  ratio,
  seededCore,
  type Core,
  type Host,
  type Instrument,
  type Lots,
  type Money,
  type Operator,
  type Price,
  type Seed,
  type TradingSettings,
} from '../src/index.ts'

/** The instruments that tests and stories trade: the terms of the real ones, and a few odd ones. */
const PLAIN = {
  baseCurrency: '',
  quoteCurrency: 'USD',
  priceDecimals: 5,
  contractSize: 100_000,
  marginMode: 'leveraged',
  leverages: [1, 2, 5, 10, 20, 30],
  lotStep: lots(100),
  lotMin: lots(100),
  lotMax: lots(1_000_000),
  feeRate: ratio(1_000),
  minStopDistance: price(6),
  allowsNegativePrice: false,
  suspectBand: ratio(20_000),
  maxSpread: ratio(10_000),
  session: 'always',
  swapRate: { buy: ratio(0), sell: ratio(0) },
  tripleSwapDay: 'wed',
  isEnabled: true,
} as const satisfies Omit<Instrument, 'id' | 'code'>

const pair = (code: string, terms: Partial<Instrument> = {}) => ({
  ...PLAIN,
  code,
  baseCurrency: code.slice(0, 3),
  quoteCurrency: code.slice(3),
  ...terms,
})

const product = (code: string, terms: Partial<Instrument>) => ({
  ...PLAIN,
  code,
  baseCurrency: code,
  ...terms,
})

const TERMS: readonly Omit<Instrument, 'id'>[] = [
  pair('EURUSD'),
  pair('GBPUSD', { minStopDistance: price(9) }),
  pair('USDJPY', { priceDecimals: 3, minStopDistance: price(8) }),
  pair('USDCHF', { minStopDistance: price(10) }),
  pair('EURGBP', { minStopDistance: price(9) }),
  pair('EURCHF', { minStopDistance: price(14) }),
  product('XAUUSD', {
    priceDecimals: 2,
    contractSize: 100,
    minStopDistance: price(25),
    leverages: [1, 2, 5, 10, 20],
  }),
  product('GER40', { quoteCurrency: 'EUR', priceDecimals: 1, contractSize: 1, minStopDistance: price(10) }),
  product('JPN225', { quoteCurrency: 'JPY', priceDecimals: 0, contractSize: 100, minStopDistance: price(8) }),
  product('WTI', {
    priceDecimals: 2,
    contractSize: 1_000,
    minStopDistance: price(3),
    leverages: [1, 2, 5, 10],
    allowsNegativePrice: true,
  }),
  // Fixed margin mode: 1,000 of the account currency a lot, whatever the price.
  product('FIXED', { marginMode: 'fixed', contractSize: 1_000, priceDecimals: 2, minStopDistance: price(2) }),
  product('FIXEDJPY', {
    marginMode: 'fixed',
    contractSize: 1_000,
    quoteCurrency: 'JPY',
    priceDecimals: 0,
    minStopDistance: price(2),
  }),
  product('NOLEVERAGE', { leverages: [] }),
  product('DISABLED', { isEnabled: false }),
  // Nothing leads from its currency to the dollar.
  product('LONELY', { quoteCurrency: 'XXX' }),
]

export const INSTRUMENTS: readonly Instrument[] = TERMS.map((terms, index) => ({ ...terms, id: index + 1 }))

export function instrumentOf(code: string): Instrument {
  const found = INSTRUMENTS.find((instrument) => instrument.code === code)
  if (!found) throw new Error(`no instrument ${code} in the tests' market`)
  return found
}

function units(text: string, decimals: number): bigint {
  const value = parseDecimal(text, decimals)
  if (value === null) throw new Error(`"${text}" is no number of ${decimals} decimals`)
  return value
}

/** "1.38510" of EURUSD in ticks. */
export const priceOf = (code: string, text: string): Price =>
  price(Number(units(text, instrumentOf(code).priceDecimals)))

/** "0.01" lots in the core's units. */
export const lotsOf = (text: string): Lots => lots(Number(units(text, 4)))

/** "4617.00" of the account currency in the core's units. */
export const usd = (text: string): Money => units(text, 6) as Money

/** The settings of a fresh deployment, but for its stop-out, which each harness sets for itself. */
export const PLAIN_SETTINGS: Omit<TradingSettings, 'stopOutLevel'> = {
  accountCurrency: 'USD',
  feeType: 'rate',
  demoBalance: usd('100000'),
  freshnessMs: 5_000,
  warningLevel: 100,
  maxLivingOrders: 500,
  noticeMs: 24 * 3_600_000,
  fourEyesLimit: usd('10000'),
}

/** The operator of tests. */
export const DEALER: Operator = {
  type: 'operator',
  id: 1,
  role: 'dealing',
  reason: 'a test',
  second: null,
}

/** The same with a second operator behind it. */
export const TWO: Operator = { ...DEALER, second: { id: 2, role: 'administrator' } }

/** What a test market begins with, and the hours it keeps. */
export type World = Seed & Host

export const coreOf = (world: World): Core => seededCore(world, world)
