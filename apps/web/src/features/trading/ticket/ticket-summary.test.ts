import { money, price, ratio } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { accountOf, dependenciesOf, pricedAccount } from '../account-snapshot.ts'
import { mostLots } from './ticket-summary.ts'
import { eurusd, terms, ticket } from './ticket.fixture.ts'
import { workOutTicket } from './work-out-ticket.ts'

const summarise = (...entered: Parameters<typeof workOutTicket>) => workOutTicket(...entered).summary
const most = (...[state, given]: Parameters<typeof workOutTicket>) =>
  mostLots(summarise(state, given), state, given)

describe('the cost of an order', () => {
  it('is margin at the opening price of the side, and a part of it as fee', () => {
    const { buy, sell } = summarise(ticket(), terms())
    // 0.10 x 100,000 x 1.08475 / 30 = 361.583333; 0.001 of it = 0.361583
    expect(buy.cost).toEqual({ margin: 361_583_333n, fee: 361_583n, total: 361_944_916n })
    // 0.10 x 100,000 x 1.08469 / 30 = 361.563333
    expect(sell.cost?.margin).toBe(361_563_333n)
  })

  it('is quoted as the dearer of the two sides', () => {
    const summary = summarise(ticket(), terms())
    expect(summary.cost).toEqual(summary.buy.cost)
  })

  it('converts from the quote currency at the exact rate', () => {
    const rate = { numerator: 2n, denominator: 300n }
    expect(summarise(ticket(), terms({ rate })).buy.cost?.margin).toBe(2_410_556n)
  })

  it('takes a fixed fee by lots', () => {
    const instrument = { ...eurusd, feeRate: ratio(5_000_000) }
    expect(summarise(ticket(), terms({ instrument, feeType: 'fixed' })).buy.cost?.fee).toBe(500_000n)
  })

  it('is unknown while lots, leverage, price or rate is missing', () => {
    expect(summarise(ticket({ lots: '' }), terms()).cost).toBeNull()
    expect(summarise(ticket({ lots: 'abc' }), terms()).cost).toBeNull()
    expect(summarise(ticket({ leverage: null }), terms()).cost).toBeNull()
    expect(summarise(ticket(), terms({ quote: null })).cost).toBeNull()
    expect(summarise(ticket(), terms({ rate: null })).cost).toBeNull()
  })

  it('is affordable up to the last millionth of the available prepayment', () => {
    expect(summarise(ticket(), terms({ available: money(361_944_916n) })).isAffordable).toBe(true)
    expect(summarise(ticket(), terms({ available: money(361_944_915n) })).isAffordable).toBe(false)
  })

  it('asks nothing of a visitor', () => {
    expect(summarise(ticket({ lots: '100' }), terms({ available: null })).isAffordable).toBe(true)
  })
})

describe('a pending order', () => {
  const pending = (target: string) => summarise(ticket({ mode: 'pending', target }), terms())

  it('is a limit for the side it is better for and a stop for the other', () => {
    expect(pending('1.08').buy.kind).toBe('limit')
    expect(pending('1.08').sell.kind).toBe('stop')
    expect(pending('1.09').buy.kind).toBe('stop')
    expect(pending('1.09').sell.kind).toBe('limit')
  })

  it('costs by its target, the same on both sides', () => {
    const { buy, sell } = pending('1.08')
    expect(buy.price).toBe(108_000)
    expect(buy.cost?.margin).toBe(360_000_000n)
    expect(sell.cost).toEqual(buy.cost)
  })

  it('costs nothing known before its target is', () => {
    expect(pending('').cost).toBeNull()
  })

  it('has no say in a market order: a target left behind is ignored', () => {
    expect(summarise(ticket({ target: '1.2' }), terms()).buy).toMatchObject({
      kind: 'market',
      price: 108_475,
    })
  })
})

describe('what the stops would bring', () => {
  it('counts from the opening price of the side', () => {
    const { buy, sell } = summarise(ticket({ stopLoss: '1.08', takeProfit: '1.09' }), terms())
    expect(buy.atStopLoss).toBe(-47_500_000n)
    expect(buy.atTakeProfit).toBe(52_500_000n)
    expect(sell.atStopLoss).toBe(46_900_000n)
  })

  it('is nothing for a stop that is empty or zero', () => {
    expect(summarise(ticket({ stopLoss: '0' }), terms()).buy.atStopLoss).toBeNull()
    expect(summarise(ticket(), terms()).buy.atTakeProfit).toBeNull()
  })
})

describe('the most lots', () => {
  it('is the whole steps that margin and fee leave room for', () => {
    expect(most(ticket(), terms({ available: money(500_000_000n) }))).toBe(1_300)
  })

  it('never passes what the instrument allows', () => {
    expect(most(ticket(), terms({ available: money(10n ** 15n) }))).toBe(1_000_000)
  })

  it('is none for an account that is in debt', () => {
    expect(most(ticket(), terms({ available: money(-1n) }))).toBe(0)
  })
})

it('tells the spread in ticks', () => {
  expect(summarise(ticket(), terms()).spread).toBe(6)
  expect(summarise(ticket(), terms({ quote: { bid: price(5), ask: price(5) } })).spread).toBe(0)
})

describe('a night', () => {
  it('costs the yearly rate of the side on the exact mid', () => {
    // 0.1 x 100,000 x 1.08472 x -3.6 % / 360, and half of it the other way for a sale.
    const { buy, sell } = summarise(ticket(), terms())
    expect([buy.night, sell.night]).toEqual([-1_084_720n, 542_360n])
  })

  it('is not known without a price', () => {
    expect(summarise(ticket(), terms({ quote: null })).buy.night).toBeNull()
  })
})

describe('the stop-out', () => {
  const quote = { bid: price(108_469), ask: price(108_475) }
  const snapshotWith = (balance: bigint) => {
    const account = accountOf(money(balance), [])
    const needed = dependenciesOf(account, eurusd, { all: [eurusd], currency: 'USD' })
    const quoteOf = () => ({ ...quote, instrumentId: 1, seq: 1, time: 0, receivedAt: 0, source: 'test' })
    return needed && pricedAccount(account, needed, { stopOutLevel: 50, quoteOf })
  }
  const known = terms({ snapshot: snapshotWith(1_000_000_000n), available: money(1_000_000_000n) })

  it('of a side is told as if it had opened now', () => {
    // 1,000 less the fee of 0.361583 and half of the margin of 361.583333: 818.846751 of 10,000 units may go.
    expect(summarise(ticket(), known).buy.stopOut).toEqual({ price: 108_475 - 8_189 })
    expect(summarise(ticket(), known).sell.stopOut).toEqual({ price: 108_469 + 8_189 })
  })

  it('of a pending order is told as if it had opened at its target', () => {
    const { buy } = summarise(ticket({ mode: 'pending', target: '1.05' }), known)
    // Margin 350, fee 0.35: 824.65 may go.
    expect(buy.stopOut).toEqual({ price: 105_000 - 8_247 })
  })

  it('is none for a size that no price above zero brings there', () => {
    const rich = terms({ snapshot: snapshotWith(2_000_000_000n) })
    expect(summarise(ticket({ lots: '0.01' }), rich).buy.stopOut).toEqual({ price: null })
  })

  it('is not told of an order that is too dear, or of a visitor', () => {
    expect(summarise(ticket({ lots: '1' }), known).buy.stopOut).toBeNull()
    expect(summarise(ticket(), terms()).buy.stopOut).toBeNull()
  })
})
