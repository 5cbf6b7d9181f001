/** Users, operators and prices of a small market, doing anything at random. */
import {
  lots,
  money,
  price,
  ratio,
  type Command,
  type Instrument,
  type Operator,
  type Quote,
  type State,
  type TermsChange,
} from '@fairlot/core'
import type { Random } from '../../../../testing/random.ts'

const HOUR_MS = 3_600_000

const instrument = (id: number, base: string, quote: string): Instrument => ({
  ...{ id, code: base + quote, baseCurrency: base, quoteCurrency: quote, priceDecimals: 5 },
  ...{ contractSize: 100_000, marginMode: 'leveraged', leverages: [10, 30] },
  ...{ lotStep: lots(100), lotMin: lots(100), lotMax: lots(1_000_000), feeRate: ratio(1_000) },
  ...{ minStopDistance: price(6), allowsNegativePrice: false },
  ...{ suspectBand: ratio(20_000), maxSpread: ratio(10_000), session: 'day' },
  ...{ swapRate: { buy: ratio(-3_600_000), sell: ratio(1_800_000) }, tripleSwapDay: 'wed', isEnabled: true },
})

export const INSTRUMENTS = [
  instrument(1, 'EUR', 'USD'),
  instrument(2, 'EUR', 'GBP'),
  instrument(3, 'GBP', 'USD'),
]
export const LISTING = {
  ...{ showCode: 'EUR/USD', name: null, category: 'Forex', logo: '', sort: 1, pricePip: 10 },
  ...{ typicalSpread: 3, referencePrice: 108_469, yearlyVolatility: 70_000 },
}
export const DAY = { name: 'day', zone: 'America/New_York', windows: 'always', holidays: [] }

export const quoteOf = (instrumentId: number, bid: number, at: number, seq: number): Quote => ({
  ...{ instrumentId, bid: price(bid), ask: price(bid + 3), time: at, receivedAt: at },
  ...{ seq, source: 'test' },
})

export const operatorOf = (id: number, second: number | null = null): Operator => ({
  ...{ type: 'operator', id, role: 'administrator', reason: 'as "agreed"' },
  second: second === null ? null : { id: second, role: 'finance' },
})

export function someCommands(state: State, at: number, random: Random): Command[] {
  const bids = [108_469, 83_312, 130_120]
  const ticks = bids.flatMap((bid, index): Command[] =>
    random.below(8) === 0
      ? []
      : [{ type: 'tick', at, quote: quoteOf(index + 1, bid + random.below(400) - 200, at, at) }],
  )
  const asked = Array.from({ length: 1 + random.below(4) }, () =>
    random.below(3) === 0 ? operatorCommand(state, at, random) : userCommand(state, at, random),
  )
  return [...ticks, ...asked, { type: 'clock', at }]
}

const oneOf = <Item>(items: Iterable<Item>, random: Random): Item | undefined => {
  const all = [...items]
  return all[random.below(Math.max(1, all.length))]
}

function userCommand(state: State, at: number, random: Random): Command {
  if (state.lastAccountId < 4)
    return { type: 'openAccount', at, ledger: random.below(2) === 0 ? 'demo' : 'real' }
  const accountId = 1 + random.below(state.lastAccountId)
  const request = { accountId, call: 'any', id: String(random.below(1_000)), digest: 'any' }
  const asked = { at, accountId, ...(random.below(2) === 0 && { request }) }
  const orderId = oneOf(state.accounts.get(accountId)?.orders.keys() ?? [], random) ?? 0
  const caseId = oneOf(state.cases.keys(), random) ?? 0
  switch (random.below(12)) {
    case 0:
      return { ...asked, type: 'closePosition', orderId, lots: random.below(2) === 0 ? lots(100) : null }
    case 1:
      return { ...asked, type: 'cancelOrder', orderId }
    case 2:
      return { ...asked, type: 'setTrailing', orderId, distance: price(10 + random.below(40)) }
    case 3:
      return {
        ...asked,
        type: 'setStops',
        orderId,
        takeProfit: null,
        stopLoss: price(60_000 + random.below(90_000)),
      }
    case 4:
      return random.below(4) === 0 ? { ...asked, type: 'resetDemo' } : { ...asked, type: 'closeAll' }
    case 5:
      return { ...asked, type: 'openDeposit', amount: money(BigInt(1 + random.below(2_000)) * 1_000_000n) }
    case 6:
      return {
        ...asked,
        type: 'requestWithdrawal',
        amount: money(5_000_000n),
        fee: money(BigInt(random.below(2))),
      }
    case 7:
      return { ...asked, type: 'cancelWithdrawal', caseId }
    default:
      return { ...asked, ...someOrder(at, random) }
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
  const asked = oneOf(state.cases.values(), random)
  const caseId = asked?.id ?? 0
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
      return { type: 'setTradingMode', at, by, mode: random.below(8) === 0 ? 'cancelOnly' : 'normal' }
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
      }
    }
    default:
      switch (asked?.kind) {
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
          return { type: 'endDeposit', at, by, caseId, outcome, amount: asked?.amount ?? money(1n) }
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
