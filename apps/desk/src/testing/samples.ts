import type { Decimal, OrderView } from '@fairlot/contract'
import type { DeskStrategy } from '@fairlot/contract/desk'
import { lots, money, ratio } from '@fairlot/core'
import { readDecimal } from '@fairlot/core/decimal'

const DIGITS = 10
const price = (text: string): Decimal => readDecimal(text, DIGITS) as Decimal
const NOON = Date.UTC(2026, 0, 7, 12)

/** 0.1 lots of EUR/USD bought, with the receipt of its opening. */
export const openOrder = (changes: Partial<OrderView> = {}): OrderView => ({
  id: 41,
  parentId: null,
  accountId: 17,
  side: 'buy',
  kind: 'market',
  status: 'holding',
  instrument: {
    id: 1,
    code: 'EURUSD',
    showCode: 'EUR/USD',
    name: 'Euro',
    logo: '',
    priceDecimals: 5,
    contractSize: 100_000,
    marginMode: 'leveraged',
    lotStep: lots(100),
  },
  endReason: 'none',
  endedBy: null,
  lots: lots(1_000),
  leverage: 30,
  acceptedPrice: price('1.08436'),
  openPrice: price('1.08439'),
  currentPrice: price('1.08469'),
  takeProfit: null,
  stopLoss: null,
  trailingDistance: null,
  originalMargin: money(361_000_000n),
  margin: money(361_000_000n),
  profit: money(3_000_000n),
  fee: money(3_600_000n),
  swap: money(0n),
  createdAt: NOON,
  openedAt: NOON,
  endedAt: null,
  expiresAt: null,
  receipts: [
    {
      at: NOON,
      action: 'open',
      trigger: 'user',
      quoteSide: 'ask',
      tick: {
        instrumentId: 1,
        bid: price('1.08433'),
        ask: price('1.08439'),
        seq: 9,
        time: NOON,
        receivedAt: NOON,
        source: 'simulated',
        markUp: price('0'),
        admitted: null,
      },
      requestedPrice: price('1.08439'),
      filledPrice: price('1.08439'),
      slippage: price('0'),
      delayMs: 12,
      conversion: [],
      ruleVersion: 2,
      terms: 1,
      ground: null,
      kind: null,
      hash: 'ab'.repeat(32),
      previousHash: '0'.repeat(64),
    },
  ],
  ...changes,
})

/** A published strategy of another user, with one open report. */
export const strategySample = (changes: Partial<DeskStrategy> = {}): DeskStrategy => ({
  id: 12,
  userId: 31,
  ledger: 'real',
  name: 'Calm water',
  description: 'Majors only, one position at a time.',
  feeShare: ratio(125_000),
  publishedAt: NOON,
  endedAt: null,
  endedAs: null,
  copiers: 1_204,
  copiedMoney: money(4_300_000_500_000n),
  openReports: 1,
  isHidden: false,
  hiddenFor: null,
  ...changes,
})
