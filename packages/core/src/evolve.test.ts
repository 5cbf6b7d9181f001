import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { demoFloor, openFloor, remembered, type Floor } from '../scenarios/floor.ts'
import { usd, coreOf } from '../scenarios/market.ts'
import { wildMarket } from '../scenarios/wild-market.ts'
import type { Event } from './event.ts'
import { evolve, evolveEvent } from './evolve.ts'
import { violations } from './invariants/invariants.ts'
import { isRejection } from './rejection.ts'
import { createCore } from './core.ts'
import { transact, watchTouched } from './transact.ts'

/** A day in which everything happens that can. */
function eventfulFloor(): Floor {
  const floor = demoFloor()
  floor.openAccount('real')
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor.tick('USDJPY', '151.196', '151.204')
  floor.buy('EURUSD', {
    takeProfit: '1.39000',
    request: { accountId: 1, call: 'submit', id: 'a', digest: 'x' },
  })
  floor.sell('USDJPY', { stopLoss: '152.000' })
  floor.buy('EURUSD', { target: '1.38000', stopLoss: '1.37000', expiresAt: floor.now() + 600_000 })
  floor.sell('EURUSD', { target: '1.40000', expiresAt: floor.now() + 1_000 })
  floor.setStops(1, 'EURUSD', { stopLoss: '1.38100' })
  floor.wait(1_000)
  floor.clock()
  floor.tick('EURUSD', '1.37980', '1.37990')
  floor.close(3)
  floor.buy('EURUSD', { target: '1.30000' })
  floor.cancel(5)
  floor.openAccount()
  floor.buy('EURUSD', { accountId: 3, leverage: 20 })
  return floor
}

describe('replaying the journal', () => {
  it('gives the state that is there, to the order of every list', () => {
    const floor = eventfulFloor()
    expect(floor.journal.flatMap(({ events }) => events.map(({ type }) => type))).toEqual([
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
    expect(remembered(floor.replayed())).toEqual(remembered(floor.core))
  })

  it('gives the ledger rows that were made the first time', () => {
    const floor = openFloor()
    const outcomes = [
      floor.openAccount(),
      floor.tick('EURUSD', '1.38500', '1.38510'),
      floor.buy('EURUSD', { stopLoss: '1.38000' }),
      floor.tick('EURUSD', '1.37980', '1.37990'),
      floor.reset(),
    ]
    const rows = outcomes.flatMap((outcome) => ('postings' in outcome ? outcome.postings : []))
    const copy = createCore()
    expect(floor.journal.flatMap((entry) => evolve(copy, entry).postings)).toEqual(rows)
    expect(rows.map(({ kind, debitEntry, creditEntry }) => [kind, debitEntry, creditEntry])).toEqual([
      ['demoIssue', 1, 1],
      ['fee', 2, 1],
      ['result', 3, 1],
      ['demoReset', 2, 4],
    ])
  })

  it('needs no prices, no instruments and no opening hours', () => {
    const floor = eventfulFloor()
    const isOpen = () => {
      throw new Error('asked for the market')
    }
    const bare = createCore({ isOpen })
    for (const [index, entry] of floor.journal.entries()) {
      bare.journalRow = index + 1
      evolve(bare, entry)
    }
    const { terms: _terms, counts: _counts, ...told } = remembered(floor.core)
    expect(remembered(bare)).toMatchObject(told)
  })
})

describe('an event that cannot have happened is our own bug', () => {
  const floor = eventfulFloor()
  const eventOf = (type: Event['type']): Event => {
    const found = floor.journal.flatMap(({ events }) => events).find((event) => event.type === type)
    if (!found) throw new Error(`no ${type}`)
    return found
  }

  it.each([
    ['positionClosed', 'order 1, which does not live'],
    ['orderCancelled', 'order 4, which does not live'],
  ] as const)('%s of an order that does not live', (type, message) => {
    expect(() => evolveEvent(floor.replayed(), eventOf(type), 0)).toThrow(message)
  })

  it('stops of an order that does not live', () => {
    expect(() => evolveEvent(floor.replayed(), eventOf('stopsSet'), 0)).toThrow('which does not live')
  })

  it('an order of an account that was never opened', () => {
    const empty = openFloor().core
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

/** One of the living orders, or one that does not live. */
const orderOf = (floor: Floor, place: number) => [...floor.state.orders.keys(), 0][place] ?? 999
const near = (offset: number): string => (1.385 + offset / 100_000).toFixed(5)
const maybeNear = (offset: number | undefined) => (offset === undefined ? undefined : near(offset))

function take(floor: Floor, one: Step): void {
  switch (one.does) {
    case 'tick':
      return void floor.tick('EURUSD', near(one.bid), near(one.bid + one.spread))
    case 'buy':
    case 'sell': {
      const { lots, leverage, request } = one
      const target = maybeNear(one.target)
      floor[one.does]('EURUSD', {
        lots,
        leverage,
        takeProfit: maybeNear(one.takeProfit),
        stopLoss: maybeNear(one.stopLoss),
        ...(target === undefined ? {} : { target }),
        ...(one.expires && target !== undefined ? { expiresAt: floor.now() + 1_500 } : {}),
        ...(request === undefined
          ? {}
          : { request: { accountId: 1, call: 'submit', id: request, digest: lots } }),
      })
      return
    }
    case 'close':
    case 'cancel':
      return void floor[one.does](orderOf(floor, one.order))
    case 'setStops':
      return void floor.setStops(orderOf(floor, one.order), 'EURUSD', {
        takeProfit: maybeNear(one.takeProfit),
        stopLoss: maybeNear(one.stopLoss),
      })
    case 'wait':
      return floor.wait(one.ms)
    case 'clock':
      return void floor.clock()
    case 'reset':
      return void floor.reset()
    case 'shut':
      return floor.closeMarket('EURUSD')
    case 'open':
      return floor.openMarket('EURUSD')
  }
}

const day = fc.array(step, { minLength: 20, maxLength: 80, size: 'max' })

function lived(steps: readonly Step[]): Floor {
  const floor = demoFloor({ settings: { demoBalance: usd('4700') } })
  floor.tick('EURUSD', '1.38500', '1.38510')
  for (const one of steps) take(floor, one)
  return floor
}

describe('whatever is sent', () => {
  it('breaks no invariant, changes nothing when refused, and is told again by the journal', () => {
    const seen = new Set<string>()
    fc.assert(
      fc.property(day, (steps) => {
        // The floor itself checks invariants and refusals after every command.
        const floor = lived(steps)
        expect(remembered(floor.replayed())).toEqual(remembered(floor.core))
        const events = floor.journal.flatMap((entry) => entry.events)
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

  it('has the same outcome when it is sent again to a fresh state', () => {
    fc.assert(
      fc.property(day, (steps) => {
        expect(lived(steps).journal).toEqual(lived(steps).journal)
      }),
      { numRuns: 50 },
    )
  })
})

describe('whatever a wild market leads to', () => {
  it('is told again by the journal, entry for entry, and breaks no invariant', () => {
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
        expect(remembered(copy)).toEqual(remembered(core))
        // What is derived comes back with the prices: the same accounts are watched at the same levels.
        for (const quote of core.state.quotes.values()) copy.state.quotes.set(quote.instrumentId, quote)
        watchTouched(copy)
        expect(violations(copy)).toEqual([])
      }),
      { numRuns: 60 },
    )
    expect([...seen].toSorted()).toEqual([
      'accountOpened',
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
