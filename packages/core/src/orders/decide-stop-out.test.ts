import { describe, expect, it } from 'vitest'
import {
  effects,
  figures,
  snapshotOf,
  riskyHarness,
  type Harness,
  type Wish,
} from '../../scenarios/harness.ts'
import { instrumentOf, priceOf, usd } from '../../scenarios/market.ts'
import type { Event } from '../model/event.ts'
import { balanceOf, brokerAccountOf } from '../model/ledger.ts'
import { money } from '../model/number.ts'

/** One account of 5,005 that has bought a lot of euros at 1.00000 with a margin of 5,000: its balance is 5,000. */
function euroHarness(): Harness {
  const harness = riskyHarness('5005')
  harness.tick('EURUSD', '1.00000', '1.00000')
  harness.buy('EURUSD', { leverage: 20 })
  expect(figures(harness)).toMatchObject({ balance: usd('5000'), margin: usd('5000') })
  return harness
}

const eventsOf = (outcome: ReturnType<Harness['send']>): readonly Event[] =>
  'entry' in outcome ? outcome.entry.events : []

describe('an account is stopped out at 50 % of its margin', () => {
  // 2,500 of 5,000 are left after a loss of 0.02500 x 100,000.
  it.each([
    ['just above', '0.97501', []],
    ['at', '0.97500', ['1 positionClosed']],
    ['just below', '0.97499', ['1 positionClosed']],
  ])('%s it: %s', (_where, bid, expected) => {
    expect(effects(euroHarness().tick('EURUSD', bid, bid))).toEqual(expected)
  })

  it('exactly to the millionth', () => {
    const missing = (millionths: bigint) => {
      const harness = euroHarness()
      const { available } = harness.state.accounts.get(1) ?? {}
      if (available) available.balance = money(available.balance + millionths)
      const brokerAccount = balanceOf(harness.state.ledger, brokerAccountOf('demo', 'demoIssue'))
      brokerAccount.balance = money(brokerAccount.balance - millionths)
      return effects(harness.tick('EURUSD', '0.97500', '0.97500'))
    }
    expect([missing(1n), missing(0n), missing(-1n)]).toEqual([[], ['1 positionClosed'], ['1 positionClosed']])
  })

  it('at the price of the tick, with a receipt that says so', () => {
    const harness = euroHarness()
    const [closed] = eventsOf(harness.tick('EURUSD', '0.97000', '0.97020'))
    expect(closed).toMatchObject({
      type: 'positionClosed',
      reason: 'stopOut',
      closePrice: priceOf('EURUSD', '0.97000'),
      profit: usd('-3000'),
      receipt: {
        action: 'close',
        trigger: 'stopOut',
        quoteSide: 'bid',
        requestedPrice: priceOf('EURUSD', '0.97000'),
        slippage: 0,
        tick: { seq: 2 },
      },
      transfers: [
        { debit: 'available:1', credit: 'house:demo:trading', amount: usd('3000'), kind: 'result' },
      ],
    })
  })

  it('for a sell position at the ask of a rising price', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.sell('EURUSD', { leverage: 20 })
    expect(effects(harness.tick('EURUSD', '1.02000', '1.02499'))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.02000', '1.02500'))).toEqual(['1 positionClosed'])
  })

  it('only while it uses margin', () => {
    const harness = riskyHarness('5005')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20, target: '0.90000' })
    expect(effects(harness.tick('EURUSD', '0.95000', '0.95000'))).toEqual([])
  })

  it('at the level of the setting', () => {
    const harness = riskyHarness('5005', { stopOutLevel: 80 })
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    expect(effects(harness.tick('EURUSD', '0.99001', '0.99001'))).toEqual([])
    expect(effects(harness.tick('EURUSD', '0.99000', '0.99000'))).toEqual(['1 positionClosed'])
  })
})

/** Buys `lots` of each at 1.00000 with leverage 20, from an account of 10,000. */
function ladder(...wishes: Wish[]): Harness {
  const harness = riskyHarness('10000')
  harness.tick('EURUSD', '1.00000', '1.00000')
  for (const wish of wishes) harness.buy('EURUSD', { leverage: 20, ...wish })
  return harness
}

describe('pending orders end before any position does', () => {
  it('newest first, although that does not change the level', () => {
    const harness = ladder(
      { lots: '0.1', target: '0.80000' },
      { lots: '1.7' },
      { lots: '0.1', target: '1.20000' },
    )
    harness.sell('GBPUSD', { lots: '0.01', target: '2.00000' })
    harness.tick('GBPUSD', '1.60000', '1.60000')
    harness.sell('GBPUSD', { lots: '0.01', target: '2.00000' })
    const outcome = harness.tick('EURUSD', '0.96000', '0.96000')
    expect(effects(outcome)).toEqual([
      '4 orderCancelled',
      '3 orderCancelled',
      '1 orderCancelled',
      '2 positionClosed',
    ])
    expect(eventsOf(outcome)[0]).toMatchObject({
      reason: 'stopOut',
      receipt: { action: 'cancel', trigger: 'stopOut', requestedPrice: priceOf('GBPUSD', '2.00000') },
    })
    expect(figures(harness).reserved).toBe(0n)
  })
})

describe('positions are closed one by one', () => {
  it('largest loss first, until the level is above', () => {
    // Margins 1,000, 3,000 and 4,000; fees 8; all bought at 1.00000.
    const harness = ladder({ lots: '0.2' }, { lots: '0.6' }, { lots: '0.8' })
    // 160,000 euros lose 6,400: 3,592 of 8,000. Without the third 4,000 are held: 89.8 %.
    expect(effects(harness.tick('EURUSD', '0.96000', '0.96000'))).toEqual(['3 positionClosed'])
    expect(figures(harness)).toMatchObject({ margin: usd('4000'), equity: usd('3592'), profit: usd('-3200') })
  })

  it('all of them if necessary', () => {
    const harness = ladder({ lots: '0.2' }, { lots: '0.6' }, { lots: '0.8' })
    expect(effects(harness.tick('EURUSD', '0.94000', '0.94000'))).toEqual([
      '3 positionClosed',
      '2 positionClosed',
      '1 positionClosed',
    ])
    // 10,000 - 8 - 9,600
    expect(figures(harness)).toMatchObject({ balance: usd('392'), margin: 0n })
  })

  it('of equal losses the older first', () => {
    const harness = ladder({ lots: '0.5' }, { lots: '0.5' }, { lots: '0.5' })
    // 9,992.5 less 6,450 of 7,500; then 7,842.5 less 5,400 of 5,000.
    expect(effects(harness.tick('EURUSD', '0.95700', '0.95700'))).toEqual(['1 positionClosed'])
    expect(effects(harness.tick('EURUSD', '0.94600', '0.94600'))).toEqual(['2 positionClosed'])
  })

  it('completely, never in part', () => {
    const harness = euroHarness()
    harness.tick('EURUSD', '0.97500', '0.97500')
    expect(harness.state.orders.size).toBe(0)
  })

  it('profitable ones last, the smallest profit first', () => {
    const harness = riskyHarness('10000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.tick('GBPUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20, lots: '1' })
    harness.buy('GBPUSD', { leverage: 20, lots: '0.5' })
    harness.buy('GBPUSD', { leverage: 20, lots: '0.3' })
    harness.tick('GBPUSD', '1.00100', '1.00100')
    // The euro loses everything; the remaining margin is below 50 % as well.
    expect(effects(harness.tick('EURUSD', '0.90500', '0.90500'))).toEqual([
      '1 positionClosed',
      '3 positionClosed',
      '2 positionClosed',
    ])
  })
})

describe('a hedged account', () => {
  it('is stopped out by a wide spread', () => {
    const harness = riskyHarness('10010')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.sell('EURUSD', { leverage: 20, lots: '0.9' })
    harness.tick('EURUSD', '0.95000', '0.95000')
    harness.tick('EURUSD', '1.05000', '1.05000')
    expect(harness.state.orders.size).toBe(2)
    // Margins 9,500, level at 4,750. Balance 10,000.5: a spread of 0.05 costs the long 4,500 and the short 450.
    expect(effects(harness.tick('EURUSD', '0.95500', '1.00500'))).toEqual([])
    expect(effects(harness.tick('EURUSD', '0.95199', '1.00500'))).toEqual(['1 positionClosed'])
  })

  it('may lose its profitable half when that is left', () => {
    const harness = riskyHarness('10010')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20 })
    harness.sell('EURUSD', { leverage: 20, lots: '0.9' })
    // At 0.45 the buy has lost 55,000 and the sell gained 49,500: equity 4,500.5 of 9,500. The buy is closed, and
    // then -44,999.5 + 49,500 are enough for the sell's margin of 4,500.
    const outcome = harness.tick('EURUSD', '0.45000', '0.45000')
    expect(effects(outcome)).toEqual(['1 positionClosed'])
    expect(figures(harness)).toMatchObject({ balance: usd('-44999.5'), equity: usd('4500.5') })
  })
})

describe('a balance below zero', () => {
  it('is raised to zero by a separate transfer with the last position', () => {
    const harness = euroHarness()
    const [closed] = eventsOf(harness.tick('EURUSD', '0.90000', '0.90000'))
    expect(closed).toMatchObject({
      transfers: [
        { debit: 'available:1', amount: usd('10000'), kind: 'result', orderId: 1 },
        {
          debit: 'house:demo:protection',
          credit: 'available:1',
          amount: usd('5000'),
          kind: 'protection',
          orderId: 1,
        },
      ],
    })
    expect(figures(harness)).toMatchObject({ balance: 0n, equity: 0n, margin: 0n })
  })

  it('also after a weekend gap', () => {
    const harness = euroHarness()
    harness.closeMarket('EURUSD')
    harness.wait(2 * 86_400_000)
    harness.openMarket('EURUSD')
    const [closed] = eventsOf(harness.tick('EURUSD', '0.70000', '0.70000'))
    expect(closed).toMatchObject({ profit: usd('-30000'), reason: 'stopOut' })
    expect(figures(harness).balance).toBe(0n)
  })

  it('is raised only once', () => {
    const harness = ladder({ lots: '0.8' }, { lots: '0.8' })
    const outcome = harness.tick('EURUSD', '0.80000', '0.80000')
    const kinds = 'postings' in outcome ? outcome.postings.map(({ kind, amount }) => [kind, amount]) : []
    expect(kinds).toEqual([
      ['result', usd('16000')],
      ['result', usd('16000')],
      ['protection', usd('22008')],
    ])
    expect(figures(harness).balance).toBe(0n)
  })

  it('stays while another position cannot be closed', () => {
    const harness = riskyHarness('10000')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.tick('GBPUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20, lots: '1' })
    harness.buy('GBPUSD', { leverage: 20, lots: '0.5' })
    harness.closeMarket('GBPUSD')
    expect(effects(harness.tick('EURUSD', '0.85000', '0.85000'))).toEqual(['1 positionClosed'])
    expect(figures(harness).balance).toBeLessThan(0n)
    harness.openMarket('GBPUSD')
    expect(effects(harness.tick('GBPUSD', '1.00000', '1.00000'))).toEqual(['2 positionClosed'])
    expect(figures(harness).balance).toBe(0n)
  })
})

describe('profits in another currency', () => {
  it('are converted at the pair', () => {
    // A DAX lot of 10,000 EUR at 1.20000: margin 600, fee 0.6, balance 600.
    const harness = riskyHarness('600.60')
    harness.tick('EURUSD', '1.20000', '1.20000')
    harness.tick('GER40', '10000.0', '10000.0')
    harness.buy('GER40', { leverage: 20 })
    // 300 may be lost: 250 EUR.
    expect(effects(harness.tick('GER40', '9750.1', '9750.1'))).toEqual([])
    expect(effects(harness.tick('GER40', '9750.0', '9750.0'))).toEqual(['1 positionClosed'])
  })

  it("weigh more at a higher rate: the pair's tick alone stops an account out, if the index is fresh", () => {
    const harness = riskyHarness('600.60')
    harness.tick('EURUSD', '1.20000', '1.20000')
    harness.tick('GER40', '10000.0', '10000.0')
    harness.buy('GER40', { leverage: 20 })
    harness.tick('GER40', '9760.0', '9760.0')
    expect(effects(harness.tick('EURUSD', '1.24999', '1.24999'))).toEqual([])
    const [closed] = eventsOf(harness.tick('EURUSD', '1.25000', '1.25000'))
    expect(closed).toMatchObject({
      closePrice: priceOf('GER40', '9760.0'),
      profit: usd('-300'),
      receipt: { tick: { instrumentId: instrumentOf('GER40').id }, conversion: [{ seq: 3 }] },
    })
  })

  it('wait while the pair is stale and its market open', () => {
    const harness = riskyHarness('600.60')
    harness.tick('EURUSD', '1.20000', '1.20000')
    harness.tick('GER40', '10000.0', '10000.0')
    harness.buy('GER40', { leverage: 20 })
    harness.wait(5_001)
    expect(effects(harness.tick('GER40', '9700.0', '9700.0'))).toEqual([])
    expect(effects(harness.tick('EURUSD', '1.20000', '1.20000'))).toEqual(['1 positionClosed'])
  })

  it('use the last rate of a pair whose market is closed', () => {
    const harness = riskyHarness('600.60')
    harness.tick('EURUSD', '1.20000', '1.20000')
    harness.tick('GER40', '10000.0', '10000.0')
    harness.buy('GER40', { leverage: 20 })
    harness.closeMarket('EURUSD')
    harness.wait(86_400_000)
    expect(effects(harness.tick('GER40', '9750.0', '9750.0'))).toEqual(['1 positionClosed'])
  })

  it('through the inverse of a pair', () => {
    // 100,000 EURCHF at 1.20000 and USDCHF 0.80000: margin 120,000 / 0.8 / 20 = 7,500, fee 7.5.
    const harness = riskyHarness('7507.50')
    harness.tick('USDCHF', '0.80000', '0.80000')
    harness.tick('EURCHF', '1.20000', '1.20000')
    harness.buy('EURCHF', { leverage: 20 })
    // 3,750 USD are 3,000 CHF: 0.03.
    expect(effects(harness.tick('EURCHF', '1.17001', '1.17001'))).toEqual([])
    expect(effects(harness.tick('EURCHF', '1.17000', '1.17000'))).toEqual(['1 positionClosed'])
  })

  it('where the traded pair is also the conversion pair', () => {
    // 100,000 USDJPY: margin 100,000 / 20 = 5,000, fee 5, whatever the price.
    const harness = riskyHarness('5005')
    harness.tick('USDJPY', '100.000', '100.000')
    harness.buy('USDJPY', { leverage: 20 })
    // (p - 100) x 100,000 / p = -2,500 at p = 97.5609756…: at 97.561 the loss is 2,499.97…, at 97.560 2,501.02…
    expect(effects(harness.tick('USDJPY', '97.561', '97.561'))).toEqual([])
    expect(effects(harness.tick('USDJPY', '97.560', '97.560'))).toEqual(['1 positionClosed'])
  })
})

describe('in fixed margin mode', () => {
  it('the exposure is the margin times the leverage', () => {
    // Margin 1,000, fee 1; 20,000 of exposure: 500 are 2.5 % of the price.
    const harness = riskyHarness('1001')
    harness.tick('FIXED', '100.00', '100.00')
    harness.buy('FIXED', { leverage: 20 })
    expect(effects(harness.tick('FIXED', '97.51', '97.51'))).toEqual([])
    expect(effects(harness.tick('FIXED', '97.50', '97.50'))).toEqual(['1 positionClosed'])
  })
})

describe('where prices may be negative', () => {
  it('a fall continues below zero', () => {
    const harness = riskyHarness('100000')
    harness.tick('WTI', '10.00', '10.00')
    harness.buy('WTI', { lots: '9', leverage: 1 })
    // Balance 99,910, margin 90,000: 54,910 may go, 6.10111… a barrel.
    expect(effects(harness.tick('WTI', '3.90', '3.90'))).toEqual([])
    const [closed] = eventsOf(harness.tick('WTI', '-37.63', '-37.00'))
    expect(closed).toMatchObject({ closePrice: priceOf('WTI', '-37.63'), profit: usd('-428670') })
    expect(figures(harness).balance).toBe(0n)
  })
})

describe('on one tick', () => {
  it('stops come first, then pending orders, then stop-outs by account id', () => {
    const harness = riskyHarness('5005')
    for (let count = 0; count < 3; count += 1) harness.openAccount()
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { accountId: 4, leverage: 20 })
    harness.buy('EURUSD', { accountId: 2, lots: '0.5', target: '0.98000' })
    harness.buy('EURUSD', { accountId: 3, leverage: 20, stopLoss: '0.97600' })
    harness.buy('EURUSD', { accountId: 1, leverage: 20 })
    const outcome = harness.tick('EURUSD', '0.97500', '0.97500')
    expect(effects(outcome)).toEqual([
      '3 positionClosed',
      '2 positionOpened',
      '4 positionClosed',
      '1 positionClosed',
    ])
    expect(eventsOf(outcome).map((event) => 'reason' in event && event.reason)).toEqual([
      'stopLoss',
      false,
      'stopOut',
      'stopOut',
    ])
  })

  it('a stop loss may spare an account the stop-out', () => {
    const harness = ladder({ lots: '0.8', stopLoss: '0.96100' }, { lots: '0.8' })
    expect(effects(harness.tick('EURUSD', '0.96000', '0.96000'))).toEqual(['1 positionClosed'])
    expect(harness.state.orders.has(2)).toBe(true)
  })

  it('a position opened by this tick is checked as well', () => {
    const harness = riskyHarness('4700')
    harness.tick('EURUSD', '1.00000', '1.00000')
    harness.buy('EURUSD', { leverage: 20, lots: '0.9', target: '0.99000' })
    // 4,455 of margin and 4.455 of fee are there, but the spread takes 0.03 x 90,000 = 2,700 at once.
    expect(effects(harness.tick('EURUSD', '0.96000', '0.99000'))).toEqual([
      '1 positionOpened',
      '1 positionClosed',
    ])
  })

  it('an account is stopped out once, and not again', () => {
    const harness = euroHarness()
    harness.tick('EURUSD', '0.97500', '0.97500')
    const before = snapshotOf(harness.core)
    expect(effects(harness.tick('EURUSD', '0.90000', '0.90000'))).toEqual([])
    expect(snapshotOf(harness.core)).toEqual(before)
  })
})

it('an account is watched by its current positions', () => {
  const harness = riskyHarness('100000')
  harness.tick('EURUSD', '1.00000', '1.00000')
  harness.buy('EURUSD', { leverage: 20, lots: '10' })
  harness.buy('EURUSD', { leverage: 20, lots: '8' })
  // 99,910 - 45,000 may go of 18 lots: 0.03050…
  harness.close(2)
  expect(effects(harness.tick('EURUSD', '0.96000', '0.96000'))).toEqual([])
  expect(effects(harness.tick('EURUSD', '0.92509', '0.92509'))).toEqual(['1 positionClosed'])
})

it('a stop-out is restored from the journal', () => {
  const harness = ladder({ lots: '0.2' }, { lots: '0.6' }, { lots: '0.8' }, { lots: '0.01', target: '0.5' })
  harness.tick('EURUSD', '0.96000', '0.96000')
  harness.tick('EURUSD', '0.60000', '0.60000')
  expect(snapshotOf(harness.replayed())).toEqual(snapshotOf(harness.core))
})
