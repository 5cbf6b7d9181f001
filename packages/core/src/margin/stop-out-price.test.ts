import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { effects, riskyHarness, type Harness } from '../../scenarios/harness.ts'
import { instrumentOf, priceOf } from '../../scenarios/market.ts'
import { livedThrough, wildMarket } from '../../scenarios/wild-market.ts'
import { isStoppedOut, openProfit } from './account-figures.ts'
import { price, type Price } from '../model/number.ts'
import { direction, isPosition, type Order } from '../model/order.ts'
import { closingPrice } from '../model/quote.ts'
import type { Account, State } from '../state/state.ts'
import { isBeyondStopOutPrice, stopOutPrice, stopOutPriceOnceOpen } from './stop-out-price.ts'

function priceFor(harness: Harness, orderId: number): Price | null {
  const order = harness.state.orders.get(orderId)
  const account = order && harness.state.accounts.get(order.accountId)
  if (!order || !account) throw new Error(`no order ${orderId}`)
  return stopOutPrice(harness.state, account, order)
}

describe('the stop-out price', () => {
  it('of the only position is where half its margin is left', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00010')
    harness.sell('EURUSD', { leverage: 20 })
    // Sold at the bid; 2,500 of 5,000 may go: the ask at 1.02500.
    expect(priceFor(harness, 1)).toBe(priceOf('EURUSD', '1.02500'))
  })

  it('is the first price that stops the account out', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    expect(priceFor(harness, 1)).toBe(priceOf('EURUSD', '0.97500'))
    expect(effects(harness.tick('EURUSD', '0.97501', '0.97501'))).toEqual([])
    expect(effects(harness.tick('EURUSD', '0.97500', '0.97500'))).toEqual(['1 positionClosed'])
  })

  it('is null when even a price of zero leaves enough', () => {
    const harness = riskyHarness('1000000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    expect(priceFor(harness, 1)).toBeNull()
  })

  it('is null for a sell that sixteen times the price does not stop out', () => {
    const harness = riskyHarness('1000000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.sell('EURUSD', { leverage: 20, lots: '0.1' })
    expect(priceFor(harness, 1)).toBeNull()
    harness.sell('EURUSD', { leverage: 20, lots: '1' })
    // 110,000 x 14 less fees and half of 5,500: near ten times the price.
    expect(priceFor(harness, 1)).toBe(priceFor(harness, 2))
    expect(priceFor(harness, 1)).not.toBeNull()
  })

  it('of the smaller half of a hedge is null, because the larger half gains', () => {
    const harness = riskyHarness('20000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.sell('EURUSD', { leverage: 20, lots: '0.5' })
    expect(priceFor(harness, 1)).not.toBeNull()
    expect(priceFor(harness, 2)).toBeNull()
  })

  it('of a full hedge is null', () => {
    const harness = riskyHarness('20000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.sell('EURUSD', { leverage: 20 })
    expect([priceFor(harness, 1), priceFor(harness, 2)]).toEqual([null, null])
  })

  it('in fixed margin mode depends on exposure, not on lots', () => {
    const harness = riskyHarness('10000')
    harness.tick('FIXED', '100.00', '100.00')
    harness.buy('FIXED', { lots: '1', leverage: 30 })
    harness.sell('FIXED', { lots: '2', leverage: 10 })
    // 30,000 up against 20,000 down: the buy loses on balance, though it has fewer lots.
    expect(priceFor(harness, 1)).not.toBeNull()
    expect(priceFor(harness, 2)).toBeNull()
  })

  it('is the current price for an account that is past it and waits', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.closeMarket('EURUSD')
    harness.tick('EURUSD', '0.90000', '0.90010')
    expect(priceFor(harness, 1)).toBe(priceOf('EURUSD', '0.90000'))
  })

  it('is null without a price', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.state.quotes.delete(instrumentOf('EURUSD').id)
    expect(priceFor(harness, 1)).toBeNull()
  })
})

/** Whether an account would be stopped out with the closing price of an order there, bid and ask moved alike. */
function isOutAt(state: State, account: Account, order: Order, closing: number): boolean {
  const quote = state.quotes.get(order.instrumentId)
  if (!quote) throw new Error('no quote')
  const move = closing - closingPrice(order.side, quote)
  const moved = { ...quote, bid: price(quote.bid + move), ask: price(quote.ask + move) }
  const quotes = { get: (id: number) => (id === order.instrumentId ? moved : state.quotes.get(id)) }
  const equity = account.available.balance + openProfit({ ...state, quotes }, account)
  return isStoppedOut(state, equity, account.margin)
}

it('any account is stopped out at the computed price and not one tick before', () => {
  let found = 0
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const { state } = livedThrough(wildMarket(seed), 150)
      for (const order of state.orders.values()) {
        const account = state.accounts.get(order.accountId)
        if (!account || !isPosition(order)) continue
        const named = stopOutPrice(state, account, order)
        const quote = state.quotes.get(order.instrumentId)
        if (named === null || !quote) continue
        found += 1
        expect(isOutAt(state, account, order, named)).toBe(true)
        if (named === closingPrice(order.side, quote)) continue
        expect(isOutAt(state, account, order, named + direction(order.side))).toBe(false)
      }
    }),
    { numRuns: 60 },
  )
  expect(found).toBeGreaterThan(50)
})

it('where it is null, no price stops the account out', () => {
  let none = 0
  fc.assert(
    fc.property(fc.integer(), fc.array(fc.nat(1_000), { minLength: 20 }), (seed, places) => {
      const { state } = livedThrough(wildMarket(seed), 150)
      for (const order of state.orders.values()) {
        const account = state.accounts.get(order.accountId)
        const quote = state.quotes.get(order.instrumentId)
        if (!account || !quote || !isPosition(order) || quote.bid <= 1) continue
        if (stopOutPrice(state, account, order) !== null) continue
        none += 1
        for (const place of places) {
          const reach = order.side === 'buy' ? 1 - quote.bid : quote.ask * 15
          const closing = closingPrice(order.side, quote) + Math.trunc((reach * place) / 1_000)
          expect(isOutAt(state, account, order, closing)).toBe(false)
        }
      }
    }),
    { numRuns: 60 },
  )
  expect(none).toBeGreaterThan(10)
})

describe('the stop-out price of a position before it opens', () => {
  const preview = (harness: Harness, order: Order): Price | null => {
    const account = harness.state.accounts.get(order.accountId)
    if (!account || !isPosition(order)) throw new Error('no position to look at')
    return stopOutPriceOnceOpen(harness.state, account, order)
  }

  it('is the one it has once it is open, also with other positions', () => {
    const harnesses = [riskyHarness('20000'), riskyHarness('20000')] as const
    for (const harness of harnesses) {
      harness.tick('EURUSD', '1.00000', '1.00010')
      harness.sell('EURUSD', { leverage: 20, lots: '0.5' })
    }
    const [before, after] = harnesses
    after.buy('EURUSD', { leverage: 20, lots: '2' })
    const opened = after.state.orders.get(2)
    if (!opened) throw new Error('the second order did not open')
    expect(priceFor(after, 2)).not.toBeNull()
    expect(preview(before, { ...opened })).toBe(priceFor(after, 2))
  })

  it('changes nothing', () => {
    const harness = riskyHarness('20000')
    harness.tick('EURUSD', '1.00000', '1.00010')
    harness.buy('EURUSD', { leverage: 20 })
    const order = harness.state.orders.get(1)
    const account = harness.state.accounts.get(1)
    if (!order || !account) throw new Error('nothing opened')
    const before = structuredClone(account)
    preview(harness, { ...order, id: 2 })
    expect(account).toEqual(before)
  })

  it('of one that opens elsewhere is computed from there', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    const order = harness.state.orders.get(1)
    const account = harness.state.accounts.get(1)
    if (!order || !account) throw new Error('nothing opened')
    const fresh = riskyHarness('5005')
    fresh.tick('EURUSD', '1.10000', '1.10000')
    expect(preview(fresh, { ...order })).toBe(priceOf('EURUSD', '0.97500'))
  })

  it.each([
    ['buy', 90, 95, true],
    ['buy', 95, 95, false],
    ['sell', 110, 105, true],
    ['sell', 105, 105, false],
  ] as const)(
    'a stop loss of a %s at %d lies beyond a stop-out at %d: %s',
    (side, stop, stopOut, expected) => {
      expect(isBeyondStopOutPrice({ side, stopLoss: price(stop) }, price(stopOut))).toBe(expected)
    },
  )
})
