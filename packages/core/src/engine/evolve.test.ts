import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoHarness, createHarness, snapshotOf, type Harness } from '../../scenarios/harness.ts'
import { usd, coreOf } from '../../scenarios/market.ts'
import { wildMarket } from '../../scenarios/wild-market.ts'
import type { Event } from '../model/event.ts'
import { evolve, evolveEvent } from './evolve.ts'
import { violations } from './invariants.ts'
import { isRejection } from '../model/rejection.ts'
import { createCore } from '../state/running-core.ts'
import { transact, watchDirtyAccounts } from './transact.ts'

/** A journal with the usual kinds of orders and their events. */
function eventfulHarness(): Harness {
  const harness = demoHarness()
  harness.openAccount('real')
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.tick('USDJPY', '151.196', '151.204')
  harness.buy('EURUSD', {
    takeProfit: '1.39000',
    request: { accountId: 1, call: 'submit', id: 'a', digest: 'x' },
  })
  harness.sell('USDJPY', { stopLoss: '152.000' })
  harness.buy('EURUSD', { target: '1.38000', stopLoss: '1.37000', expiresAt: harness.now() + 600_000 })
  harness.sell('EURUSD', { target: '1.40000', expiresAt: harness.now() + 1_000 })
  harness.setStops(1, 'EURUSD', { stopLoss: '1.38100' })
  harness.wait(1_000)
  harness.clock()
  harness.tick('EURUSD', '1.37980', '1.37990')
  harness.close(3)
  harness.buy('EURUSD', { target: '1.30000' })
  harness.cancel(5)
  harness.openAccount()
  harness.buy('EURUSD', { accountId: 3, leverage: 20 })
  return harness
}

describe('replaying the journal', () => {
  it('restores the state, including the order of every list', () => {
    const harness = eventfulHarness()
    expect(harness.journal.flatMap(({ events }) => events.map(({ type }) => type))).toEqual([
      'accountOpened',
      'accountOpened',
      'positionOpened',
      'positionOpened',
      'orderPlaced',
      'orderPlaced',
      'stopsSet',
      'orderCancelled',
      'positionClosed',
      'positionOpened',
      'positionClosed',
      'orderPlaced',
      'orderCancelled',
      'accountOpened',
      'positionOpened',
    ])
    expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
  })

  it('makes the same ledger rows as the first time', () => {
    const harness = createHarness()
    const outcomes = [
      harness.openAccount(),
      harness.tick('EURUSD', '1.38500', '1.38510'),
      harness.buy('EURUSD', { stopLoss: '1.38000' }),
      harness.tick('EURUSD', '1.37980', '1.37990'),
      harness.reset(),
    ]
    const rows = outcomes.flatMap((outcome) => ('postings' in outcome ? outcome.postings : []))
    const copy = createCore()
    expect(harness.journal.flatMap((entry) => evolve(copy, entry).postings)).toEqual(rows)
    expect(rows.map(({ kind, debitEntry, creditEntry }) => [kind, debitEntry, creditEntry])).toEqual([
      ['demoIssue', 1, 1],
      ['fee', 2, 1],
      ['result', 3, 1],
      ['demoReset', 2, 4],
    ])
  })

  it('needs no prices, no instruments and no opening hours', () => {
    const harness = eventfulHarness()
    const isOpen = () => {
      throw new Error('the opening hours were read during replay')
    }
    const bare = createCore({ isOpen })
    for (const [index, entry] of harness.journal.entries()) {
      bare.journalRow = index + 1
      evolve(bare, entry)
    }
    const {
      terms: _terms,
      counts: _counts,
      rulesVersion: _rulesVersion,
      ...reported
    } = snapshotOf(harness.core)
    expect(snapshotOf(bare)).toMatchObject(reported)
  })
})

describe('throws for an impossible event', () => {
  const harness = eventfulHarness()
  const eventOf = (type: Event['type']): Event => {
    const found = harness.journal.flatMap(({ events }) => events).find((event) => event.type === type)
    if (!found) throw new Error(`no ${type}`)
    return found
  }

  it.each([
    ['positionClosed', 'order 1, which is not active'],
    ['orderCancelled', 'order 4, which is not active'],
  ] as const)('%s of an order that is not active', (type, message) => {
    expect(() => evolveEvent(harness.replayed(), eventOf(type), 0)).toThrow(message)
  })

  it('stops of an order that is not active', () => {
    expect(() => evolveEvent(harness.replayed(), eventOf('stopsSet'), 0)).toThrow('which is not active')
  })

  it('an order on an account that was never opened', () => {
    const empty = createHarness().core
    expect(() => evolveEvent(empty, eventOf('orderPlaced'), 0)).toThrow('account 1, which was never opened')
  })
})

const offset = fc.integer({ min: -300, max: 300 })
const jump = fc.oneof(
  { weight: 4, arbitrary: offset },
  { weight: 1, arbitrary: offset.map((ticks) => ticks * 10) },
)
const sometimes = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary })

/** Anything a user, a feed or the clock may send, right or wrong. */
const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ does: fc.constant('tick' as const), bid: jump, spread: fc.nat(12) }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constantFrom('buy' as const, 'sell' as const),
      lots: fc.constantFrom('0.01', '0.01', '0.5', '0.5', '1', '0.005', '200'),
      leverage: fc.constantFrom(30, 30, 30, 7),
      target: fc.oneof(fc.constant(undefined), offset),
      takeProfit: sometimes(offset),
      stopLoss: sometimes(offset),
      expires: fc.boolean(),
      request: sometimes(fc.constantFrom('a', 'b', 'c')),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ does: fc.constantFrom('close' as const, 'cancel' as const), order: fc.nat(5) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('setStops' as const),
      order: fc.nat(5),
      takeProfit: sometimes(offset),
      stopLoss: sometimes(offset),
    }),
  },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('wait' as const), ms: fc.nat(3_000) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constantFrom(
        'clock' as const,
        'shut' as const,
        'open' as const,
        'open' as const,
        'reset' as const,
      ),
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

/** One of the active orders, or one that is not active. */
const orderOf = (harness: Harness, place: number) => [...harness.state.orders.keys(), 0][place] ?? 999
const near = (offset: number): string => (1.385 + offset / 100_000).toFixed(5)
const maybeNear = (offset: number | undefined) => (offset === undefined ? undefined : near(offset))

function take(harness: Harness, one: Step): void {
  switch (one.does) {
    case 'tick':
      return void harness.tick('EURUSD', near(one.bid), near(one.bid + one.spread))
    case 'buy':
    case 'sell': {
      const { lots, leverage, request } = one
      const target = maybeNear(one.target)
      harness[one.does]('EURUSD', {
        lots,
        leverage,
        takeProfit: maybeNear(one.takeProfit),
        stopLoss: maybeNear(one.stopLoss),
        ...(target === undefined ? {} : { target }),
        ...(one.expires && target !== undefined ? { expiresAt: harness.now() + 1_500 } : {}),
        ...(request === undefined
          ? {}
          : { request: { accountId: 1, call: 'submit', id: request, digest: lots } }),
      })
      return
    }
    case 'close':
    case 'cancel':
      return void harness[one.does](orderOf(harness, one.order))
    case 'setStops':
      return void harness.setStops(orderOf(harness, one.order), 'EURUSD', {
        takeProfit: maybeNear(one.takeProfit),
        stopLoss: maybeNear(one.stopLoss),
      })
    case 'wait':
      return harness.wait(one.ms)
    case 'clock':
      return void harness.clock()
    case 'reset':
      return void harness.reset()
    case 'shut':
      return harness.closeMarket('EURUSD')
    case 'open':
      return harness.openMarket('EURUSD')
  }
}

const day = fc.array(step, { minLength: 20, maxLength: 80, size: 'max' })

function harnessAfter(steps: readonly Step[]): Harness {
  const harness = demoHarness({ settings: { demoBalance: usd('4700') } })
  harness.tick('EURUSD', '1.38500', '1.38510')
  for (const one of steps) take(harness, one)
  return harness
}

describe('random commands', () => {
  it('keep every invariant, change nothing when rejected, and are restored from the journal', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(day, (steps) => {
        // After every command the harness checks the invariants, and that a rejected command changed nothing.
        const harness = harnessAfter(steps)
        expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
        const events = harness.journal.flatMap((entry) => entry.events)
        for (const event of events) seen.add('reason' in event ? String(event.reason) : event.type)
      }),
      { numRuns: 200 },
    )
    const usual = [
      'orderPlaced',
      'positionOpened',
      'stopsSet',
      'takeProfit',
      'stopLoss',
      'user',
      'cancelledByUser',
    ]
    expect([...seen]).toEqual(expect.arrayContaining([...usual, 'expired', 'demoReset']))
  })

  it('produce the same journal twice', () => {
    fc.assert(
      fc.property(day, (steps) => {
        expect(harnessAfter(steps).journal).toEqual(harnessAfter(steps).journal)
      }),
      { numRuns: 50 },
    )
  })
})

describe('a random market', () => {
  it('is restored from the journal, entry by entry, and breaks no invariant', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const market = wildMarket(seed)
        const [core, copy] = [coreOf(market.world), coreOf(market.world)]
        for (let turn = 0; turn < 300; turn += 1) {
          const outcome = transact(core, market.next(core.state))
          if (isRejection(outcome) || outcome.entry.events.length === 0) continue
          const { postings, trailed } = outcome
          expect(evolve(copy, outcome.entry)).toEqual({ postings, trailed })
          for (const { type } of outcome.entry.events) seen.add(type)
          if (turn % 20 === 0) expect(violations(core)).toEqual([])
        }
        expect(snapshotOf(copy)).toEqual(snapshotOf(core))
        // Derived data is not in the journal: once prices are set, the same accounts are watched at the same price levels.
        for (const quote of core.state.quotes.values()) copy.state.quotes.set(quote.instrumentId, quote)
        watchDirtyAccounts(copy)
        expect(violations(copy)).toEqual([])
      }),
      { numRuns: 60 },
    )
    expect([...seen].toSorted()).toEqual([
      'accountOpened',
      'alertFired',
      'alertRearmed',
      'alertRemoved',
      'alertSet',
      'demoReset',
      'instrumentHalted',
      'orderCancelled',
      'orderPlaced',
      'positionClosed',
      'positionOpened',
      'positionReduced',
      'pricesMarked',
      'rolledOver',
      'stopsSet',
      'swapBooked',
      'tradingModeSet',
      'trailingMoved',
    ])
  })
})
