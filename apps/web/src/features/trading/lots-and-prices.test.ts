import { lots, price } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { firstPrice, firstStop, lotDecimals, lotText, nextPrice, priceStep } from './lots-and-prices.ts'
import { eurusd } from './ticket/ticket.fixture.ts'

it('writes lots with the digits of their step', () => {
  expect(lotText(lots(1000), lots(100))).toBe('0.10')
  expect(lotText(lots(20_000), lots(10_000))).toBe('2')
  expect(lotText(lots(5), lots(1))).toBe('0.0005')
  expect(lotDecimals(lots(500))).toBe(2)
})

it('never rounds a size that is off its step', () => {
  expect(lotText(lots(150), lots(100))).toBe('0.0150')
})

describe('the step of a price', () => {
  it('is a pip for EUR/USD, 20 cents for gold, 5 dollars for bitcoin', () => {
    expect(priceStep(price(108_472))).toBe(10)
    expect(priceStep(price(234_185))).toBe(20)
    expect(priceStep(price(6_712_040))).toBe(500)
  })

  it('is never less than a tick', () => {
    expect(priceStep(price(3))).toBe(1)
    expect(priceStep(price(0))).toBe(1)
  })
})

const around = { instrument: eurusd, reference: price(108_470) }

describe('pressing a price stepper', () => {
  it('starts an empty field 0.2 % from the market, on the side of the press', () => {
    expect(firstPrice(1, around)).toBe(108_670)
    expect(firstPrice(-1, around)).toBe(108_270)
  })

  it('never starts nearer than the minimum stop distance', () => {
    const wide = { ...around, instrument: { ...eurusd, minStopDistance: price(900) } }
    expect(firstPrice(1, wide)).toBe(110_270)
  })

  it('moves a step at a time on the grid', () => {
    expect(nextPrice(price(108_270), 1, around)).toBe(108_280)
    expect(nextPrice(price(108_270), -1, around)).toBe(108_260)
  })

  it('does not pass zero where the instrument has no negative prices', () => {
    const near = { ...around, reference: price(108_475) }
    expect(nextPrice(price(4), -1, near)).toBe(0)
    const free = { ...near, instrument: { ...eurusd, allowsNegativePrice: true } }
    expect(nextPrice(price(0), -1, free)).toBe(-10)
    expect(nextPrice(price(0), -1, near)).toBe(0)
  })

  it('moves a typed price to the next price of the grid', () => {
    expect(nextPrice(price(108_273), 1, around)).toBe(108_280)
    expect(nextPrice(price(108_273), -1, around)).toBe(108_270)
  })
})

describe('the first price of a stop', () => {
  it.each([
    ['stopLoss', 'buy', 108_270],
    ['takeProfit', 'buy', 108_670],
    ['stopLoss', 'sell', 108_670],
    ['takeProfit', 'sell', 108_270],
  ] as const)('%s of a %s is %i', (name, side, at) => {
    expect(firstStop(name, side, around)).toBe(at)
  })
})
