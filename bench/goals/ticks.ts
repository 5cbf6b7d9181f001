import {
  addAccount,
  indexAlert,
  indexOrder,
  lots,
  money,
  price,
  seededCore,
  transact,
  type Alert,
  type Core,
  type Instrument,
  type Order,
} from '@fairlot/core'
import { EURUSD, quoteAt, START_OF_TEST, testSeed } from '../../testing/test-world.ts'
import { inTurns, median, ratioOf, type Line } from '../measurement.ts'

const ROUNDS = 5
const INSTRUMENTS = 10
const ACCOUNTS = 1_000
const FEW = 10_000
const MANY = 1_000_000
const ALERTS = 100_000
const TICKS = 200_000
const SCANS = 5
const BID = 108_469
/** So much that no account is near a stop-out; stop-out price bands are watched all the same. */
const PLENTY = money(1_000_000_000_000_000n)
/** Minimum distance of stops, so that no tick of this benchmark reaches one. */
const FAR = 1_000

const instruments: readonly Instrument[] = Array.from({ length: INSTRUMENTS }, (_, index) => ({
  ...EURUSD,
  id: index + 1,
  code: `EURUSD${index}`,
}))

/**
 * P5: the cost of a tick that triggers nothing, with few and with many open positions, each with two stops, and with
 * few positions and many alerts.
 */
export function measureTicks(): Promise<Line[]> {
  const few = coreWith(FEW)
  const many = coreWith(MANY)
  const alerted = coreWith(FEW)
  for (let id = 1; id <= ALERTS; id += 1) indexAlert(alerted, alertOf(id))
  runTicks(alerted)
  runTicks(few)
  runTicks(many)
  return inTurns(ROUNDS, {
    few: async () => runTicks(few),
    many: async () => runTicks(many),
    alerted: async () => runTicks(alerted),
    scan: async () => scan(many),
  }).then((rounds) => {
    const [fewNs, manyNs, scanNs] = [median(rounds.few), median(rounds.many), median(rounds.scan)]
    return [
      {
        goal: 'P5',
        what: 'tick that triggers nothing, 1,000,000 positions',
        measured: `${manyNs.toFixed(0)} ns`,
        yardstick: `the same with 10,000: ${fewNs.toFixed(0)} ns`,
        ratio: ratioOf(rounds.many, rounds.few),
        target: { atMost: 1.5 },
      },
      {
        goal: 'P5',
        what: `tick that triggers nothing, ${ALERTS.toLocaleString('en')} alerts`,
        measured: `${median(rounds.alerted).toFixed(0)} ns`,
        yardstick: `the same without: ${fewNs.toFixed(0)} ns`,
        ratio: ratioOf(rounds.alerted, rounds.few),
        target: { atMost: 1.5 },
      },
      {
        goal: 'P5',
        what: `checking every position of the instrument (${(MANY / INSTRUMENTS).toLocaleString('en')})`,
        measured: `${(scanNs / 1_000).toFixed(0)} us`,
        yardstick: `indexed tick: ${manyNs.toFixed(0)} ns`,
        ratio: ratioOf(rounds.scan, rounds.many),
        target: { atLeast: 1_000 },
      },
    ]
  })
}

function coreWith(positions: number): Core {
  const core = seededCore(testSeed({ instruments }))
  const { state } = core
  for (let id = 1; id <= ACCOUNTS; id += 1) addAccount(state, id, 'demo').available.balance = PLENTY
  for (let id = 1; id <= positions; id += 1) {
    const order = positionOf(id)
    const account = state.accounts.get(order.accountId)
    if (account) indexOrder(core, account, order)
  }
  return core
}

function positionOf(id: number): Order {
  const away = FAR + ((id * 7_919) % 50_000)
  return {
    id,
    accountId: 1 + (id % ACCOUNTS),
    instrumentId: 1 + (id % INSTRUMENTS),
    side: id % 3 === 0 ? 'sell' : 'buy',
    kind: 'market',
    lots: lots(100),
    leverage: 30,
    status: 'holding',
    targetPrice: null,
    acceptedPrice: price(BID),
    openPrice: price(BID),
    takeProfit: price(id % 3 === 0 ? BID - away : BID + away),
    stopLoss: price(id % 3 === 0 ? BID + away : BID - away),
    margin: money(36_157_000n),
    fee: money(36_157n),
    expiresAt: null,
    createdAt: START_OF_TEST,
    openedAt: START_OF_TEST,
    openedSeq: 0,
    trailingDistance: null,
    financedAt: 0,
    copied: null,
  }
}

const SIDES = ['bid', 'ask', 'mid'] as const

/** Mostly on prices, a hundredth on the margin level of an account. */
function alertOf(id: number): Alert {
  const away = FAR + ((id * 7_919) % 50_000)
  const isAbove = id % 2 === 0
  return {
    id,
    accountId: 1 + (id % ACCOUNTS),
    pauseMs: null,
    wakesAt: 0,
    awaitsReturn: false,
    expiresAt: null,
    condition:
      id % 100 === 0
        ? { kind: 'marginLevel', level: 150 }
        : {
            kind: 'price',
            instrumentId: 1 + (id % INSTRUMENTS),
            side: SIDES[id % 3] ?? 'mid',
            direction: isAbove ? 'above' : 'below',
            price: price(isAbove ? BID + away : BID - away),
            decimals: EURUSD.priceDecimals,
          },
  }
}

/** Nanoseconds of one tick, from the command to its outcome. */
function runTicks(core: Core): number {
  const start = performance.now()
  for (let count = 0; count < TICKS; count += 1) {
    const quote = {
      ...quoteAt(BID + ((count * 31) % FAR) - FAR / 2, START_OF_TEST, count),
      instrumentId: 1 + (count % INSTRUMENTS),
    }
    const outcome = transact(core, { type: 'tick', quote, at: START_OF_TEST })
    if (!('entry' in outcome) || outcome.entry.events.length > 0) throw new Error('a tick fired something')
  }
  return ((performance.now() - start) * 1e6) / TICKS
}

/** Nanoseconds of checking every open position on one instrument instead. */
function scan({ state }: Core): number {
  const positions = [...state.orders.values()].filter((order) => order.instrumentId === 1)
  const start = performance.now()
  let fired = 0
  for (let count = 0; count < SCANS; count += 1) {
    for (const order of positions) if (isReached(order, BID + count, BID + count + 3)) fired += 1
  }
  if (fired > 0) throw new Error('the scan fired something')
  return ((performance.now() - start) * 1e6) / SCANS
}

const isReached = ({ side, takeProfit, stopLoss }: Order, bid: number, ask: number): boolean =>
  side === 'buy'
    ? (takeProfit !== null && bid >= takeProfit) || (stopLoss !== null && bid <= stopLoss)
    : (takeProfit !== null && ask <= takeProfit) || (stopLoss !== null && ask >= stopLoss)
