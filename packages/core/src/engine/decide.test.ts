import { describe, expect, it } from 'vitest'
import {
  demoHarness,
  effects,
  figures,
  onlyEvent,
  createHarness,
  START,
  type Harness,
} from '../../scenarios/harness.ts'
import { priceOf, usd } from '../../scenarios/market.ts'
import { balanceOf, brokerAccountOf } from '../model/ledger.ts'

/** Order 1 is held (a buy opened at 1.38510), order 2 waits (a sell at 1.39000). */
function busyHarness(options?: Parameters<typeof demoHarness>[0]): Harness {
  const harness = demoHarness(options)
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.buy('EURUSD')
  harness.sell('EURUSD', { target: '1.39000' })
  return harness
}

describe('opening an account', () => {
  it('gives the next id and the starting balance of the demo, out of the demo issue', () => {
    const harness = createHarness()
    const first = onlyEvent(harness.openAccount(), 'accountOpened')
    const second = onlyEvent(harness.openAccount(), 'accountOpened')
    expect([first.accountId, second.accountId]).toEqual([1, 2])
    expect(first.transfers).toEqual([
      {
        debit: 'house:demo:demoIssue',
        credit: 'available:1',
        amount: usd('100000'),
        kind: 'demoIssue',
        orderId: null,
      },
    ])
    expect(balanceOf(harness.state.ledger, brokerAccountOf('demo', 'demoIssue')).balance).toBe(usd('-200000'))
  })

  it('of real money starts with nothing', () => {
    const harness = createHarness()
    expect(onlyEvent(harness.openAccount('real'), 'accountOpened').transfers).toEqual([])
    expect(figures(harness).balance).toBe(0n)
  })
})

describe('a close is rejected, and nothing changes,', () => {
  it('for an account that does not exist', () => {
    expect(effects(busyHarness().close(1, { accountId: 9 }))).toEqual(['refused accountNotFound'])
  })

  it('for an order that does not exist', () => {
    expect(busyHarness().close(3)).toEqual({ rejected: 'orderNotFound', details: { orderId: 3 } })
  })

  it("for another user's order, as if it did not exist", () => {
    const harness = busyHarness()
    harness.openAccount()
    expect(harness.close(1, { accountId: 2 })).toEqual({ rejected: 'orderNotFound', details: { orderId: 1 } })
  })

  it('for an order that has closed already', () => {
    const harness = busyHarness()
    harness.close(1)
    expect(effects(harness.close(1))).toEqual(['refused orderNotFound'])
  })

  it('for a pending order', () => {
    expect(busyHarness().close(2)).toEqual({ rejected: 'orderNotHolding', details: { orderId: 2 } })
  })

  it('while the market is closed, however fresh the price', () => {
    const harness = busyHarness()
    harness.closeMarket('EURUSD')
    expect(harness.close(1)).toEqual({ rejected: 'marketClosed', details: { instrument: 'EURUSD' } })
  })

  it('on a price older than five seconds', () => {
    const harness = busyHarness()
    harness.wait(5_001)
    expect(harness.close(1)).toEqual({ rejected: 'stalePrice', details: { instrument: 'EURUSD' } })
  })

  it('in the order of the codes: not held before closed, closed before stale', () => {
    const harness = busyHarness()
    harness.closeMarket('EURUSD')
    harness.wait(5_001)
    expect(effects(harness.close(2))).toEqual(['refused orderNotHolding'])
    expect(effects(harness.close(1))).toEqual(['refused marketClosed'])
  })
})

describe('a close', () => {
  it('uses the last price if it is at most five seconds old', () => {
    const harness = busyHarness()
    harness.wait(5_000)
    expect(onlyEvent(harness.close(1), 'positionClosed')).toMatchObject({
      closePrice: priceOf('EURUSD', '1.38500'),
      profit: usd('-10'),
      receipt: { trigger: 'user', quoteSide: 'bid', slippage: 0, delayMs: 5_000, tick: { seq: 1 } },
    })
  })

  it('may be at a price below zero where the instrument allows it', () => {
    const harness = demoHarness()
    harness.tick('WTI', '1.20', '1.23')
    harness.buy('WTI')
    harness.tick('WTI', '-37.63', '-37.00')
    // (-37.63 - 1.23) x 1,000
    expect(onlyEvent(harness.close(1), 'positionClosed').profit).toBe(usd('-38860'))
  })

  it('of an open instrument does not depend on a closed one', () => {
    const harness = busyHarness()
    harness.closeMarket('GBPUSD')
    expect(effects(harness.close(1))).toEqual(['1 positionClosed'])
  })
})

describe('a cancel', () => {
  it.each([
    ['an order that does not exist', 3, 1, 'orderNotFound'],
    ["another's order, as if it did not exist", 2, 2, 'orderNotFound'],
    ['a position', 1, 1, 'orderNotPending'],
  ] as const)('of %s is refused, and nothing changes', (_what, orderId, accountId, code) => {
    const harness = busyHarness()
    harness.openAccount()
    expect(harness.cancel(orderId, { accountId })).toEqual({ rejected: code, details: { orderId } })
  })

  it('works while the market is closed and the price stale', () => {
    const harness = busyHarness()
    harness.closeMarket('EURUSD')
    harness.wait(86_400_000)
    expect(onlyEvent(harness.cancel(2), 'orderCancelled')).toMatchObject({
      orderId: 2,
      reason: 'cancelledByUser',
      receipt: { action: 'cancel', trigger: 'user', requestedPrice: priceOf('EURUSD', '1.39000') },
    })
  })

  it('takes effect before a later trigger, and is rejected after an earlier one', () => {
    const harness = busyHarness()
    harness.cancel(2)
    expect(effects(harness.tick('EURUSD', '1.39000', '1.39010'))).toEqual([])
    harness.sell('EURUSD', { target: '1.40000' })
    harness.tick('EURUSD', '1.40000', '1.40010')
    expect(effects(harness.cancel(3))).toEqual(['refused orderNotPending'])
  })
})

describe('a demo reset', () => {
  it('is rejected for a real account', () => {
    const harness = createHarness()
    harness.openAccount('real')
    expect(effects(harness.reset())).toEqual(['refused demoOnly'])
  })

  it('is rejected for an unknown account', () => {
    expect(effects(createHarness().reset())).toEqual(['refused accountNotFound'])
  })

  it('ends everything without a fill or a result, and restores the balance by one transfer', () => {
    const harness = busyHarness()
    harness.tick('EURUSD', '1.30000', '1.30010')
    const outcome = harness.reset()
    expect('entry' in outcome && outcome.entry.events).toMatchObject([
      {
        type: 'positionClosed',
        orderId: 1,
        reason: 'demoReset',
        closePrice: null,
        profit: 0n,
        transfers: [],
      },
      { type: 'orderCancelled', orderId: 2, reason: 'demoReset' },
      {
        type: 'demoReset',
        // the fee of order 1: 138,510 / 10 x 0.001
        transfers: [{ credit: 'available:1', amount: usd('13.851'), kind: 'demoReset', orderId: null }],
      },
    ])
    expect(figures(harness)).toMatchObject({
      balance: usd('100000'),
      margin: 0n,
      reserved: 0n,
      free: usd('100000'),
    })
    expect(harness.state.orders.size).toBe(0)
    expect([...harness.core.triggers.all()]).toEqual([])
  })

  it('takes profits back', () => {
    const harness = busyHarness()
    harness.tick('EURUSD', '1.39000', '1.39010')
    harness.close(1)
    harness.reset()
    expect(figures(harness).balance).toBe(usd('100000'))
  })

  it('works while a market is closed, and on a balance below zero', () => {
    const harness = demoHarness({ settings: { demoBalance: usd('30000') } })
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD', { lots: '2', leverage: 30 })
    harness.buy('EURUSD', { lots: '2', leverage: 30 })
    harness.tick('EURUSD', '1.18510', '1.18520')
    harness.close(1)
    expect(figures(harness).balance).toBeLessThan(0n)
    harness.closeMarket('EURUSD')
    harness.reset()
    expect(figures(harness)).toMatchObject({ balance: usd('30000'), profit: 0n })
  })

  it('of an untouched account moves no money', () => {
    const outcome = demoHarness().reset()
    expect('entry' in outcome && outcome.entry.events).toMatchObject([{ type: 'demoReset', transfers: [] }])
    expect('postings' in outcome && outcome.postings).toEqual([])
  })

  it('leaves the orders of other users unchanged', () => {
    const harness = busyHarness()
    harness.openAccount()
    harness.buy('EURUSD', { accountId: 2 })
    harness.reset({ accountId: 2 })
    expect([...harness.state.orders.keys()]).toEqual([1, 2])
  })

  it('sets the balance that its user chose, and the next one without a choice the usual one', () => {
    const harness = busyHarness()
    const outcome = harness.reset({ start: usd('2500.5') })
    expect('entry' in outcome && outcome.entry.events.at(-1)).toMatchObject({
      type: 'demoReset',
      start: usd('2500.5'),
    })
    expect(figures(harness).balance).toBe(usd('2500.5'))
    expect(effects(harness.reset({ start: usd('0') }))).toEqual(['refused amountOutOfRange'])
    harness.reset()
    expect(figures(harness).balance).toBe(usd('100000'))
  })

  it("restores the current setting's balance", () => {
    const harness = busyHarness()
    harness.state.settings = { ...harness.state.settings, demoBalance: usd('5000') }
    harness.reset()
    expect(figures(harness).balance).toBe(usd('5000'))
  })
})

it('every command carries its own time, and nothing reads a clock', () => {
  const harness = busyHarness()
  expect(harness.journal.map(({ at }) => at)).toEqual([START, START, START])
})
