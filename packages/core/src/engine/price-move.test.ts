import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { riskyHarness } from '../../scenarios/harness.ts'
import { instrumentOf, usd } from '../../scenarios/market.ts'
import { carryOut, livedThrough, wildMarket } from '../../scenarios/wild-market.ts'
import { figuresOf } from '../margin/account-figures.ts'
import { afterMove, movePrices } from './price-move.ts'
import type { Core } from '../state/running-core.ts'
import type { Event } from '../model/event.ts'

const SECOND_MS = 1_000

describe('a move of prices', () => {
  it('moves by a fraction of the mid and keeps the spread', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00010')
    const { id } = instrumentOf('EURUSD')
    const { after } = movePrices(harness.state, [id], -250, harness.now())
    // 2.5 % of 1.00005 is 0.02500125.
    expect(after.get(id)).toMatchObject({ bid: 97_500, ask: 97_510 })
  })

  it('never moves a price below one tick, unless it may be negative', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '0.00002', '0.00100')
    harness.tick('WTI', '-10.00', '-9.00')
    const ids = [instrumentOf('EURUSD').id, instrumentOf('WTI').id]
    const { after } = movePrices(harness.state, ids, -9_000, harness.now())
    expect(after.get(ids[0] ?? 0)).toMatchObject({ bid: 1, ask: 99 })
    expect(after.get(ids[1] ?? 0)).toMatchObject({ bid: -1_855, ask: -1_755 })
  })

  it('shows who would be stopped out, their losses, and the protection paid', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    const account = harness.state.accounts.get(1)
    if (!account) throw new Error('no account')
    const check = (part: number) =>
      afterMove(
        harness.core,
        account,
        movePrices(harness.state, [instrumentOf('EURUSD').id], part, harness.now()),
      )
    expect(check(-249)).toMatchObject({ events: [], after: { equity: usd('2510') }, covered: 0n })
    expect(check(-250).events.map(({ type }) => type)).toEqual(['positionClosed'])
    // 6,000 lost of 5,000: the broker bears 1,000.
    expect(check(-600)).toMatchObject({ after: { equity: 0n, margin: 0n }, covered: usd('1000') })
    expect(figuresOf(harness.state, account)).toMatchObject({ equity: usd('5000'), profit: 0n })
  })

  it('treats moved markets as open, but not halted ones', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    const account = harness.state.accounts.get(1)
    if (!account) throw new Error('no account')
    const check = () =>
      afterMove(
        harness.core,
        account,
        movePrices(harness.state, [instrumentOf('EURUSD').id], -400, harness.now()),
      )
    harness.closeMarket('EURUSD')
    expect(check().events).toHaveLength(1)
    harness.halt('EURUSD', 'storm')
    expect(check().events).toHaveLength(0)
  })
})

/** The result for every account. */
const movedAccounts = (core: Core, id: number, part: number, at: number) => {
  const move = movePrices(core.state, [id], part, at)
  const checks = [...core.state.accounts.values()].map((account) => afterMove(core, account, move))
  return {
    quote: move.after.get(id),
    figures: checks.map(({ after }) => after),
    events: checks.flatMap(({ events }) => events),
  }
}

/** Alerts have no effect on an account. */
const ofAccounts = ({ type }: Event): boolean =>
  !['trailingMoved', 'pricesMarked', 'alertFired', 'alertRearmed'].includes(type)
const order = (event: Event): string => `${event.type} ${'orderId' in event ? event.orderId : ''}`

it('for any accounts, it matches the effects of a real tick at the same price', () => {
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
        const { quote, figures, events } = movedAccounts(core, id, part, at)
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
