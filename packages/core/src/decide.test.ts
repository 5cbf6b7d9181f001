import { describe, expect, it } from 'vitest'
import { demoFloor, effects, figures, onlyEvent, openFloor, START, type Floor } from '../scenarios/floor.ts'
import { priceOf, usd } from '../scenarios/market.ts'
import { balanceOf, houseOf } from './money/ledger.ts'

/** Order 1 is held (a buy opened at 1.38510), order 2 waits (a sell at 1.39000). */
function busyFloor(options?: Parameters<typeof demoFloor>[0]): Floor {
  const floor = demoFloor(options)
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor.buy('EURUSD')
  floor.sell('EURUSD', { target: '1.39000' })
  return floor
}

describe('opening an account', () => {
  it('gives the next id and the starting balance of the demo, out of the demo issue', () => {
    const floor = openFloor()
    const first = onlyEvent(floor.openAccount(), 'accountOpened')
    const second = onlyEvent(floor.openAccount(), 'accountOpened')
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
    expect(balanceOf(floor.state.ledger, houseOf('demo', 'demoIssue')).balance).toBe(usd('-200000'))
  })

  it('of real money starts with nothing', () => {
    const floor = openFloor()
    expect(onlyEvent(floor.openAccount('real'), 'accountOpened').transfers).toEqual([])
    expect(figures(floor).balance).toBe(0n)
  })
})

describe('a close is refused, and nothing changes,', () => {
  it('for an account that does not exist', () => {
    expect(effects(busyFloor().close(1, { accountId: 9 }))).toEqual(['refused accountNotFound'])
  })

  it('for an order that does not exist', () => {
    expect(busyFloor().close(3)).toEqual({ rejected: 'orderNotFound', details: { orderId: 3 } })
  })

  it("for another's order, as if it did not exist", () => {
    const floor = busyFloor()
    floor.openAccount()
    expect(floor.close(1, { accountId: 2 })).toEqual({ rejected: 'orderNotFound', details: { orderId: 1 } })
  })

  it('for an order that has closed already', () => {
    const floor = busyFloor()
    floor.close(1)
    expect(effects(floor.close(1))).toEqual(['refused orderNotFound'])
  })

  it('for a pending order', () => {
    expect(busyFloor().close(2)).toEqual({ rejected: 'orderNotHolding', details: { orderId: 2 } })
  })

  it('while the market is closed, however fresh the price', () => {
    const floor = busyFloor()
    floor.closeMarket('EURUSD')
    expect(floor.close(1)).toEqual({ rejected: 'marketClosed', details: { instrument: 'EURUSD' } })
  })

  it('on a price older than five seconds', () => {
    const floor = busyFloor()
    floor.wait(5_001)
    expect(floor.close(1)).toEqual({ rejected: 'stalePrice', details: { instrument: 'EURUSD' } })
  })

  it('in the order of the codes: not held before closed, closed before stale', () => {
    const floor = busyFloor()
    floor.closeMarket('EURUSD')
    floor.wait(5_001)
    expect(effects(floor.close(2))).toEqual(['refused orderNotHolding'])
    expect(effects(floor.close(1))).toEqual(['refused marketClosed'])
  })
})

describe('a close', () => {
  it('takes the price on the table, five seconds old at most', () => {
    const floor = busyFloor()
    floor.wait(5_000)
    expect(onlyEvent(floor.close(1), 'positionClosed')).toMatchObject({
      closePrice: priceOf('EURUSD', '1.38500'),
      profit: usd('-10'),
      receipt: { trigger: 'user', quoteSide: 'bid', slippage: 0, delayMs: 5_000, tick: { seq: 1 } },
    })
  })

  it('may end below zero where the price may go there', () => {
    const floor = demoFloor()
    floor.tick('WTI', '1.20', '1.23')
    floor.buy('WTI')
    floor.tick('WTI', '-37.63', '-37.00')
    // (-37.63 - 1.23) x 1,000
    expect(onlyEvent(floor.close(1), 'positionClosed').profit).toBe(usd('-38860'))
  })

  it('of an instrument that is open takes no notice of another that is closed', () => {
    const floor = busyFloor()
    floor.closeMarket('GBPUSD')
    expect(effects(floor.close(1))).toEqual(['1 positionClosed'])
  })
})

describe('a cancel', () => {
  it.each([
    ['an order that does not exist', 3, 1, 'orderNotFound'],
    ["another's order, as if it did not exist", 2, 2, 'orderNotFound'],
    ['a position', 1, 1, 'orderNotPending'],
  ] as const)('of %s is refused, and nothing changes', (_what, orderId, accountId, code) => {
    const floor = busyFloor()
    floor.openAccount()
    expect(floor.cancel(orderId, { accountId })).toEqual({ rejected: code, details: { orderId } })
  })

  it('works while the market is closed and the price stale', () => {
    const floor = busyFloor()
    floor.closeMarket('EURUSD')
    floor.wait(86_400_000)
    expect(onlyEvent(floor.cancel(2), 'orderCancelled')).toMatchObject({
      orderId: 2,
      reason: 'cancelledByUser',
      receipt: { action: 'cancel', trigger: 'user', requestedPrice: priceOf('EURUSD', '1.39000') },
    })
  })

  it('wins over a trigger that comes after it, and loses to one that came before', () => {
    const floor = busyFloor()
    floor.cancel(2)
    expect(effects(floor.tick('EURUSD', '1.39000', '1.39010'))).toEqual([])
    floor.sell('EURUSD', { target: '1.40000' })
    floor.tick('EURUSD', '1.40000', '1.40010')
    expect(effects(floor.cancel(3))).toEqual(['refused orderNotPending'])
  })
})

describe('a demo reset', () => {
  it('is refused to a real account', () => {
    const floor = openFloor()
    floor.openAccount('real')
    expect(effects(floor.reset())).toEqual(['refused demoOnly'])
  })

  it('is refused to an account that does not exist', () => {
    expect(effects(openFloor().reset())).toEqual(['refused accountNotFound'])
  })

  it('ends everything without a fill or a result, and restores the balance by one transfer', () => {
    const floor = busyFloor()
    floor.tick('EURUSD', '1.30000', '1.30010')
    const outcome = floor.reset()
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
    expect(figures(floor)).toMatchObject({
      balance: usd('100000'),
      margin: 0n,
      reserved: 0n,
      free: usd('100000'),
    })
    expect(floor.state.orders.size).toBe(0)
    expect([...floor.core.triggers.all()]).toEqual([])
  })

  it('takes what was won back', () => {
    const floor = busyFloor()
    floor.tick('EURUSD', '1.39000', '1.39010')
    floor.close(1)
    floor.reset()
    expect(figures(floor).balance).toBe(usd('100000'))
  })

  it('works while a market is closed, and on a balance below zero', () => {
    const floor = demoFloor({ settings: { demoBalance: usd('30000') } })
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.buy('EURUSD', { lots: '2', leverage: 30 })
    floor.buy('EURUSD', { lots: '2', leverage: 30 })
    floor.tick('EURUSD', '1.18510', '1.18520')
    floor.close(1)
    expect(figures(floor).balance).toBeLessThan(0n)
    floor.closeMarket('EURUSD')
    floor.reset()
    expect(figures(floor)).toMatchObject({ balance: usd('30000'), profit: 0n })
  })

  it('of an untouched account moves no money', () => {
    const outcome = demoFloor().reset()
    expect('entry' in outcome && outcome.entry.events).toMatchObject([{ type: 'demoReset', transfers: [] }])
    expect('postings' in outcome && outcome.postings).toEqual([])
  })

  it("leaves everybody else's orders alone", () => {
    const floor = busyFloor()
    floor.openAccount()
    floor.buy('EURUSD', { accountId: 2 })
    floor.reset({ accountId: 2 })
    expect([...floor.state.orders.keys()]).toEqual([1, 2])
  })

  it('restores the balance of today when the setting has changed', () => {
    const floor = busyFloor()
    floor.state.settings = { ...floor.state.settings, demoBalance: usd('5000') }
    floor.reset()
    expect(figures(floor).balance).toBe(usd('5000'))
  })
})

it('every command carries its own time: nothing looks at a clock', () => {
  const floor = busyFloor()
  expect(floor.journal.map(({ at }) => at)).toEqual([START, START, START])
})
