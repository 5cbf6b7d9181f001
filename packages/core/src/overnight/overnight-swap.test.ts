import { describe, expect, it } from 'vitest'
import { demoFloor, effects, figures, remembered, type Floor } from '../../scenarios/floor.ts'
import { DEALER, instrumentOf, coreOf, usd } from '../../scenarios/market.ts'
import type { SetTerms } from '../command.ts'
import type { Event } from '../event.ts'
import { evolve } from '../evolve.ts'
import type { Instrument } from '../terms/instrument.ts'
import { balanceOf, houseOf } from '../money/ledger.ts'
import { ratio } from '../money/number.ts'
import { isRejection } from '../rejection.ts'
import { dueMarks, nightBefore, nightsAt } from './overnight-swap.ts'
import type { Core } from '../core.ts'
import { createState } from '../state.ts'
import type { Budget } from '../steps.ts'
import { hasDueWork } from '../due-work/sweep.ts'
import { transact } from '../transact.ts'
import { withSwap, at, nightFloor, goTo, swapsOf, waiting, told } from '../../scenarios/night-floor.ts'

describe('a night', () => {
  it('costs a buyer, and pays a seller, at the rate of its side', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.buy('EURUSD')
    floor.sell('EURUSD', { lots: '0.5' })
    expect(told(goTo(floor, '2014-05-05T21:00'))).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [2, '2014-05-05T21:00', 1, 2.5],
    ])
  })

  it('is a row of the ledger, and a receipt that names the tick', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.buy('EURUSD')
    const [swap] = goTo(floor, '2014-05-05T21:00')
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
    expect(balanceOf(floor.state.ledger, houseOf('demo', 'swap')).balance).toBe(usd('10'))
    // 100,000 - 10 of fee - 10
    expect(figures(floor).balance).toBe(usd('99980'))
  })

  it('is dated with the night, however late it is booked', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.buy('EURUSD')
    floor.wait(at('2014-05-05T23:40') - floor.now())
    const outcome = floor.clock()
    expect('postings' in outcome && outcome.postings.map((row) => row.at)).toEqual([at('2014-05-05T21:00')])
  })

  it('that comes before the end of an order leads to a stop-out on the same tick', () => {
    const terms = { swapRate: { buy: ratio(-400_000_000), sell: ratio(0) } }
    const floor = demoFloor({ instruments: withSwap(['EURUSD'], terms), settings: { stopOutLevel: 100 } })
    goTo(floor, '2014-05-05T20:59')
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { lots: '9', leverage: 10 })
    floor.buy('EURUSD', { lots: '0.01', target: '0.50000', expiresAt: at('2014-05-05T21:00') })
    floor.wait(at('2014-05-05T21:00') - floor.now())
    // Nobody has looked at the account since: 10,000 of financing leave less than its margin of 90,000.
    expect(
      effects(floor.tick('EURUSD', '1.00000', '1.00000')).map((effect) => effect.replace(/^\d+ /, '')),
    ).toEqual(['orderCancelled', 'positionClosed'])
  })

  it('is reckoned at the last mid before it', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.buy('EURUSD')
    floor.tick('EURUSD', '1.09990', '1.10010')
    expect(goTo(floor, '2014-05-05T21:00')[0]?.amount).toBe(usd('-11'))
  })

  it('is converted like a profit', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.tick('EURUSD', '1.20000', '1.20000')
    floor.tick('GER40', '10000.0', '10000.0')
    floor.buy('GER40', { lots: '10' })
    const [swap] = goTo(floor, '2014-05-05T21:00')
    // 100,000 EUR are 120,000 USD.
    expect(swap).toMatchObject({ amount: usd('-12'), receipt: { conversion: [{ instrumentId: 1, seq: 2 }] } })
  })

  it('of a position in fixed margin mode is reckoned on its exposure', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.tick('FIXED', '77.00', '77.00')
    floor.sell('FIXED', { lots: '2', leverage: 20 })
    // 2,000 x 20 = 40,000
    expect(goTo(floor, '2014-05-05T21:00')[0]?.amount).toBe(usd('2'))
  })

  it('without a rate books nothing', () => {
    const floor = nightFloor('2014-05-05T12:00', { terms: { swapRate: { buy: ratio(0), sell: ratio(0) } } })
    floor.buy('EURUSD')
    floor.wait(at('2014-05-05T21:00') - floor.now())
    expect(effects(floor.clock())).toEqual([])
    expect(waiting(floor)).toEqual([])
  })

  it('is nothing to a pending order', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.buy('EURUSD', { target: '0.90000' })
    expect(goTo(floor, '2014-05-05T21:00')).toEqual([])
  })

  it('is booked on halted, closed and stale markets alike', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.buy('EURUSD')
    floor.closeMarket('EURUSD')
    floor.halt('EURUSD', 'a storm')
    floor.mode('cancelOnly')
    expect(goTo(floor, '2014-05-05T21:00')).toHaveLength(1)
  })
})

describe('the weekday', () => {
  /** Amounts booked from Monday's to the next Monday's 17:00 New York, by date. */
  function week(terms: Partial<Instrument>) {
    const floor = nightFloor('2014-05-05T12:00', { terms })
    floor.buy('EURUSD')
    return told(goTo(floor, '2014-05-12T21:00')).map(([, rollover, nights]) => [
      String(rollover).slice(8, 10),
      nights,
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

  it('is nothing to a market that never closes', () => {
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
  ] as const)('%s with the triple day %s counts %d', (rollover, day, nights) => {
    expect(nightsAt(at(rollover), day)).toBe(nights)
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
    expect(nightBefore(at(rollover))).toBe(at(rollover))
    expect(nightBefore(at(rollover) - 1)).toBeLessThan(midday)
    const { state } = demoFloor()
    Object.assign(state, { lastNight: nightBefore(midday), lastMark: midday })
    expect(dueMarks(state, at(rollover) - 1)).not.toContain(at(rollover))
    expect(dueMarks(state, at(rollover))).toEqual([at(rollover)])
  })

  it('parts those that were opened before it from those opened at it or later', () => {
    const floor = nightFloor('2014-05-05T20:59:59.999')
    floor.buy('EURUSD')
    floor.wait(1)
    floor.buy('EURUSD')
    floor.wait(1)
    floor.buy('EURUSD')
    expect(
      floor.journal
        .flatMap(({ events }) => events)
        .filter(isSwap)
        .map(({ orderId }) => orderId),
    ).toEqual([1])
    expect(told(goTo(floor, '2014-05-06T21:00')).map(([orderId]) => orderId)).toEqual([1, 2, 3])
  })

  const isSwap = (event: Event) => event.type === 'swapBooked'
})

describe('whatever comes first after 17:00 finds the prices of the night marked', () => {
  /** A position of account 1 and one of account 2, a moment after 17:00. */
  function afterTheTurn() {
    const floor = nightFloor('2014-05-05T20:59:59')
    floor.openAccount()
    floor.buy('EURUSD', { stopLoss: '0.95000' })
    floor.buy('EURUSD', { accountId: 2 })
    floor.wait(1_001)
    return floor
  }
  const typesOf = (floor: Floor, count: number) =>
    floor.journal.slice(-count).map(({ author, events }) => [author.type, ...events.map(({ type }) => type)])

  it('and an account’s own night before a command that concerns it', () => {
    const floor = afterTheTurn()
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
    expect(typesOf(floor, 3)).toEqual([
      ['clock', 'pricesMarked'],
      ['clock', 'swapBooked'],
      ['user', 'positionClosed'],
    ])
    // The other account waits for its turn.
    expect(waiting(floor)).toEqual([at('2014-05-05T21:00')])
    expect(told(swapsOf(floor.clock()))).toEqual([[2, '2014-05-05T21:00', 1, -10]])
    expect(waiting(floor)).toEqual([])
  })

  it('and before a tick that fires its stop, at the prices before that tick', () => {
    const floor = afterTheTurn()
    floor.tick('EURUSD', '0.90000', '0.90000')
    expect(typesOf(floor, 2)).toEqual([
      ['clock', 'pricesMarked'],
      ['market', 'swapBooked', 'positionClosed'],
    ])
    expect(balanceOf(floor.state.ledger, houseOf('demo', 'swap')).balance).toBe(usd('10'))
  })

  it('and the command is then to be given again', () => {
    const floor = afterTheTurn()
    const command = { type: 'closePosition', at: floor.now(), accountId: 1, orderId: 1 } as const
    expect(effects(transact(floor.core, command))).toEqual(['pricesMarked'])
    expect(effects(transact(floor.core, command))).toEqual(['1 swapBooked'])
    expect(transact(floor.core, { ...command, at: command.at + 5 })).toMatchObject({ hasMore: false })
    expect(floor.state.orders.size).toBe(1)
  })

  it('even if it is refused', () => {
    const floor = afterTheTurn()
    floor.wait(60_000)
    expect(effects(floor.close(1))).toEqual(['refused stalePrice'])
    expect(balanceOf(floor.state.ledger, houseOf('demo', 'swap')).balance).toBe(usd('10'))
  })

  it('with the rates of the night, whatever they become before an account’s turn', () => {
    const floor = afterTheTurn()
    floor.tick('EURUSD', '1.00000', '1.00000')
    const instrument = { ...instrumentOf('EURUSD'), swapRate: { buy: ratio(-36_000_000), sell: ratio(0) } }
    const by = { ...DEALER, second: { id: 2, role: 'dealing' as const } }
    expect(
      effects(
        floor.operate<SetTerms>({
          type: 'setTerms',
          change: { kind: 'instrument', instrument, listing: null },
          effectiveAt: null,
          by,
        }),
      ),
    ).toEqual(['termsSet'])
    const swaps = swapsOf(floor.clock())
    expect(told(swaps).map(([id, , , amount]) => [id, amount])).toEqual([
      [1, -10],
      [2, -10],
    ])
    expect(swaps.map(({ receipt }) => receipt.terms)).toEqual(Array(2).fill(floor.state.termsVersion - 1))
    expect(told(goTo(floor, '2014-05-06T21:00')).map(([id, , , amount]) => [id, amount])).toEqual([
      [1, -100],
      [2, -100],
    ])
  })
})

describe('each night is booked once', () => {
  it('however often the clock ticks', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.buy('EURUSD')
    expect(goTo(floor, '2014-05-05T21:00')).toHaveLength(1)
    expect(goTo(floor, '2014-05-05T21:00')).toHaveLength(0)
    expect(goTo(floor, '2014-05-06T20:59:59.999')).toHaveLength(0)
    expect(goTo(floor, '2014-05-06T21:00')).toHaveLength(1)
  })

  it('with its own date, when several come late', () => {
    const floor = nightFloor('2014-05-05T12:00')
    floor.buy('EURUSD')
    expect(told(goTo(floor, '2014-05-09T03:00'))).toEqual([
      [1, '2014-05-05T21:00', 1, -10],
      [1, '2014-05-06T21:00', 1, -10],
      [1, '2014-05-07T21:00', 3, -30],
      [1, '2014-05-08T21:00', 1, -10],
    ])
  })

  it('of what is left after a part was closed', () => {
    const floor = nightFloor('2014-05-05T20:59:59')
    floor.buy('EURUSD')
    goTo(floor, '2014-05-05T21:00')
    floor.close(1, { lots: '0.4' })
    expect(goTo(floor, '2014-05-05T21:00:01')).toEqual([])
    expect(told(goTo(floor, '2014-05-06T21:00'))).toEqual([[1, '2014-05-06T21:00', 1, -6]])
  })

  it('and none before the first account', () => {
    const floor = nightFloor('2014-05-05T12:00')
    expect(dueMarks(createState(), floor.now())).toEqual([])
  })
})

describe('in slices', () => {
  /** Seven accounts with three positions each. */
  function crowd(budget?: Budget): Floor {
    const floor = nightFloor('2014-05-05T20:59:58', budget ? { budget } : {})
    for (let id = 2; id <= 7; id += 1) floor.openAccount()
    for (let id = 1; id <= 7; id += 1) {
      floor.buy('EURUSD', { accountId: id, lots: '0.1' })
      floor.sell('EURUSD', { accountId: id, lots: '0.1' })
      floor.buy('EURUSD', { accountId: id, lots: '0.02' })
    }
    return floor
  }

  it.each([
    { events: 1, looks: 100 },
    { events: 2, looks: 100 },
    { events: 500, looks: 1 },
    { events: 4, looks: 3 },
  ])('of %j the same is booked in the same order', (budget) => {
    const [whole, sliced] = [crowd(), crowd(budget)]
    const swaps = goTo(whole, '2014-05-07T21:00')
    expect(swaps).toHaveLength(3 * 21)
    expect(goTo(sliced, '2014-05-07T21:00')).toEqual(swaps)
    expect(remembered(sliced.core)).toEqual(remembered(whole.core))
    expect(sliced.journal.length).toBeGreaterThan(whole.journal.length)
    expect(remembered(sliced.replayed())).toEqual(remembered(sliced.core))
  })

  it('that the clock gives are small: an order that comes meanwhile waits for one of them', () => {
    const floor = nightFloor('2014-05-05T20:59:58')
    for (let count = 0; count < 250; count += 1) floor.buy('EURUSD', { lots: '0.01' })
    floor.wait(at('2014-05-05T21:00') - floor.now())
    const sizes: number[] = []
    do {
      const outcome = transact(floor.core, { type: 'clock', at: floor.now() })
      if (isRejection(outcome)) throw new Error(outcome.rejected)
      sizes.push(outcome.entry.events.filter(({ type }) => type === 'swapBooked').length)
    } while (hasDueWork(floor.core, floor.now()))
    expect(sizes).toEqual([0, 100, 100, 50])
  })

  it('a restart in the middle doubles nothing and loses nothing', () => {
    const floor = crowd()
    floor.wait(at('2014-05-05T21:00') - floor.now())
    const command = { type: 'clock', at: floor.now() } as const
    const budget = { events: 5, looks: 100 }
    const entries = [...floor.journal]
    const slice = (core: Core) => {
      const outcome = transact(core, command, budget)
      if (isRejection(outcome)) throw new Error(outcome.rejected)
      entries.push(outcome.entry)
    }
    for (let count = 0; count < 3; count += 1) slice(floor.core)
    const copy = coreOf({ instruments: withSwap(['EURUSD']), settings: floor.state.settings })
    for (const entry of entries) evolve(copy, entry)
    while (hasDueWork(copy, command.at)) slice(copy)
    const swaps = entries.flatMap(({ events }) => events).filter((event) => event.type === 'swapBooked')
    expect(swaps.map(({ orderId }) => orderId)).toEqual(Array.from({ length: 21 }, (_, index) => index + 1))
    expect(waiting(copy)).toEqual([])
  })
})
