import {
  lots,
  money,
  price,
  ratio,
  type Command,
  type Instrument,
  type Operator,
  type Quote,
  type SetAlert,
  type State,
  type TermsChange,
} from '@fairlot/core'
import { createRandom, type Random } from '../../../../testing/random.ts'
import { marketOrder } from '../../../../testing/test-world.ts'
import type { EngineCommand } from '../engine/engine.ts'
import type { Harness } from './engine-harness.ts'

/** Random commands of users and operators, and random prices, in a small market. */
const HOUR_MS = 3_600_000

const instrument = (id: number, base: string, quote: string): Instrument => ({
  id,
  code: base + quote,
  baseCurrency: base,
  quoteCurrency: quote,
  priceDecimals: 5,
  contractSize: 100_000,
  marginMode: 'leveraged',
  leverages: [10, 30],
  lotStep: lots(100),
  lotMin: lots(100),
  lotMax: lots(1_000_000),
  feeRate: ratio(1_000),
  minStopDistance: price(6),
  allowsNegativePrice: false,
  suspectBand: ratio(20_000),
  maxSpread: ratio(10_000),
  session: 'day',
  swapRate: { buy: ratio(-3_600_000), sell: ratio(1_800_000) },
  tripleSwapDay: 'wed',
  isEnabled: true,
})

/** Mostly open, because a halted market journals little. */
const MODES = [
  ...Array.from({ length: 12 }, () => 'normal' as const),
  'reduceOnly' as const,
  'halted' as const,
]

export const INSTRUMENTS = [
  instrument(1, 'EUR', 'USD'),
  instrument(2, 'EUR', 'GBP'),
  instrument(3, 'GBP', 'USD'),
]
export const LISTING = {
  showCode: 'EUR/USD',
  name: null,
  category: 'Forex',
  logo: '',
  sort: 1,
  pricePip: 10,
  typicalSpread: 3,
  referencePrice: 108_469,
  yearlyVolatility: 70_000,
}
export const DAY = { name: 'day', zone: 'America/New_York', windows: 'always', holidays: [] }

export const quoteOf = (instrumentId: number, bid: number, at: number, seq: number): Quote => ({
  instrumentId,
  bid: price(bid),
  ask: price(bid + 3),
  time: at,
  receivedAt: at,
  seq,
  source: 'test',
})

export const operatorOf = (id: number, second: number | null = null): Operator => ({
  type: 'operator',
  id,
  role: 'administrator',
  reason: 'as "agreed"',
  second: second === null ? null : { id: second, role: 'finance' },
})

export function someCommands(state: State, at: number, random: Random): Command[] {
  const bids = [108_469, 83_312, 130_120]
  const ticks = bids.flatMap((bid, index): Command[] =>
    random.below(8) === 0
      ? []
      : [{ type: 'tick', at, quote: quoteOf(index + 1, bid + random.below(400) - 200, at, at) }],
  )
  const commands = Array.from({ length: 1 + random.below(4) }, () =>
    random.below(3) === 0 ? operatorCommand(state, at, random) : userCommand(state, at, random),
  )
  return [...ticks, ...commands, ...alertCommands(state, at), { type: 'clock', at }]
}

/** Alerts of one account by the time alone, so that all other commands stay as random as they were. */
function alertCommands({ lastAccountId, alerts, quotes }: State, at: number): Command[] {
  if (lastAccountId === 0) return []
  const accountId = 1 + (at % lastAccountId)
  const [alertId = 0] = alerts.get(accountId)?.keys() ?? []
  const condition = someCondition(1 + (at % 3), at, quotes)
  const pauseMs = at % 2 === 0 ? null : 60_000
  const expiresAt = at % 3 === 0 ? at + 1 + (at % 100_000) : null
  const set = { type: 'setAlert', at, accountId, condition, pauseMs, expiresAt } as const
  return at % 5 === 0 ? [set, { type: 'removeAlert', at, accountId, alertId }] : [set]
}

function someCondition(instrumentId: number, at: number, quotes: State['quotes']): SetAlert['condition'] {
  const direction = at % 2 === 0 ? 'above' : 'below'
  const away = (at % 40) * (direction === 'above' ? 1 : -1)
  switch (at % 4) {
    case 0:
      return { kind: 'marginLevel', level: 50 + (at % 500) }
    case 1:
      return { kind: 'dayMove', instrumentId, direction, move: ratio(100 + (at % 2_000)) }
    default: {
      const side = (['bid', 'ask', 'mid'] as const)[at % 3] ?? 'mid'
      const bid = quotes.get(instrumentId)?.bid ?? 100_000
      return { kind: 'price', instrumentId, side, direction, price: price(bid + away) }
    }
  }
}

const oneOf = <Item>(items: Iterable<Item>, random: Random): Item | undefined => {
  const all = [...items]
  return all[random.below(Math.max(1, all.length))]
}

/** The starting balance of a demo reset: the usual one (null), or one that the user has chosen. */
const chosenStart = (random: Random) =>
  random.below(2) === 0 ? null : money(BigInt(5_000 + random.below(100_000)) * 1_000_000n)

function userCommand(state: State, at: number, random: Random): Command {
  if (state.lastAccountId < 4)
    return { type: 'openAccount', at, ledger: random.below(2) === 0 ? 'demo' : 'real' }
  const accountId = 1 + random.below(state.lastAccountId)
  const request = { accountId, call: 'any', id: String(random.below(1_000)), digest: 'any' }
  const base = { at, accountId, ...(random.below(2) === 0 && { request }) }
  const orderId = oneOf(state.accounts.get(accountId)?.orders.keys() ?? [], random) ?? 0
  const caseId = oneOf(state.cases.keys(), random) ?? 0
  switch (random.below(12)) {
    case 0:
      return { ...base, type: 'closePosition', orderId, lots: random.below(2) === 0 ? lots(100) : null }
    case 1:
      return { ...base, type: 'cancelOrder', orderId }
    case 2:
      return { ...base, type: 'setTrailing', orderId, distance: price(10 + random.below(40)) }
    case 3:
      return {
        ...base,
        type: 'setStops',
        orderId,
        takeProfit: null,
        stopLoss: price(60_000 + random.below(90_000)),
      }
    case 4:
      return random.below(4) === 0
        ? { ...base, type: 'resetDemo', start: chosenStart(random) }
        : { ...base, type: 'closeAll' }
    case 5:
      return { ...base, type: 'openDeposit', amount: money(BigInt(1 + random.below(2_000)) * 1_000_000n) }
    case 6:
      return {
        ...base,
        type: 'requestWithdrawal',
        amount: money(5_000_000n),
        fee: money(BigInt(random.below(2))),
      }
    case 7:
      return { ...base, type: 'cancelWithdrawal', caseId }
    default:
      return { ...base, ...someOrder(at, random) }
  }
}

const someOrder = (at: number, random: Random) => {
  const isPending = random.below(3) === 0
  const instrumentId = 1 + random.below(3)
  return {
    type: 'placeOrder' as const,
    instrumentId,
    side: random.below(2) === 0 ? ('buy' as const) : ('sell' as const),
    lots: lots(100 * (1 + random.below(5))),
    leverage: 30,
    targetPrice: isPending ? price([108_469, 83_312, 130_120][instrumentId - 1] ?? 0) : null,
    takeProfit: null,
    stopLoss: null,
    expiresAt: isPending ? at + 1 + random.below(HOUR_MS) : null,
  }
}

function operatorCommand(state: State, at: number, random: Random): Command {
  const by = operatorOf(1 + random.below(3), random.below(2) === 0 ? 9 : null)
  const accountId = 1 + random.below(Math.max(1, state.lastAccountId))
  const moneyCase = oneOf(state.cases.values(), random)
  const caseId = moneyCase?.id ?? 0
  switch (random.below(9)) {
    case 0: {
      const status = (['active', 'active', 'closeOnly', 'frozen'] as const)[random.below(4)] ?? 'active'
      return { type: 'setAccountStatus', at, by, accountId, status }
    }
    case 1:
      return {
        type: 'askAdjustment',
        at,
        by,
        accountId,
        amount: money(BigInt(random.below(2_000) - 500) * 1_000n),
      }
    case 2:
      return {
        type: 'haltInstrument',
        at,
        by,
        instrumentId: 2,
        reason: random.below(2) === 0 ? 'no "quotes"' : null,
      }
    case 3:
      return { type: 'setTradingMode', at, by, mode: oneOf(MODES, random) ?? 'normal' }
    case 4: {
      const effectiveAt = random.below(2) === 0 ? null : at + random.below(4 * HOUR_MS)
      return { type: 'setTerms', at, by, effectiveAt, change: someChange(state, random) }
    }
    case 5:
      return { type: 'withdrawTerms', at, by, changeId: oneOf(state.announced.keys(), random) ?? 0 }
    case 6: {
      const order = oneOf(state.orders.values(), random)
      return {
        type: 'closeByOperator',
        at,
        by,
        accountId: order?.accountId ?? accountId,
        orderId: order?.id ?? 0,
        ground: 'accountEnds',
      }
    }
    default:
      switch (moneyCase?.kind) {
        case 'withdrawal':
          return {
            type: 'endWithdrawal',
            at,
            by,
            caseId,
            outcome: random.below(2) === 0 ? 'paid' : 'rejected',
          }
        case 'adjustment':
          return {
            type: 'endAdjustment',
            at,
            by,
            caseId,
            outcome: random.below(2) === 0 ? 'approved' : 'refused',
          }
        default: {
          const outcome =
            (['finished', 'finished', 'rejected', 'invalid'] as const)[random.below(4)] ?? 'invalid'
          return { type: 'endDeposit', at, by, caseId, outcome, amount: moneyCase?.amount ?? money(1n) }
        }
      }
  }
}

function someChange(state: State, random: Random): TermsChange {
  const changed = state.instruments.get(1 + random.below(3))
  switch (random.below(4)) {
    case 0:
      return { kind: 'settings', settings: { ...state.settings, stopOutLevel: 40 + random.below(30) } }
    case 1:
      return { kind: 'calendar', session: { ...DAY, name: oneOf(['day', 'night'], random) ?? 'day' } }
    case 2:
      return {
        kind: 'source',
        instrumentId: 1 + random.below(3),
        source: { kind: 'live', hours: 'always', freshnessMs: random.below(2) === 0 ? null : 90_000 },
      }
    default:
      return {
        kind: 'instrument',
        instrument: {
          ...(changed ?? instrument(1, 'EUR', 'USD')),
          feeRate: ratio(900 + random.below(200)),
          isEnabled: random.below(6) > 0,
        },
        listing: random.below(2) === 0 ? null : { ...LISTING, sort: random.below(9) },
      }
  }
}

/** A few traders who send every kind of user command, while the price moves and triggers pending orders. */
export async function openTraders(harness: Harness, seed: number): Promise<{ step(): Promise<void> }> {
  const random = createRandom(seed)
  const accounts = await Promise.all([harness.openAccount(), harness.openAccount(), harness.openAccount()])
  let bid = 108_469
  let requests = 0
  await harness.tick(bid)

  const chooseOrder = (accountId: number): number => {
    const active = [...(harness.engine.state().accounts.get(accountId)?.orders.keys() ?? [])]
    return active[random.below(active.length)] ?? 0
  }

  const chooseCommand = (accountId: number): EngineCommand => {
    requests += 1
    const request = { accountId, call: 'any', id: String(requests), digest: 'any' }
    const base = { accountId, ...(random.below(3) === 0 && { request }) }
    const side = random.below(2) === 0 ? 'buy' : 'sell'
    const away = price(bid + random.below(200) - 100)
    const orderId = chooseOrder(accountId)
    switch (random.below(16)) {
      case 0:
      case 1:
        return { ...base, type: 'closePosition', orderId }
      case 2:
        return { ...base, type: 'cancelOrder', orderId }
      case 3:
        return { ...base, type: 'setStops', orderId, takeProfit: null, stopLoss: price(bid - 50) }
      case 4:
        return random.below(4) === 0
          ? { ...base, type: 'resetDemo', start: chosenStart(random) }
          : { ...base, type: 'setStops', orderId, takeProfit: price(bid + 60), stopLoss: null }
      case 5:
      case 6:
        return marketOrder(accountId, {
          ...base,
          side,
          targetPrice: away,
          expiresAt: harness.clock.at + 1 + random.below(30_000),
        })
      case 7:
        return { ...base, type: 'closePosition', orderId, lots: lots(100 * (1 + random.below(3))) }
      case 8:
        return { ...base, type: 'reversePosition', orderId }
      case 9:
        return { ...base, type: 'setTrailing', orderId, distance: price(10 + random.below(40)) }
      case 10:
        return random.below(5) === 0
          ? { ...base, type: 'closeAll' }
          : marketOrder(accountId, { ...base, side, lots: lots(1_000_000), leverage: 100 })
      default:
        return marketOrder(accountId, { ...base, side, lots: lots(100 * (1 + random.below(5))) })
    }
  }

  return {
    step: async () => {
      harness.clock.at += random.below(2_000)
      bid += random.below(41) - 20
      const commands = Array.from({ length: 1 + random.below(4) }, () =>
        chooseCommand(accounts[random.below(accounts.length)] ?? 0),
      )
      const { at } = harness.clock
      const alert = {
        type: 'setAlert',
        accountId: accounts[at % accounts.length] ?? 0,
        condition: someCondition(1, at, harness.engine.state().quotes),
        pauseMs: at % 2 === 0 ? null : 60_000,
      } as const
      const moved = harness.tick(bid)
      await Promise.all([
        ...commands.map((command) => harness.engine.execute(command)),
        harness.engine.execute(alert),
        moved,
      ])
    },
  }
}
