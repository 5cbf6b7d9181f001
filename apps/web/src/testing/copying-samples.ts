import type {
  CopyingTerms,
  CopyLog,
  CopyView,
  DryRun,
  OwnStrategy,
  StrategyDetails,
  StrategyOrder,
  StrategyRow,
} from '@fairlot/contract'
import { lots, ratio, type Ratio } from '@fairlot/core'
import { amount, decimal, NOON } from './market-samples.ts'

/** Strategies, their figures and copies as the server sends them. */

const DAY = 86_400_000

/** Percent as a ratio: 12.5 is 0.125. */
export const percent = (value: number): Ratio => ratio(Math.round(value * 10_000))
const times = (value: number): Ratio => ratio(Math.round(value * 1_000_000))

export const terms = (change: Partial<CopyingTerms> = {}): CopyingTerms => ({
  minAmount: amount('100'),
  maxCopies: 20,
  isDemoOn: true,
  isRealOn: true,
  legalBasis: '',
  providerMinEquity: amount('500'),
  methodVersion: 3,
  methodFrom: null,
  rankedAfterDays: 21,
  rankedAfterOrders: 20,
  ...change,
})

const FIGURES = {
  rate: percent(4.1),
  profit: amount('1842.5'),
  winRate: percent(58),
  drawdown: percent(6.2),
  profitFactor: times(1.9),
  averageLeverage: times(3.1),
  highestLeverage: times(9.8),
  exposedShare: percent(41),
  orders: 312,
  days: 21,
  copiersResult: amount('18204'),
  copiersInProfit: percent(71),
  copiersMedian: percent(3.4),
  flags: [],
} satisfies Partial<StrategyRow>

const GROWTH = [1, 1.006, 1.002, 1.011, 1.009, 1.018, 1.021, 1.016, 1.025, 1.031, 1.028, 1.041]

/** Profitable, with copiers, and not copied by the caller. */
export const strategyRow = (change: Partial<StrategyRow> = {}): StrategyRow => ({
  id: 31,
  name: 'Harbour',
  kind: 'demo',
  publishedAt: NOON - 287 * DAY,
  endedAt: null,
  endedAs: null,
  ...FIGURES,
  feeShare: percent(15),
  openLoss: amount('-12.4'),
  copiers: 212,
  copiedMoney: amount('184300'),
  isShort: false,
  curve: GROWTH.map(times),
  copyId: null,
  ...change,
})

/** Raises lots after losses; its copiers lost. */
export const flaggedRow = (change: Partial<StrategyRow> = {}): StrategyRow =>
  strategyRow({
    id: 32,
    name: 'Nightshift',
    publishedAt: NOON - 133 * DAY,
    rate: percent(11.6),
    drawdown: percent(38),
    winRate: percent(91),
    profit: amount('9120'),
    orders: 1204,
    copiers: 480,
    copiersMedian: percent(-6.3),
    copiersResult: amount('-40112.2'),
    flags: ['raisesAfterLosses', 'holdsLosses'],
    curve: [1, 1.05, 1.08, 0.8, 1.02, 1.06, 1.09, 0.85, 1.05, 1.08, 1.1, 1.116].map(times),
    ...change,
  })

/** Lost nearly everything and ended. */
export const endedRow = (change: Partial<StrategyRow> = {}): StrategyRow =>
  strategyRow({
    id: 33,
    name: 'Goldleaf',
    publishedAt: NOON - 200 * DAY,
    endedAt: NOON - 65 * DAY,
    endedAs: 'zeroEquity',
    rate: percent(-63),
    drawdown: percent(71.4),
    profit: amount('-6300'),
    copiers: 0,
    copiersMedian: percent(-58.2),
    copiersResult: amount('-22010'),
    curve: [1, 0.98, 0.99, 0.9, 0.84, 0.86, 0.7, 0.61, 0.5, 0.44, 0.4, 0.37].map(times),
    ...change,
  })

/** Published a few days ago. */
export const shortRow = (change: Partial<StrategyRow> = {}): StrategyRow =>
  strategyRow({
    id: 34,
    name: 'Early Bird',
    publishedAt: NOON - 5 * DAY,
    rate: percent(0.4),
    winRate: null,
    orders: 3,
    days: 5,
    copiers: 0,
    copiersMedian: null,
    copiersInProfit: null,
    copiersResult: amount('0'),
    isShort: true,
    curve: [],
    ...change,
  })

export const strategy = (change: Partial<StrategyDetails> = {}): StrategyDetails => ({
  id: 31,
  name: 'Harbour',
  kind: 'demo',
  publishedAt: NOON - 287 * DAY,
  endedAt: null,
  endedAs: null,
  description: 'Trends of currencies and gold, held for hours. No averaging down.',
  feeShare: percent(15),
  openLoss: amount('-12.4'),
  copiers: 212,
  copiedMoney: amount('184300'),
  isShort: false,
  windows: [
    { window: 'threeWeeks', ...FIGURES },
    { window: 'threeMonths', ...FIGURES, rate: percent(9.7), days: 90 },
    { window: 'year', ...FIGURES, rate: percent(31.7), days: 287 },
    { window: 'all', ...FIGURES, rate: percent(31.7), days: 287 },
  ],
  curve: Array.from({ length: 60 }, (_, index) => {
    const growth = 1 + index * 0.0054 + Math.sin(index / 3) * 0.02
    return {
      at: NOON - (60 - index) * 4 * DAY,
      growth: times(growth),
      drawdown: percent(Math.max(0, -Math.cos(index / 3) * 5.2)),
    }
  }),
  months: [2.1, 3, -1.2, 4.4, 0.9, 3.8, -0.6, 2.2].map((rate, index) => ({
    start: Date.UTC(2025, 4 + index, 1),
    rate: percent(rate),
  })),
  instruments: [
    { instrumentId: 1, code: 'EUR/USD', name: 'Euro / US Dollar', orders: 201, profit: amount('1320.1') },
    { instrumentId: 2, code: 'XAU/USD', name: 'Gold', orders: 111, profit: amount('522.4') },
  ],
  holdingTime: 15_000_000,
  ordersBefore: 18,
  profitBefore: amount('-204.5'),
  others: [
    {
      id: 33,
      name: 'Goldleaf',
      kind: 'demo',
      publishedAt: NOON - 500 * DAY,
      endedAt: NOON - 400 * DAY,
      endedAs: 'zeroEquity',
      rate: percent(-63),
    },
  ],
  copyId: null,
  isOwn: false,
  ...change,
})

/** A closed order of somebody else, closed in two parts. */
export const strategyOrder = (change: Partial<StrategyOrder> = {}): StrategyOrder => {
  const tick = {
    instrumentId: 1,
    bid: decimal('1.08433'),
    ask: decimal('1.08439'),
    seq: 4711,
    time: NOON - 120,
    receivedAt: NOON - 113,
    source: 'simulated',
    markUp: decimal('0'),
    admitted: null,
  }
  const close = { action: 'close', tick, ground: null } as const
  return {
    id: 1501,
    instrumentId: 1,
    code: 'EUR/USD',
    priceDecimals: 5,
    side: 'buy',
    lots: lots(1_000),
    openedAt: NOON,
    endedAt: NOON + 120_000,
    result: amount('8.5'),
    receipts: [
      {
        at: NOON,
        action: 'open',
        tick,
        price: decimal('1.08439'),
        lots: lots(1_000),
        result: null,
        ground: null,
      },
      { ...close, at: NOON + 60_000, price: decimal('1.08479'), lots: lots(400), result: amount('1.6') },
      { ...close, at: NOON + 120_000, price: decimal('1.08559'), lots: lots(600), result: amount('7.2') },
    ],
    ...change,
  }
}

const RESULTS = [
  ...([
    'copied',
    'copied',
    'rounded',
    'copied',
    'skipped',
    'copied',
    'copied',
    'rounded',
    'skipped',
  ] as const),
  ...(['copied', 'copied', 'copied', 'skipped', 'copied', 'copied', 'rounded', 'copied', 'copied'] as const),
  ...(['skipped', 'copied'] as const),
] as const

/** Twenty orders: 13 copied, 3 rounded down, 4 skipped. */
export const dryRun = (change: Partial<DryRun> = {}): DryRun => ({
  orders: RESULTS.map((result, index) => ({
    orderId: 500 + index,
    code: index % 3 === 0 ? 'XAU/USD' : 'EUR/USD',
    openedAt: NOON - index * DAY,
    result,
    reason: result === 'skipped' ? 'belowMinimumLot' : null,
    lots: lots(result === 'skipped' ? 0 : 200),
    providerLots: lots(5000),
    profit: amount(result === 'skipped' ? '0' : '1.84'),
    providerProfit: amount('46'),
  })),
  copied: 13,
  rounded: 3,
  skipped: 4,
  isShort: false,
  result: amount('8.2'),
  rate: percent(2.7),
  providerResult: amount('920'),
  providerRate: percent(4.1),
  worst: amount('-18.6'),
  fee: amount('1.23'),
  carriedLoss: amount('0'),
  stopEquity: amount('180'),
  wouldStop: false,
  amountForAll: amount('760'),
  openOrders: [
    {
      code: 'EUR/USD',
      side: 'buy',
      share: percent(12),
      result: percent(10),
    },
  ],
  ...change,
})

/** Running, a little in profit. */
export const copy = (change: Partial<CopyView> = {}): CopyView => ({
  id: 71,
  strategyId: 31,
  name: 'Harbour',
  strategyKind: 'demo',
  state: 'running',
  endReason: null,
  startedAt: NOON - 20 * DAY,
  endedAt: null,
  multiplier: times(1),
  exposureLimit: 20,
  stopPercent: 60,
  excluded: [],
  feeShare: percent(15),
  putIn: amount('300'),
  takenOut: amount('0'),
  balance: amount('308'),
  equity: amount('311.42'),
  result: amount('11.42'),
  feePaid: amount('1.2'),
  free: amount('240.5'),
  stopEquity: amount('180'),
  positions: 1,
  frozenUntil: null,
  rate: percent(3.8),
  providerRate: percent(4.1),
  ...change,
})

/** Stopped by its stop loss; the rest went back. */
export const endedCopy = (change: Partial<CopyView> = {}): CopyView =>
  copy({
    id: 72,
    strategyId: 32,
    name: 'Nightshift',
    state: 'ended',
    endReason: 'stopLoss',
    endedAt: NOON - 9 * DAY,
    putIn: amount('200'),
    takenOut: amount('119.2'),
    balance: amount('0'),
    equity: amount('0'),
    result: amount('-80.8'),
    feePaid: amount('0'),
    free: amount('0'),
    positions: 0,
    frozenUntil: null,
    rate: percent(-40.4),
    providerRate: percent(-12),
    ...change,
  })

type LogEntry = CopyLog['entries'][number]

const logEntry = (change: Partial<LogEntry> = {}): LogEntry => ({
  at: NOON,
  providerOrderId: 501,
  orderId: 901,
  code: 'EUR/USD',
  side: 'buy',
  action: 'copied',
  reason: null,
  lots: lots(200),
  providerLots: lots(5000),
  price: decimal('1.08472'),
  priceDecimals: 5,
  providerPrice: decimal('1.08472'),
  sizing: { multiplier: times(1), equity: amount('311.42'), providerEquity: amount('7785.5') },
  tooSmall: null,
  ...change,
})

/** One entry of each kind; the last was closed by the owner. */
export const log = (): CopyLog['entries'] => [
  logEntry(),
  logEntry({
    at: NOON - 60_000,
    providerOrderId: 502,
    code: 'XAU/USD',
    side: 'sell',
    action: 'rounded',
    lots: lots(100),
  }),
  logEntry({
    at: NOON - 120_000,
    providerOrderId: 503,
    orderId: null,
    code: 'US500',
    action: 'skipped',
    reason: 'belowMinimumLot',
    lots: null,
    price: null,
    tooSmall: { lots: lots(40), leastLots: lots(100) },
  }),
  logEntry({ at: NOON - 180_000, action: 'reduced', lots: lots(100), providerLots: lots(2500) }),
  logEntry({ at: NOON - 240_000, providerOrderId: 504, action: 'closed', providerPrice: null }),
]

/** Nothing is published, and nothing prevents it. */
export const notPublished = (change: Partial<OwnStrategy> = {}): OwnStrategy => ({
  strategy: null,
  barrier: null,
  publishableAt: null,
  minEquity: amount('500'),
  maxFeeShare: percent(30),
  ...change,
})

type Published = NonNullable<OwnStrategy['strategy']>

export const published = (change: Partial<Published> = {}): OwnStrategy =>
  notPublished({
    strategy: {
      id: 35,
      name: 'Tidewater',
      kind: 'demo',
      publishedAt: NOON - 40 * DAY,
      endedAt: null,
      endedAs: null,
      description: 'Gold in the morning.',
      feeShare: percent(12.5),
      copiers: 14,
      copiedMoney: amount('5210'),
      feesEarned: amount('63.4'),
      hiddenFor: null,
      ...change,
    },
  })
