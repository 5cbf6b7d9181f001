import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { riskyFloor } from '../../scenarios/floor.ts'
import { instrumentOf, usd } from '../../scenarios/market.ts'
import { carryOut, livedThrough, wildMarket } from '../../scenarios/wild-market.ts'
import { figuresOf } from './account-figures.ts'
import { afterMove, movePrices } from './price-move.ts'
import type { Core } from '../core.ts'
import type { Event } from '../event.ts'

const SECOND_MS = 1_000

describe('a move of prices', () => {
  it('is a part of the mid, and leaves the spread as it is', () => {
    const floor = riskyFloor('5005')
    floor.tick('EURUSD', '1.00000', '1.00010')
    const { id } = instrumentOf('EURUSD')
    const { after } = movePrices(floor.state, [id], -250, floor.now())
    // 2.5 % of 1.00005 is 0.02500125.
    expect(after.get(id)).toMatchObject({ bid: 97_500, ask: 97_510 })
  })

  it('never takes a price below one tick, unless it may fall below zero', () => {
    const floor = riskyFloor('5005')
    floor.tick('EURUSD', '0.00002', '0.00100')
    floor.tick('WTI', '-10.00', '-9.00')
    const ids = [instrumentOf('EURUSD').id, instrumentOf('WTI').id]
    const { after } = movePrices(floor.state, ids, -9_000, floor.now())
    expect(after.get(ids[0] ?? 0)).toMatchObject({ bid: 1, ask: 99 })
    expect(after.get(ids[1] ?? 0)).toMatchObject({ bid: -1_855, ask: -1_755 })
  })

  it('tells who would be stopped out, what they would lose, and what would be lifted', () => {
    const floor = riskyFloor('5005')
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { leverage: 20 })
    const account = floor.state.accounts.get(1)
    if (!account) throw new Error('no account')
    const look = (part: number) =>
      afterMove(floor.core, account, movePrices(floor.state, [instrumentOf('EURUSD').id], part, floor.now()))
    expect(look(-249)).toMatchObject({ events: [], after: { equity: usd('2510') }, covered: 0n })
    expect(look(-250).events.map(({ type }) => type)).toEqual(['positionClosed'])
    // 6,000 down of 5,000: the house bears 1,000.
    expect(look(-600)).toMatchObject({ after: { equity: 0n, margin: 0n }, covered: usd('1000') })
    expect(figuresOf(floor.state, account)).toMatchObject({ equity: usd('5000'), profit: 0n })
  })

  it('counts closed markets as open where they move, and holds to a halt', () => {
    const floor = riskyFloor('5005')
    floor.tick('EURUSD', '1.00000', '1.00000')
    floor.buy('EURUSD', { leverage: 20 })
    const account = floor.state.accounts.get(1)
    if (!account) throw new Error('no account')
    const look = () =>
      afterMove(floor.core, account, movePrices(floor.state, [instrumentOf('EURUSD').id], -400, floor.now()))
    floor.closeMarket('EURUSD')
    expect(look().events).toHaveLength(1)
    floor.halt('EURUSD', 'storm')
    expect(look().events).toHaveLength(0)
  })
})

/** What every account would be, by the "what if". */
const foretold = (core: Core, id: number, part: number, at: number) => {
  const move = movePrices(core.state, [id], part, at)
  const looks = [...core.state.accounts.values()].map((account) => afterMove(core, account, move))
  return {
    quote: move.after.get(id),
    figures: looks.map(({ after }) => after),
    events: looks.flatMap(({ events }) => events),
  }
}

const ofAccounts = (event: Event): boolean => event.type !== 'trailingMoved' && event.type !== 'pricesMarked'
const order = (event: Event): string => `${event.type} ${'orderId' in event ? event.orderId : ''}`

it('whatever accounts hold, it is what the same price does when it comes', () => {
  let closed = 0
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: -3_000, max: 3_000 }), (seed, part) => {
      const market = wildMarket(seed)
      const core = livedThrough(market, 150)
      const at = Math.max(...[...core.state.quotes.values()].map(({ receivedAt }) => receivedAt)) + SECOND_MS
      carryOut(core, { type: 'clock', at })
      for (const [id] of core.state.quotes) {
        const instrument = core.state.instruments.get(id)
        if (!instrument || !core.isOpen(instrument, at)) continue
        const { quote, figures, events } = foretold(core, id, part, at)
        if (!quote) continue
        const happened = carryOut(core, { type: 'tick', at, quote })
        if (typeof happened === 'string') throw new Error(happened)
        expect([...core.state.accounts.values()].map((account) => figuresOf(core.state, account))).toEqual(
          figures,
        )
        expect(events.filter(ofAccounts).map(order).toSorted()).toEqual(
          happened.filter(ofAccounts).map(order).toSorted(),
        )
        closed += happened.filter(({ type }) => type === 'positionClosed').length
      }
    }),
    { numRuns: 100 },
  )
  expect(closed).toBeGreaterThan(50)
})
