import { describe, expect, it } from 'vitest'
import { demoHarness, figures, type Harness } from '../../scenarios/harness.ts'
import { instrumentOf, usd } from '../../scenarios/market.ts'
import { conversionOf, figuresOf, floatingProfit, withdrawable } from './account-figures.ts'
import { money } from '../model/number.ts'
import type { Order } from '../model/order.ts'

const orderOf = (harness: Harness, id: number): Order => {
  const order = harness.state.orders.get(id)
  if (!order) throw new Error(`no order ${id}`)
  return order
}

describe('the figures of an account', () => {
  it('without orders are its balance alone, without a margin level', () => {
    expect(figures(demoHarness())).toEqual({
      balance: usd('100000'),
      profit: 0n,
      equity: usd('100000'),
      margin: 0n,
      reserved: 0n,
      free: usd('100000'),
      level: null,
    })
  })

  it('add up positions on several instruments and sides, each closed at its own side', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.tick('XAUUSD', '1293.47', '1293.78')
    harness.buy('EURUSD', { leverage: 10 })
    harness.sell('EURUSD', { leverage: 10, lots: '0.5' })
    harness.sell('XAUUSD', { leverage: 10 })
    harness.tick('EURUSD', '1.38700', '1.38710')
    harness.tick('XAUUSD', '1290.00', '1290.30')
    // fees 13.851 + 6.925 + 12.9347; 190 - 105 + 317 of open profit; margins 13,851 + 6,925 + 12,934.7
    expect(figures(harness)).toEqual({
      balance: usd('99966.2893'),
      profit: usd('402'),
      equity: usd('100368.2893'),
      margin: usd('33710.7'),
      reserved: 0n,
      free: usd('66657.5893'),
      level: { numerator: usd('100368.2893'), denominator: usd('33710.7') },
    })
    expect([1, 2, 3].map((id) => floatingProfit(harness.state, orderOf(harness, id)))).toEqual([
      usd('190'),
      usd('-105'),
      usd('317'),
    ])
  })

  it('round the profit once per instrument, not once per order', () => {
    const harness = demoHarness()
    harness.tick('USDJPY', '150.000', '150.000')
    for (let count = 0; count < 3; count++) harness.buy('USDJPY', { lots: '0.01' })
    harness.tick('USDJPY', '150.001', '150.001')
    // 0.001 x 1,000 / 150.001 = 0.00666662222… an order; three make 0.01999986666…
    expect(floatingProfit(harness.state, orderOf(harness, 1))).toBe(usd('0.006667'))
    expect(figures(harness).profit).toBe(usd('0.02'))
    harness.tick('USDJPY', '150.010', '150.010')
    // 0.01 x 1,000 / 150.010 = 0.0666622225…; three make 0.1999866675…, not 3 x 0.066662 = 0.199986
    expect(floatingProfit(harness.state, orderOf(harness, 1))).toBe(usd('0.066662'))
    expect(figures(harness).profit).toBe(usd('0.199987'))
  })

  it('round fixed mode positions once per instrument too, whatever they opened at', () => {
    const harness = demoHarness()
    harness.tick('FIXED', '3.00', '3.00')
    harness.buy('FIXED', { lots: '0.01', leverage: 1 })
    harness.tick('FIXED', '7.00', '7.00')
    harness.buy('FIXED', { lots: '0.01', leverage: 1 })
    harness.tick('FIXED', '7.10', '7.10')
    // 10 x 4.1 / 3 = 13.6666…; 10 x 0.1 / 7 = 0.142857142…; together 13.80952380…
    expect(figures(harness).profit).toBe(usd('13.809524'))
  })

  it('convert at the rate of now, not at that of the opening', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.08500', '1.08500')
    harness.tick('GER40', '18350.0', '18350.0')
    harness.buy('GER40', { leverage: 20 })
    harness.tick('GER40', '18450.0', '18450.0')
    expect(figures(harness).profit).toBe(usd('108.5'))
    harness.tick('EURUSD', '1.20000', '1.20000')
    expect(figures(harness)).toMatchObject({ profit: usd('120'), margin: usd('995.4875') })
  })

  it('count a position as zero until it has a price', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.08500', '1.08500')
    harness.tick('GER40', '18350.0', '18350.0')
    harness.buy('GER40')
    harness.tick('GER40', '18450.0', '18450.0')
    harness.state.quotes.delete(instrumentOf('EURUSD').id)
    expect([figures(harness).profit, floatingProfit(harness.state, orderOf(harness, 1))]).toEqual([0n, null])
  })

  it('show a pending order no floating profit', () => {
    const harness = demoHarness()
    harness.tick('EURUSD', '1.38500', '1.38510')
    harness.buy('EURUSD', { target: '1.38000' })
    expect(floatingProfit(harness.state, orderOf(harness, 1))).toBeNull()
  })
})

describe('the floating profit', () => {
  it('is what a close would book', () => {
    const harness = demoHarness()
    harness.tick('USDJPY', '151.196', '151.204')
    harness.buy('USDJPY')
    harness.sell('USDJPY')
    harness.tick('USDJPY', '151.300', '151.308')
    for (const id of [1, 2]) {
      const shown = floatingProfit(harness.state, orderOf(harness, id))
      const closed = harness.close(id)
      expect('entry' in closed && closed.entry.events).toMatchObject([{ profit: shown }])
    }
  })
})

describe('opening at an unchanged price', () => {
  it.each(['EURUSD', 'USDJPY', 'FIXED'])('never raises the free margin (%s)', (code) => {
    const harness = demoHarness()
    const prices = code === 'USDJPY' ? (['151.196', '151.204'] as const) : (['1.38', '1.39'] as const)
    harness.tick(code, prices[0], prices[1])
    let free = figures(harness).free
    for (const side of ['buy', 'sell', 'buy'] as const) {
      harness[side](code, { lots: '0.5' })
      expect(figures(harness).free).toBeLessThan(free)
      free = figures(harness).free
    }
  })
})

describe('the withdrawable amount', () => {
  const base = figures(demoHarness())
  const worth = (balance: string, free: string) =>
    withdrawable({ ...base, balance: usd(balance), free: usd(free) })

  it('is the balance while there is a floating profit', () => {
    expect(worth('100', '150')).toBe(usd('100'))
  })

  it('is the free margin while margin or losses use the rest', () => {
    expect(worth('100', '30')).toBe(usd('30'))
  })

  it('is never below zero', () => {
    expect([worth('100', '-1'), worth('-5', '20')]).toEqual([0n, 0n])
  })
})

describe('the conversion of an instrument', () => {
  it('is none in fixed margin mode', () => {
    const harness = demoHarness()
    expect(conversionOf(harness.state, instrumentOf('FIXEDJPY'))).toEqual({
      rate: { numerator: 1n, denominator: 1n },
      quotes: [],
    })
  })

  it('is unknown for an unknown instrument or one that cannot be converted', () => {
    const harness = demoHarness()
    expect(conversionOf(harness.state, instrumentOf('LONELY'))).toBeNull()
    expect(conversionOf(harness.state, { ...instrumentOf('EURUSD'), id: 999 })).toBeNull()
  })
})

it('a level is a fraction: it is compared by multiplying across', () => {
  const harness = demoHarness()
  harness.tick('EURUSD', '1.38500', '1.38510')
  harness.buy('EURUSD', { leverage: 30 })
  const account = harness.state.accounts.get(1)
  const level = account && figuresOf(harness.state, account).level
  expect(level).toEqual({ numerator: money(99_985_383_000n), denominator: money(4_617_000_000n) })
})
