import { price } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { priceStep, steppedPrice } from './stop-steps.ts'
import { eurusd } from './ticket.fixture.ts'

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

describe('pressing a price stepper', () => {
  const market = { instrument: eurusd, quote: { bid: price(108_469), ask: price(108_475) } }

  it('starts an empty field 0.2 % above the ask, or below the bid', () => {
    expect(steppedPrice(null, 1, market)).toBe(108_670)
    expect(steppedPrice(null, -1, market)).toBe(108_270)
  })

  it('never starts nearer than stops may stand', () => {
    const wide = { ...market, instrument: { ...eurusd, minStopDistance: price(900) } }
    expect(steppedPrice(null, 1, wide)).toBe(110_270)
  })

  it('moves a step at a time on the grid', () => {
    expect(steppedPrice(price(108_270), 1, market)).toBe(108_280)
    expect(steppedPrice(price(108_270), -1, market)).toBe(108_260)
  })

  it('does not pass zero where the instrument has no negative prices', () => {
    expect(steppedPrice(price(4), -1, market)).toBe(0)
    const free = { ...market, instrument: { ...eurusd, allowsNegativePrice: true } }
    expect(steppedPrice(price(0), -1, free)).toBe(-10)
    expect(steppedPrice(price(0), -1, market)).toBe(0)
  })

  it('brings a typed price onto the grid without skipping a line of it', () => {
    expect(steppedPrice(price(108_273), 1, market)).toBe(108_280)
    expect(steppedPrice(price(108_273), -1, market)).toBe(108_270)
  })
})
