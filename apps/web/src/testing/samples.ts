import {
  API_VERSION,
  type AccountFigures,
  type BasicInfo,
  type Country,
  type IdentityCheck,
  type InstrumentListing,
  type LedgerRecord,
  type NewsItem,
  type NewsRow,
  type OrderPage,
  type OrderView,
  type Receipt,
  type SessionView,
  type User,
} from '@fairlot/contract'
import { lots, money } from '@fairlot/core'
import { amount, decimal, eurusd, gold, NOON } from './market-samples.ts'

/** Users, orders and money as the server sends them, with the samples of the market. */

export * from './market-samples.ts'

export const basicInfo = (change: Partial<BasicInfo> = {}): BasicInfo => ({
  serviceLink: '',
  serviceOpensIn: 'chat',
  registrationCheck: 'code',
  feeType: 'rate',
  creditScore: 100,
  appMode: 'broker',
  currency: 'USD',
  riskWarning: 'You can lose more quickly than you think.',
  freshnessMs: 600_000,
  warningLevel: decimal('100'),
  stopOutLevel: decimal('50'),
  needsIdentityToWithdraw: true,
  demoBalance: amount('100000'),
  demoBalanceMin: amount('100'),
  demoBalanceMax: amount('1000000'),
  tradingMode: 'normal',
  tradingReason: '',
  cardLink: '',
  isSingleOperator: false,
  recoveryAt: null,
  recoveryReason: '',
  passkeyDomain: null,
  apiVersion: API_VERSION,
  marketTime: Date.now(),
  ...change,
})

export const demoUser = (change: Partial<User> = {}): User => ({
  id: 7,
  uid: '700007',
  email: null,
  phone: null,
  areaCode: null,
  isDemo: true,
  inviteCode: null,
  creditScore: 100,
  restriction: null,
  identityCheck: 'form',
  ...change,
})

export const realUser = (change: Partial<User> = {}): User =>
  demoUser({ id: 8, uid: '800008', email: 'ada@example.org', isDemo: false, inviteCode: 'ADA1', ...change })

/** Nothing open. */
export const figures = (change: Partial<AccountFigures> = {}): AccountFigures => ({
  balance: amount('100000'),
  equity: amount('100000'),
  free: amount('100000'),
  margin: amount('0'),
  level: null,
  profit: amount('0'),
  reserved: amount('0'),
  stopOuts: [],
  computedAt: Date.now(),
  ...change,
})

/** The figures with only `position` open. */
export const figuresWithPosition = (change: Partial<AccountFigures> = {}): AccountFigures =>
  figures({
    balance: amount('99996.38'),
    equity: amount('99999.38'),
    profit: amount('3'),
    margin: amount('361.58'),
    free: amount('99637.80'),
    level: decimal('27656.22'),
    ...change,
  })

const brief = ({
  id,
  code,
  showCode,
  name,
  logo,
  priceDecimals,
  contractSize,
  marginMode,
  lotStep,
}: InstrumentListing): OrderView['instrument'] => ({
  id,
  code,
  showCode,
  name,
  logo,
  priceDecimals,
  contractSize,
  marginMode,
  lotStep,
})

/** 0.10 lots of EUR/USD bought, three units in profit. */
export const position = (change: Partial<OrderView> = {}): OrderView => ({
  id: 41,
  parentId: null,
  accountId: 7,
  instrument: brief(eurusd()),
  side: 'buy',
  kind: 'market',
  status: 'holding',
  endReason: 'none',
  endedBy: null,
  lots: lots(1000),
  leverage: 30,
  acceptedPrice: decimal('1.08436'),
  openPrice: decimal('1.08439'),
  currentPrice: decimal('1.08469'),
  takeProfit: null,
  stopLoss: null,
  trailingDistance: null,
  originalMargin: amount('361.463333'),
  margin: amount('361.463333'),
  profit: amount('3'),
  fee: amount('3.614633'),
  swap: amount('0'),
  createdAt: NOON,
  openedAt: NOON,
  endedAt: null,
  expiresAt: null,
  receipts: [],
  ...change,
})

/** Half a lot of gold sold, at a loss. */
export const goldPosition = (change: Partial<OrderView> = {}): OrderView =>
  position({
    id: 42,
    instrument: brief(gold()),
    side: 'sell',
    lots: lots(5000),
    acceptedPrice: decimal('2640'),
    openPrice: decimal('2639.80'),
    currentPrice: decimal('2650.45'),
    profit: amount('-532.5'),
    ...change,
  })

/** A pending buy limit order. */
export const pendingOrder = (change: Partial<OrderView> = {}): OrderView =>
  position({
    id: 51,
    kind: 'limit',
    status: 'pending',
    acceptedPrice: decimal('1.08'),
    openPrice: null,
    openedAt: null,
    profit: amount('0'),
    currentPrice: decimal('1.08475'),
    ...change,
  })

/** The position, closed by the user. */
export const closedOrder = (change: Partial<OrderView> = {}): OrderView =>
  position({ status: 'closed', endReason: 'user', margin: amount('0'), endedAt: NOON + 60_000, ...change })

/** A page with the whole list. */
export const pageOf = (orders: readonly OrderView[], total = orders.length): OrderPage => ({
  orders,
  total,
  profit: money(orders.reduce((sum, { profit }) => sum + profit, 0n)),
  balance: amount('100000'),
})

/** The receipt of the fill of `position`. */
export const receipt = (change: Partial<Receipt> = {}): Receipt => ({
  kind: null,
  at: NOON,
  action: 'open',
  trigger: 'user',
  tick: {
    instrumentId: 1,
    bid: decimal('1.08433'),
    ask: decimal('1.08439'),
    seq: 4711,
    time: NOON - 120,
    receivedAt: NOON - 113,
    source: 'simulated',
    markUp: decimal('0'),
    admitted: null,
  },
  quoteSide: 'ask',
  requestedPrice: decimal('1.08439'),
  filledPrice: decimal('1.08439'),
  slippage: decimal('0'),
  delayMs: 113,
  conversion: [],
  ruleVersion: 1,
  terms: 3,
  ground: null,
  hash: 'a1b2'.repeat(16),
  previousHash: '0'.repeat(64),
  ...change,
})

export const ledgerRecord = (change: Partial<LedgerRecord> = {}): LedgerRecord => ({
  id: 900,
  amount: amount('-3.614633'),
  memo: 'Fee of order no. 41',
  createdAt: NOON,
  balance: amount('99996.385367'),
  kind: 'fee',
  orderId: 41,
  caseId: null,
  isFrozen: false,
  ...change,
})

export const countries: readonly Country[] = [
  { id: 1, code: 'GB', callingCode: '44', name: 'United Kingdom', isBlocked: false },
  { id: 2, code: 'HK', callingCode: '852', name: 'Hong Kong', isBlocked: false },
  { id: 3, code: 'DE', callingCode: '49', name: 'Germany', isBlocked: false },
  { id: 4, code: 'US', callingCode: '1', name: 'United States', isBlocked: true },
]

export const session = (change: Partial<SessionView> = {}): SessionView => ({
  id: 'here',
  startedAt: NOON - 3_600_000,
  seenAt: NOON,
  device: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
  address: '192.0.2.7',
  isCurrent: true,
  ...change,
})

/** Nothing has been sent yet. */
export const identityCheck = (change: Partial<IdentityCheck> = {}): IdentityCheck => ({
  status: 'form',
  name: '',
  reason: '',
  number: '',
  faults: [],
  sentAt: null,
  ...change,
})

/** 2026-01-07, 12:00 UTC. */
export const PUBLISHED = Date.UTC(2026, 0, 7, 12)

export const newsRow = (change: Partial<NewsRow> = {}): NewsRow => ({
  id: 1,
  category: 'market',
  title: 'Gold opens later',
  summary: 'From Monday.',
  language: 'en',
  picture: '',
  isPinned: false,
  publishedAt: PUBLISHED,
  ...change,
})

export const newsItem = (change: Partial<NewsItem> = {}): NewsItem => ({
  ...newsRow(),
  content: '<p>At <strong>eight</strong>.</p>',
  ...change,
})
