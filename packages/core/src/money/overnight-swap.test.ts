import { describe, expect, it } from 'vitest'
import { demoHarness, effects, figures, snapshotOf, type Harness } from '../../scenarios/harness.ts'
import { instrumentOf, coreOf, usd } from '../../scenarios/market.ts'
import { DEPLOYMENT } from '../model/author.ts'
import type { SetTerms } from '../model/command.ts'
import type { Event } from '../model/event.ts'
import { evolve } from '../engine/evolve.ts'
import type { Instrument } from '../model/instrument.ts'
import { balanceOf, brokerAccountOf } from '../model/ledger.ts'
import { ratio } from '../model/number.ts'
import { isRejection } from '../model/rejection.ts'
import { rolloverBefore, swapDaysAt } from './overnight-swap.ts'
import { duePriceSnapshots } from './price-snapshots.ts'
import type { Core } from '../state/running-core.ts'
import { createState } from '../state/state.ts'
import type { Budget } from '../state/work-in-steps.ts'
import { hasDueWork } from '../accounts/due-work.ts'
import { transact } from '../engine/transact.ts'
import {
  withSwap,
  at,
  rolloverHarness,
  goTo,
  swapsOf,
  waiting,
  reported,
} from '../../scenarios/rollover-harness.ts'

describe('a rollover', () => {
  it('charges a buy and credits a sell at the rate of its side', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.buy('EURUSD')
    harness.sell('EURUSD', { lots: '0.5' })
    expect(reported(goTo(harness, '2014-05-05T21:00'))).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [2, '2014-05-05T21:00', 1, 2.5],
    ])
  })

  it('is a ledger row, with a receipt of its tick', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.buy('EURUSD')
    const [swap] = goTo(harness, '2014-05-05T21:00')
    expect(swap?.transfers).toEqual([
      { debit: 'available:1', credit: 'house:demo:swap', amount: usd('10'), kind: 'swap', orderId: 1 },
    ])
    expect(swap?.receipt).toMatchObject({
      action: 'finance',
      trigger: 'rollover',
      tick: { seq: 1, bid: 100_000 },
      filledPrice: null,
      delayMs: 9 * 3_600_000,
    })
    expect(balanceOf(harness.state.ledger, brokerAccountOf('demo', 'swap')).balance).toBe(usd('10'))
    // 100,000 - 10 of fee - 10
    expect(figures(harness).balance).toBe(usd('99980'))
  })

  it('is dated with the rollover, however late it is booked', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.buy('EURUSD')
    harness.wait(at('2014-05-05T23:40') - harness.now())
    const outcome = harness.clock()
    expect('postings' in outcome && outcome.postings.map((row) => row.at)).toEqual([at('2014-05-05T21:00')])
  })

  it('booked before the end of an order can lead to a stop-out on the same tick', () => {
    const terms = { swapRate: { buy: ratio(-400_000_000), sell: ratio(0) } }
    const harness = demoHarness({ instruments: withSwap(['EURUSD'], terms), settings: { stopOutLevel: 100 } })
    goTo(harness, '2014-05-05T20:59')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { lots: '9', leverage: 10 })
    harness.buy('EURUSD', { lots: '0.01', target: '0.50000', expiresAt: at('2014-05-05T21:00') })
    harness.wait(at('2014-05-05T21:00') - harness.now())
    // The account was not checked since: 10,000 of swap leave less than its margin of 90,000.
    expect(
      effects(harness.tick('EURUSD', '1.00000', '1.00000')).map((effect) => effect.replace(/^\d+ /, '')),
    ).toEqual(['orderCancelled', 'positionClosed'])
  })

  it('is computed at the last mid before it', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.buy('EURUSD')
    harness.tick('EURUSD', '1.09990', '1.10010')
    expect(goTo(harness, '2014-05-05T21:00')[0]?.amount).toBe(usd('-11'))
  })

  it.each([
    ['a tick at 16:59:59.999 counts for that rollover', '2014-05-05T20:59:59.999', -11],
    ['a tick at exactly 17:00:00.000 does not: the moment comes first', '2014-05-05T21:00:00.000', -10],
  ])('takes its price before 17:00 New York: %s', (_rule, time, amount) => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.buy('EURUSD')
    harness.wait(at(time) - harness.now())
    harness.tick('EURUSD', '1.09990', '1.10010')
    const [swap] = goTo(harness, '2014-05-05T21:00')
    expect(swap?.amount).toBe(usd(String(amount)))
  })

  it('is converted like a profit', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.tick('EURUSD', '1.20000', '1.20000')
    harness.tick('GER40', '10000.0', '10000.0')
    harness.buy('GER40', { lots: '10' })
    const [swap] = goTo(harness, '2014-05-05T21:00')
    // 100,000 EUR are 120,000 USD.
    expect(swap).toMatchObject({ amount: usd('-12'), receipt: { conversion: [{ instrumentId: 1, seq: 2 }] } })
  })

  it('of a position in fixed margin mode is computed on its exposure', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.tick('FIXED', '77.00', '77.00')
    harness.sell('FIXED', { lots: '2', leverage: 20 })
    // 2,000 x 20 = 40,000
    expect(goTo(harness, '2014-05-05T21:00')[0]?.amount).toBe(usd('2'))
  })

  it('without a rate books nothing', () => {
    const harness = rolloverHarness('2014-05-05T12:00', {
      terms: { swapRate: { buy: ratio(0), sell: ratio(0) } },
    })
    harness.buy('EURUSD')
    harness.wait(at('2014-05-05T21:00') - harness.now())
    expect(effects(harness.clock())).toEqual([])
    expect(waiting(harness)).toEqual([])
  })

  it('does not concern a pending order', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.buy('EURUSD', { target: '0.90000' })
    expect(goTo(harness, '2014-05-05T21:00')).toEqual([])
  })

  it('is booked on halted, closed and stale markets', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.buy('EURUSD')
    harness.closeMarket('EURUSD')
    harness.halt('EURUSD', 'a storm')
    harness.mode('halted')
    expect(goTo(harness, '2014-05-05T21:00')).toHaveLength(1)
  })
})

describe('the weekday', () => {
  /** Amounts booked from Monday's to the next Monday's 17:00 New York, by date. */
  function week(terms: Partial<Instrument>) {
    const harness = rolloverHarness('2014-05-05T12:00', { terms })
    harness.buy('EURUSD')
    return reported(goTo(harness, '2014-05-12T21:00')).map(([, rollover, rollovers]) => [
      String(rollover).slice(8, 10),
      rollovers,
    ])
  }

  it('of the triple day counts three times, the weekend not at all', () => {
    expect(week({ tripleSwapDay: 'wed' })).toEqual([
      ['05', 1],
      ['06', 1],
      ['07', 3],
      ['08', 1],
      ['09', 1],
      ['12', 1],
    ])
  })

  it('is each instrument’s own', () => {
    expect(week({ tripleSwapDay: 'fri' })).toEqual([
      ['05', 1],
      ['06', 1],
      ['07', 1],
      ['08', 1],
      ['09', 3],
      ['12', 1],
    ])
  })

  it('does not matter for a market that never closes', () => {
    expect(week({ tripleSwapDay: 'daily' })).toEqual(
      ['05', '06', '07', '08', '09', '10', '11', '12'].map((day) => [day, 1]),
    )
  })

  it.each([
    ['2014-05-09T21:00', 'fri', 3],
    ['2014-05-10T21:00', 'fri', 0],
    ['2014-05-11T21:00', 'wed', 0],
    ['2014-05-11T21:00', 'daily', 1],
    ['2014-12-31T22:00', 'wed', 3],
  ] as const)('%s with the triple day %s counts %d', (rollover, day, rollovers) => {
    expect(swapDaysAt(at(rollover), day)).toBe(rollovers)
  })
})

describe('17:00 in New York', () => {
  it.each([
    ['in winter is 22:00 UTC', '2014-01-06T22:00'],
    ['in summer is 21:00 UTC', '2014-07-07T21:00'],
    ['on the Friday before the clocks go forward', '2014-03-07T22:00'],
    ['on the Monday after it', '2014-03-10T21:00'],
    ['on the Friday before they go back', '2014-10-31T21:00'],
    ['on the Monday after it', '2014-11-03T22:00'],
  ])('%s', (_when, rollover) => {
    const midday = at(rollover) - 12 * 3_600_000
    expect(rolloverBefore(at(rollover))).toBe(at(rollover))
    expect(rolloverBefore(at(rollover) - 1)).toBeLessThan(midday)
    const { state } = demoHarness()
    Object.assign(state, { lastRollover: rolloverBefore(midday), lastPriceSnapshot: midday })
    expect(duePriceSnapshots(state, at(rollover) - 1)).not.toContain(at(rollover))
    expect(duePriceSnapshots(state, at(rollover))).toEqual([at(rollover)])
  })

  it('charges only positions opened before it', () => {
    const harness = rolloverHarness('2014-05-05T20:59:59.999')
    harness.buy('EURUSD')
    harness.wait(1)
    harness.buy('EURUSD')
    harness.wait(1)
    harness.buy('EURUSD')
    expect(
      harness.journal
        .flatMap(({ events }) => events)
        .filter(isSwap)
        .map(({ orderId }) => orderId),
    ).toEqual([1])
    expect(reported(goTo(harness, '2014-05-06T21:00')).map(([orderId]) => orderId)).toEqual([1, 2, 3])
  })

  const isSwap = (event: Event) => event.type === 'swapBooked'
})

describe('the first command after 17:00 comes after the price snapshot', () => {
  /** A position of account 1 and one of account 2, a moment after 17:00. */
  function afterRollover() {
    const harness = rolloverHarness('2014-05-05T20:59:59')
    harness.openAccount()
    harness.buy('EURUSD', { stopLoss: '0.95000' })
    harness.buy('EURUSD', { accountId: 2 })
    harness.wait(1_001)
    return harness
  }
  const typesOf = (harness: Harness, count: number) =>
    harness.journal
      .slice(-count)
      .map(({ author, events }) => [author.type, ...events.map(({ type }) => type)])

  it('and an account’s own rollover before a command that concerns it', () => {
    const harness = afterRollover()
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
    expect(typesOf(harness, 3)).toEqual([
      ['clock', 'pricesMarked'],
      ['clock', 'swapBooked'],
      ['user', 'positionClosed'],
    ])
    // The other account comes later.
    expect(waiting(harness)).toEqual([at('2014-05-05T21:00')])
    expect(reported(swapsOf(harness.clock()))).toEqual([[2, '2014-05-05T21:00', 1, -10]])
    expect(waiting(harness)).toEqual([])
  })

  it('and before a tick that triggers its stop, at the prices before that tick', () => {
    const harness = afterRollover()
    harness.tick('EURUSD', '0.90000', '0.90000')
    expect(typesOf(harness, 2)).toEqual([
      ['clock', 'pricesMarked'],
      ['market', 'swapBooked', 'positionClosed'],
    ])
    expect(balanceOf(harness.state.ledger, brokerAccountOf('demo', 'swap')).balance).toBe(usd('10'))
  })

  it('and the command must then be given again', () => {
    const harness = afterRollover()
    const command = { type: 'closePosition', at: harness.now(), accountId: 1, orderId: 1 } as const
    expect(effects(transact(harness.core, command))).toEqual(['pricesMarked'])
    expect(effects(transact(harness.core, command))).toEqual(['1 swapBooked'])
    expect(transact(harness.core, { ...command, at: command.at + 5 })).toMatchObject({ hasMore: false })
    expect(harness.state.orders.size).toBe(1)
  })

  it('even if it is refused', () => {
    const harness = afterRollover()
    harness.wait(60_000)
    expect(effects(harness.close(1))).toEqual(['refused stalePrice'])
    expect(balanceOf(harness.state.ledger, brokerAccountOf('demo', 'swap')).balance).toBe(usd('10'))
  })

  it('with the rates of the rollover, even if they change before the account is processed', () => {
    const harness = afterRollover()
    harness.tick('EURUSD', '1.00000', '1.00000')
    const instrument = { ...instrumentOf('EURUSD'), swapRate: { buy: ratio(-36_000_000), sell: ratio(0) } }
    expect(
      effects(
        harness.operate<SetTerms>({
          type: 'setTerms',
          change: { kind: 'instrument', instrument, listing: null },
          effectiveAt: null,
          by: DEPLOYMENT,
        }),
      ),
    ).toEqual(['termsSet'])
    const swaps = swapsOf(harness.clock())
    expect(reported(swaps).map(([id, , , amount]) => [id, amount])).toEqual([
      [1, -10],
      [2, -10],
    ])
    expect(swaps.map(({ receipt }) => receipt.terms)).toEqual(Array(2).fill(harness.state.termsVersion - 1))
    expect(reported(goTo(harness, '2014-05-06T21:00')).map(([id, , , amount]) => [id, amount])).toEqual([
      [1, -100],
      [2, -100],
    ])
  })
})

describe('each rollover is booked once', () => {
  it('however often the clock ticks', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.buy('EURUSD')
    expect(goTo(harness, '2014-05-05T21:00')).toHaveLength(1)
    expect(goTo(harness, '2014-05-05T21:00')).toHaveLength(0)
    expect(goTo(harness, '2014-05-06T20:59:59.999')).toHaveLength(0)
    expect(goTo(harness, '2014-05-06T21:00')).toHaveLength(1)
  })

  it('with its own date, when several come late', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    harness.buy('EURUSD')
    expect(reported(goTo(harness, '2014-05-09T03:00'))).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [1, '2014-05-06T21:00', 1, -10],
      [1, '2014-05-07T21:00', 3, -30],
      [1, '2014-05-08T21:00', 1, -10],
    ])
  })

  it('for the remainder after a partial close', () => {
    const harness = rolloverHarness('2014-05-05T20:59:59')
    harness.buy('EURUSD')
    goTo(harness, '2014-05-05T21:00')
    harness.close(1, { lots: '0.4' })
    expect(goTo(harness, '2014-05-05T21:00:01')).toEqual([])
    expect(reported(goTo(harness, '2014-05-06T21:00'))).toEqual([[1, '2014-05-06T21:00', 1, -6]])
  })

  it('and none before the first account', () => {
    const harness = rolloverHarness('2014-05-05T12:00')
    expect(duePriceSnapshots(createState(), harness.now())).toEqual([])
  })
})

describe('in slices', () => {
  /** Seven accounts with three positions each. */
  function manyAccounts(budget?: Budget): Harness {
    const harness = rolloverHarness('2014-05-05T20:59:58', budget ? { budget } : {})
    for (let id = 2; id <= 7; id += 1) harness.openAccount()
    for (let id = 1; id <= 7; id += 1) {
      harness.buy('EURUSD', { accountId: id, lots: '0.1' })
      harness.sell('EURUSD', { accountId: id, lots: '0.1' })
      harness.buy('EURUSD', { accountId: id, lots: '0.02' })
    }
    return harness
  }

  it.each([
    { events: 1, checks: 100 },
    { events: 2, checks: 100 },
    { events: 500, checks: 1 },
    { events: 4, checks: 3 },
  ])('of %j the same is booked in the same order', (budget) => {
    const [whole, sliced] = [manyAccounts(), manyAccounts(budget)]
    const swaps = goTo(whole, '2014-05-07T21:00')
    expect(swaps).toHaveLength(3 * 21)
    expect(goTo(sliced, '2014-05-07T21:00')).toEqual(swaps)
    expect(snapshotOf(sliced.core)).toEqual(snapshotOf(whole.core))
    expect(sliced.journal.length).toBeGreaterThan(whole.journal.length)
    expect(snapshotOf(sliced.replayed())).toEqual(snapshotOf(sliced.core))
  })

  it('by the clock are small: an order waits for at most one of them', () => {
    const harness = rolloverHarness('2014-05-05T20:59:58')
    for (let count = 0; count < 250; count += 1) harness.buy('EURUSD', { lots: '0.01' })
    harness.wait(at('2014-05-05T21:00') - harness.now())
    const sizes: number[] = []
    do {
      const outcome = transact(harness.core, { type: 'clock', at: harness.now() })
      if (isRejection(outcome)) throw new Error(outcome.rejected)
      sizes.push(outcome.entry.events.filter(({ type }) => type === 'swapBooked').length)
    } while (hasDueWork(harness.core, harness.now()))
    expect(sizes).toEqual([0, 100, 100, 50])
  })

  it('a restart in the middle neither duplicates nor loses a swap', () => {
    const harness = manyAccounts()
    harness.wait(at('2014-05-05T21:00') - harness.now())
    const command = { type: 'clock', at: harness.now() } as const
    const budget = { events: 5, checks: 100 }
    const entries = [...harness.journal]
    const slice = (core: Core) => {
      const outcome = transact(core, command, budget)
      if (isRejection(outcome)) throw new Error(outcome.rejected)
      entries.push(outcome.entry)
    }
    for (let count = 0; count < 3; count += 1) slice(harness.core)
    const copy = coreOf({ instruments: withSwap(['EURUSD']), settings: harness.state.settings })
    for (const entry of entries) evolve(copy, entry)
    while (hasDueWork(copy, command.at)) slice(copy)
    const swaps = entries.flatMap(({ events }) => events).filter((event) => event.type === 'swapBooked')
    expect(swaps.map(({ orderId }) => orderId)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
    expect(waiting(copy)).toEqual([])
  })
})
