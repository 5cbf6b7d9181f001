import { describe, expect, it } from 'vitest'
import { demoFloor, figures, type Floor } from '../../scenarios/floor.ts'
import { instrumentOf, usd } from '../../scenarios/market.ts'
import { conversionOf, figuresOf, floatingProfit, withdrawable } from './account-figures.ts'
import { money } from '../money/number.ts'
import type { Order } from '../orders/order.ts'

const orderOf = (floor: Floor, id: number): Order => {
  const order = floor.state.orders.get(id)
  if (!order) throw new Error(`no order ${id}`)
  return order
}

describe('the figures of an account', () => {
  it('without orders are its balance alone, with no level to speak of', () => {
    expect(figures(demoFloor())).toEqual({
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
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.tick('XAUUSD', '1293.47', '1293.78')
    floor.buy('EURUSD', { leverage: 10 })
    floor.sell('EURUSD', { leverage: 10, lots: '0.5' })
    floor.sell('XAUUSD', { leverage: 10 })
    floor.tick('EURUSD', '1.38700', '1.38710')
    floor.tick('XAUUSD', '1290.00', '1290.30')
    // fees 13.851 + 6.925 + 12.9347; 190 - 105 + 317 of open profit; margins 13,851 + 6,925 + 12,934.7
    expect(figures(floor)).toEqual({
      balance: usd('99966.2893'),
      profit: usd('402'),
      equity: usd('100368.2893'),
      margin: usd('33710.7'),
      reserved: 0n,
      free: usd('66657.5893'),
      level: { numerator: usd('100368.2893'), denominator: usd('33710.7') },
    })
    expect([1, 2, 3].map((id) => floatingProfit(floor.state, orderOf(floor, id)))).toEqual([
      usd('190'),
      usd('-105'),
      usd('317'),
    ])
  })

  it('round the profit once per instrument, not once per order', () => {
    const floor = demoFloor()
    floor.tick('USDJPY', '150.000', '150.000')
    for (let count = 0; count < 3; count++) floor.buy('USDJPY', { lots: '0.01' })
    floor.tick('USDJPY', '150.001', '150.001')
    // 0.001 x 1,000 / 150.001 = 0.00666662222… an order; three make 0.01999986666…
    expect(floatingProfit(floor.state, orderOf(floor, 1))).toBe(usd('0.006667'))
    expect(figures(floor).profit).toBe(usd('0.02'))
    floor.tick('USDJPY', '150.010', '150.010')
    // 0.01 x 1,000 / 150.010 = 0.0666622225…; three make 0.1999866675…, not 3 x 0.066662 = 0.199986
    expect(floatingProfit(floor.state, orderOf(floor, 1))).toBe(usd('0.066662'))
    expect(figures(floor).profit).toBe(usd('0.199987'))
  })

  it('round fixed mode positions once per instrument too, whatever they opened at', () => {
    const floor = demoFloor()
    floor.tick('FIXED', '3.00', '3.00')
    floor.buy('FIXED', { lots: '0.01', leverage: 1 })
    floor.tick('FIXED', '7.00', '7.00')
    floor.buy('FIXED', { lots: '0.01', leverage: 1 })
    floor.tick('FIXED', '7.10', '7.10')
    // 10 x 4.1 / 3 = 13.6666…; 10 x 0.1 / 7 = 0.142857142…; together 13.80952380…
    expect(figures(floor).profit).toBe(usd('13.809524'))
  })

  it('convert at the rate of now, not at that of the opening', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.08500', '1.08500')
    floor.tick('GER40', '18350.0', '18350.0')
    floor.buy('GER40', { leverage: 20 })
    floor.tick('GER40', '18450.0', '18450.0')
    expect(figures(floor).profit).toBe(usd('108.5'))
    floor.tick('EURUSD', '1.20000', '1.20000')
    expect(figures(floor)).toMatchObject({ profit: usd('120'), margin: usd('995.4875') })
  })

  it('count a position as nothing until it has a price', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.08500', '1.08500')
    floor.tick('GER40', '18350.0', '18350.0')
    floor.buy('GER40')
    floor.tick('GER40', '18450.0', '18450.0')
    floor.state.quotes.delete(instrumentOf('EURUSD').id)
    expect([figures(floor).profit, floatingProfit(floor.state, orderOf(floor, 1))]).toEqual([0n, null])
  })

  it('show a pending order no floating profit', () => {
    const floor = demoFloor()
    floor.tick('EURUSD', '1.38500', '1.38510')
    floor.buy('EURUSD', { target: '1.38000' })
    expect(floatingProfit(floor.state, orderOf(floor, 1))).toBeNull()
  })
})

describe('the floating profit', () => {
  it('is what a close would book', () => {
    const floor = demoFloor()
    floor.tick('USDJPY', '151.196', '151.204')
    floor.buy('USDJPY')
    floor.sell('USDJPY')
    floor.tick('USDJPY', '151.300', '151.308')
    for (const id of [1, 2]) {
      const shown = floatingProfit(floor.state, orderOf(floor, id))
      const closed = floor.close(id)
      expect('entry' in closed && closed.entry.events).toMatchObject([{ profit: shown }])
    }
  })
})

describe('opening at an unchanged price', () => {
  it.each(['EURUSD', 'USDJPY', 'FIXED'])('never raises what is free (%s)', (code) => {
    const floor = demoFloor()
    const prices = code === 'USDJPY' ? (['151.196', '151.204'] as const) : (['1.38', '1.39'] as const)
    floor.tick(code, prices[0], prices[1])
    let free = figures(floor).free
    for (const side of ['buy', 'sell', 'buy'] as const) {
      floor[side](code, { lots: '0.5' })
      expect(figures(floor).free).toBeLessThan(free)
      free = figures(floor).free
    }
  })
})

describe('money that may leave', () => {
  const base = figures(demoFloor())
  const worth = (balance: string, free: string) =>
    withdrawable({ ...base, balance: usd(balance), free: usd(free) })

  it('is the balance while floating profit stands above it', () => {
    expect(worth('100', '150')).toBe(usd('100'))
  })

  it('is what is free while margin or losses hold the rest', () => {
    expect(worth('100', '30')).toBe(usd('30'))
  })

  it('is never below zero', () => {
    expect([worth('100', '-1'), worth('-5', '20')]).toEqual([0n, 0n])
  })
})

describe('the conversion of an instrument', () => {
  it('is none in fixed margin mode', () => {
    const floor = demoFloor()
    expect(conversionOf(floor.state, instrumentOf('FIXEDJPY'))).toEqual({
      rate: { numerator: 1n, denominator: 1n },
      quotes: [],
    })
  })

  it('is unknown for an instrument that leads nowhere, or that is not there', () => {
    const floor = demoFloor()
    expect(conversionOf(floor.state, instrumentOf('LONELY'))).toBeNull()
    expect(conversionOf(floor.state, { ...instrumentOf('EURUSD'), id: 999 })).toBeNull()
  })
})

it('a level is a fraction: it is compared by multiplying across', () => {
  const floor = demoFloor()
  floor.tick('EURUSD', '1.38500', '1.38510')
  floor.buy('EURUSD', { leverage: 30 })
  const account = floor.state.accounts.get(1)
  const level = account && figuresOf(floor.state, account).level
  expect(level).toEqual({ numerator: money(99_985_383_000n), denominator: money(4_617_000_000n) })
})
