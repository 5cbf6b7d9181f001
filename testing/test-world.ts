import {
  DEPLOYMENT,
  lots,
  money,
  price,
  ratio,
  type Instrument,
  type Operator,
  type Quote,
  type Seed,
} from '@fairlot/core'
import type { Answer, Engine, EngineCommand } from '../apps/server/src/engine/engine.ts'

export const EURUSD: Instrument = {
  id: 1,
  code: 'EURUSD',
  quoteCurrency: 'USD',
  baseCurrency: 'EUR',
  priceDecimals: 5,
  contractSize: 100_000,
  marginMode: 'leveraged',
  leverages: [30, 100],
  lotStep: lots(100),
  lotMin: lots(100),
  lotMax: lots(1_000_000),
  feeRate: ratio(1_000),
  minStopDistance: price(6),
  allowsNegativePrice: false,
  suspectBand: ratio(20_000),
  maxSpread: ratio(10_000),
  session: 'always',
  swapRate: { buy: ratio(-3_600_000), sell: ratio(1_800_000) },
  tripleSwapDay: 'wed',
  isEnabled: true,
}

/** One instrument that is always open, and demo accounts of 50,000. */
export const testSeed = (change: Partial<Seed> = {}): Seed => ({
  settings: {
    accountCurrency: 'USD',
    feeType: 'rate',
    demoBalance: money(50_000_000_000n),
    freshnessMs: 60_000,
    warningLevel: 100,
    stopOutLevel: 50,
    maxLivingOrders: 5_000,
    noticeMs: 86_400_000,
    fourEyesLimit: money(10_000_000_000n),
  },
  instruments: [EURUSD],
  ...change,
})

/** Gives an engine its first terms, unless its journal has some. */
export async function adoptSeed(engine: Engine, seed = testSeed()): Promise<void> {
  if (engine.state().termsVersion === 0)
    entryOf(await engine.execute({ type: 'adoptTerms', seed, by: DEPLOYMENT }))
}

/** An operator who may do everything. */
export const TEST_OPERATOR: Operator = {
  type: 'operator',
  id: 1,
  role: 'administrator',
  reason: 'a test',
  second: null,
}

/** The time at which tests begin, epoch ms. */
export const START_OF_TEST = Date.UTC(2026, 0, 5, 12)

type PlaceOrder = Extract<EngineCommand, { type: 'placeOrder' }>

/** A market buy of 0.01 lots, except for the given fields. */
export const marketOrder = (accountId: number, given: Partial<PlaceOrder> = {}): PlaceOrder => ({
  type: 'placeOrder',
  accountId,
  instrumentId: EURUSD.id,
  side: 'buy',
  lots: lots(100),
  leverage: 30,
  targetPrice: null,
  takeProfit: null,
  stopLoss: null,
  expiresAt: null,
  ...given,
})

export const quoteAt = (bid: number, at: number, seq = 1): Quote => ({
  instrumentId: EURUSD.id,
  bid: price(bid),
  ask: price(bid + 3),
  time: at,
  source: 'test',
  seq,
  receivedAt: at,
})

/** The journal entry of an accepted command; throws for a rejected one. */
export function entryOf(answer: Answer) {
  if ('entry' in answer) return answer.entry
  throw new Error(
    `not accepted: ${JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value))}`,
  )
}

/** The id of the order that an accepted command made. */
export function orderIdOf(answer: Answer): number {
  const made = entryOf(answer).events.find((event) => 'orderId' in event)
  if (!made) throw new Error('the command made no order')
  return made.orderId
}

/** The id of the account that an accepted command opened. */
export function accountIdOf(answer: Answer): number {
  const opened = entryOf(answer).events.find((event) => event.type === 'accountOpened')
  if (!opened) throw new Error('the command opened no account')
  return opened.accountId
}
