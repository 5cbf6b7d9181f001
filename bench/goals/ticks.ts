import {
  addAccount,
  indexOrder,
  lots,
  money,
  price,
  seededCore,
  transact,
  type Core,
  type Instrument,
  type Order,
} from '@fairlot/core'
import { EURUSD, quoteAt, START_OF_TEST, testSeed } from '../../testing/test-world.ts'
import { inTurns, median, ratioOf, type Line } from '../reading.ts'

const ROUNDS = 5
const INSTRUMENTS = 10
const ACCOUNTS = 1_000
const FEW = 10_000
const MANY = 1_000_000
const TICKS = 200_000
const SCANS = 5
const BID = 108_469
/** So much that nobody is near a stop-out; everybody's safe prices are watched all the same. */
const PLENTY = money(1_000_000_000_000_000n)
/** Stops lie at least this far away, so that no tick of this bench reaches one. */
const FAR = 1_000

const instruments: readonly Instrument[] = Array.from({ length: INSTRUMENTS }, (_, index) => ({
  ...EURUSD,
  id: index + 1,
  code: `EURUSD${index}`,
}))

/** P5: what a tick costs that fires nothing, with few and with many open positions, each with two stops. */
export function measureTicks(): Promise<Line[]> {
  const few = coreWith(FEW)
  const many = coreWith(MANY)
  runTicks(few)
  runTicks(many)
  return inTurns(ROUNDS, {
    few: async () => runTicks(few),
    many: async () => runTicks(many),
    scan: async () => scan(many),
  }).then((rounds) => {
    const [fewNs, manyNs, scanNs] = [median(rounds.few), median(rounds.many), median(rounds.scan)]
    return [
      {
        goal: 'P5',
        what: 'tick that fires nothing, 1,000,000 positions',
        measured: `${manyNs.toFixed(0)} ns`,
        yardstick: `the same with 10,000: ${fewNs.toFixed(0)} ns`,
        ratio: ratioOf(rounds.many, rounds.few),
        target: { atMost: 1.5 },
      },
      {
        goal: 'P5',
        what: `looking at every position of the instrument (${(MANY / INSTRUMENTS).toLocaleString('en')})`,
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

/** Nanoseconds of the same question asked of every open position on one instrument. */
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
