import { money, price, ratio } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { accountOf, dependenciesOf, pricedAccount } from '../account-snapshot.ts'
import { evaluateTicket, isReady, maxLots, shownProblems } from './evaluate-ticket.ts'
import { eurusd, context, ticket } from './ticket.fixture.ts'

const summarise = (...entered: Parameters<typeof evaluateTicket>) => evaluateTicket(...entered).summary
const max = (...[state, given]: Parameters<typeof evaluateTicket>) =>
  maxLots(summarise(state, given), state, given)

describe('the cost of an order', () => {
  it('is margin at the opening price of the side, and a part of it as fee', () => {
    const { buy, sell } = summarise(ticket(), context())
    // 0.10 x 100,000 x 1.08475 / 30 = 361.583333; 0.001 of it = 0.361583
    expect(buy.cost).toEqual({ margin: 361_583_333n, fee: 361_583n, total: 361_944_916n })
    // 0.10 x 100,000 x 1.08469 / 30 = 361.563333
    expect(sell.cost?.margin).toBe(361_563_333n)
  })

  it('is that of the more expensive side', () => {
    const summary = summarise(ticket(), context())
    expect(summary.cost).toEqual(summary.buy.cost)
  })

  it('converts from the quote currency at the exact rate', () => {
    const rate = { numerator: 2n, denominator: 300n }
    expect(summarise(ticket(), context({ rate })).buy.cost?.margin).toBe(2_410_556n)
  })

  it('charges a fixed fee by lots', () => {
    const instrument = { ...eurusd, feeRate: ratio(5_000_000) }
    expect(summarise(ticket(), context({ instrument, feeType: 'fixed' })).buy.cost?.fee).toBe(500_000n)
  })

  it('is unknown while lots, leverage, price or rate is missing', () => {
    expect(summarise(ticket({ lots: '' }), context()).cost).toBeNull()
    expect(summarise(ticket({ lots: 'abc' }), context()).cost).toBeNull()
    expect(summarise(ticket({ leverage: null }), context()).cost).toBeNull()
    expect(summarise(ticket(), context({ quote: null })).cost).toBeNull()
    expect(summarise(ticket(), context({ rate: null })).cost).toBeNull()
  })

  it('is affordable up to the last millionth of the free margin', () => {
    expect(summarise(ticket(), context({ freeMargin: money(361_944_916n) })).isAffordable).toBe(true)
    expect(summarise(ticket(), context({ freeMargin: money(361_944_915n) })).isAffordable).toBe(false)
  })

  it('requires no funds of a visitor', () => {
    expect(summarise(ticket({ lots: '100' }), context({ freeMargin: null })).isAffordable).toBe(true)
  })
})

describe('a pending order', () => {
  const pending = (target: string) => summarise(ticket({ mode: 'pending', target }), context())

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

  it('has no known cost before its target is set', () => {
    expect(pending('').cost).toBeNull()
  })

  it('ignores its target in a market order', () => {
    expect(summarise(ticket({ target: '1.2' }), context()).buy).toMatchObject({
      kind: 'market',
      price: 108_475,
    })
  })
})

describe('the profit at the stops', () => {
  it('counts from the opening price of the side', () => {
    const { buy, sell } = summarise(ticket({ stopLoss: '1.08', takeProfit: '1.09' }), context())
    expect(buy.atStopLoss).toBe(-47_500_000n)
    expect(buy.atTakeProfit).toBe(52_500_000n)
    expect(sell.atStopLoss).toBe(46_900_000n)
  })

  it('is nothing for a stop that is empty or zero', () => {
    expect(summarise(ticket({ stopLoss: '0' }), context()).buy.atStopLoss).toBeNull()
    expect(summarise(ticket(), context()).buy.atTakeProfit).toBeNull()
  })
})

describe('the maximum lots', () => {
  it('is the number of steps whose margin and fee are affordable', () => {
    expect(max(ticket(), context({ freeMargin: money(500_000_000n) }))).toBe(1_300)
  })

  it('never exceeds the maximum of the instrument', () => {
    expect(max(ticket(), context({ freeMargin: money(10n ** 15n) }))).toBe(1_000_000)
  })

  it('is zero for an account with a negative balance', () => {
    expect(max(ticket(), context({ freeMargin: money(-1n) }))).toBe(0)
  })
})

it('has the spread in ticks', () => {
  expect(summarise(ticket(), context()).spread).toBe(6)
  expect(summarise(ticket(), context({ quote: { bid: price(5), ask: price(5) } })).spread).toBe(0)
})

describe('the swap of one rollover', () => {
  it('is calculated from the yearly rate of the side and the exact mid', () => {
    // 0.1 x 100,000 x 1.08472 x -3.6 % / 360, and half of it with the other sign for a sale.
    const { buy, sell } = summarise(ticket(), context())
    expect([buy.dailySwap, sell.dailySwap]).toEqual([-1_084_720n, 542_360n])
  })

  it('is not known without a price', () => {
    expect(summarise(ticket(), context({ quote: null })).buy.dailySwap).toBeNull()
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
  const known = context({ snapshot: snapshotWith(1_000_000_000n), freeMargin: money(1_000_000_000n) })

  it('of a side is that of a position opened now', () => {
    // 1,000 less the fee of 0.361583 and half of the margin of 361.583333: 818.846751 of 10,000 units may go.
    expect(summarise(ticket(), known).buy.stopOut).toEqual({ price: 108_475 - 8_189 })
    expect(summarise(ticket(), known).sell.stopOut).toEqual({ price: 108_469 + 8_189 })
  })

  it('of a pending order is that of a position opened at its target', () => {
    const { buy } = summarise(ticket({ mode: 'pending', target: '1.05' }), known)
    // Margin 350, fee 0.35: 824.65 may go.
    expect(buy.stopOut).toEqual({ price: 105_000 - 8_247 })
  })

  it('is null for a size that cannot be stopped out above a price of zero', () => {
    const rich = context({ snapshot: snapshotWith(2_000_000_000n) })
    expect(summarise(ticket({ lots: '0.01' }), rich).buy.stopOut).toEqual({ price: null })
  })

  it('is unknown for an unaffordable order and for a visitor', () => {
    expect(summarise(ticket({ lots: '1' }), known).buy.stopOut).toBeNull()
    expect(summarise(ticket(), context()).buy.stopOut).toBeNull()
  })
})

const problems = (...entered: Parameters<typeof evaluateTicket>) => evaluateTicket(...entered).problems

const lotsCode = (lots: string) => problems(ticket({ lots }), context()).buy.lots?.code

describe('lots', () => {
  it('are required', () => expect(lotsCode(' ')).toBe('lotsMissing'))
  it('are a plain decimal', () => {
    for (const text of ['abc', '1e3', '0x10', '1,5', '+1', '.5', '0.00001'])
      expect(lotsCode(text)).toBe('lotsWrong')
  })
  it('are at least the minimum', () => {
    expect(lotsCode('0')).toBe('lotsBelowMinimum')
    expect(lotsCode('0.009')).toBe('lotsBelowMinimum')
    expect(lotsCode('-1')).toBe('lotsBelowMinimum')
  })
  it('are at most the maximum', () => {
    expect(lotsCode('100')).toBeUndefined()
    expect(lotsCode('100.01')).toBe('lotsAboveMaximum')
  })
  it('are a multiple of the step', () => {
    expect(lotsCode('0.015')).toBe('lotsOffStep')
    expect(lotsCode('0.3')).toBeUndefined()
  })
})

describe('the target price of a pending order', () => {
  const targetCode = (target: string) =>
    problems(ticket({ mode: 'pending', target }), context()).buy.target?.code

  it('is required', () => expect(targetCode('')).toBe('priceMissing'))
  it('is a price above zero with the digits of the instrument', () => {
    for (const text of ['x', '0', '-1', '1.084755', '1e309']) expect(targetCode(text)).toBe('priceInvalid')
    expect(targetCode('1.08475')).toBeUndefined()
  })
  it('is not required for a market order', () => {
    expect(problems(ticket({ target: 'x' }), context()).buy.target).toBeUndefined()
  })
})

describe('the expiry of a pending order', () => {
  const now = Date.UTC(2026, 0, 7, 12)
  const expiryCode = (change: Parameters<typeof ticket>[0]) =>
    problems(ticket({ mode: 'pending', target: '1.08', ...change }), context({ now })).buy.expiry?.code

  it('is in the future', () => {
    expect(expiryCode({ expiry: 'day', expiresAt: now + 1 })).toBeUndefined()
    expect(expiryCode({ expiry: 'day', expiresAt: now })).toBe('expiryInPast')
    expect(expiryCode({ expiry: 'custom', expiryText: '2020-01-01T00:00' })).toBe('expiryInPast')
  })
  it('is required when a custom time was chosen', () => {
    expect(expiryCode({ expiry: 'custom', expiryText: '' })).toBe('expiryMissing')
    expect(expiryCode({ expiry: 'never' })).toBeUndefined()
  })
})

describe('stops', () => {
  it('belong to one side: a stop loss below the market is valid for a buy and not for a sell', () => {
    const found = problems(ticket({ stopLoss: '1.08' }), context())
    expect(found.buy.stopLoss).toBeUndefined()
    expect(found.sell.stopLoss).toEqual({ code: 'stopLossWrongSide', nearest: 108_481 })
  })

  it('keep the minimum distance from the closing price of their position', () => {
    const at = (stopLoss: string) => problems(ticket({ stopLoss }), context()).buy.stopLoss
    expect(at('1.08463')).toBeUndefined()
    expect(at('1.08464')).toEqual({ code: 'stopLossWrongSide', nearest: 108_463 })
  })

  it('of a pending order keep it from the target price', () => {
    const pending = ticket({ mode: 'pending', target: '1.07', takeProfit: '1.08' })
    expect(problems(pending, context()).buy.takeProfit).toBeUndefined()
    expect(problems(pending, context()).sell.takeProfit).toEqual({
      code: 'takeProfitWrongSide',
      nearest: 106_994,
    })
  })

  it('may be empty or zero', () => {
    expect(problems(ticket({ stopLoss: '0', takeProfit: '' }), context()).sell).toEqual({})
  })

  it('must be prices', () => {
    expect(problems(ticket({ takeProfit: '1.2.3' }), context()).buy.takeProfit?.code).toBe('priceInvalid')
  })

  it('are below zero only where the instrument allows it', () => {
    const below = ticket({ stopLoss: '-0.5' })
    expect(problems(below, context()).buy.stopLoss).toEqual({ code: 'priceInvalid' })
    const free = context({ instrument: { ...eurusd, allowsNegativePrice: true } })
    expect(problems(below, free).buy.stopLoss).toBeUndefined()
  })
})

describe('the market', () => {
  const market = (change: Parameters<typeof context>[0]) => problems(ticket(), context(change)).market

  it('prevents orders when no leverage is offered, before anything else', () => {
    expect(market({ instrument: { ...eurusd, leverages: [] }, isOpen: false })).toBe('noLeverage')
  })
  it('prevents orders when the instrument is disabled, before all others', () => {
    expect(market({ instrument: { ...eurusd, isEnabled: false, leverages: [] } })).toBe('disabled')
  })
  it('prevents orders when an operator has halted it, which counts as closed too', () => {
    expect(market({ haltReason: 'The exchange is down.', isOpen: false })).toBe('halted')
  })
  it('prevents orders in reduce-only mode, unless it is closed anyway', () => {
    expect(market({ reduceReason: 'a storm', isStale: true })).toBe('reduceOnly')
    expect(market({ reduceReason: 'a storm', isOpen: false })).toBe('marketClosed')
  })
  it('prevents orders when closed, stale or without a price', () => {
    expect(market({ isOpen: false, isStale: true })).toBe('marketClosed')
    expect(market({ isStale: true })).toBe('stalePrice')
    expect(market({ quote: null })).toBe('noPrice')
    expect(market({ rate: null })).toBe('noPrice')
    expect(market({})).toBeNull()
  })
})

describe('problems shown at the fields', () => {
  const shown = (change: Parameters<typeof ticket>[0]) =>
    shownProblems(ticket(change), problems(ticket(change), context()))

  it('are those that concern both sides', () => {
    expect(shown({ lots: '0.015' })).toEqual({ lots: { code: 'lotsOffStep' } })
  })

  it('leave out a stop that is valid for one of the sides', () => {
    expect(shown({ stopLoss: '1.08' })).toEqual({})
  })

  it('include a stop that is invalid for the side of the stops', () => {
    expect(shown({ stopLoss: '1.08', stopSide: 'sell' }).stopLoss?.code).toBe('stopLossWrongSide')
    expect(shown({ stopLoss: '1.08', stopSide: 'buy' })).toEqual({})
  })

  it('leave out missing values before a button was pressed', () => {
    expect(shown({ lots: '', mode: 'pending' })).toEqual({})
    expect(shown({ lots: '', attempted: 'buy' }).lots?.code).toBe('lotsMissing')
  })

  it('are those of the attempted side after an attempt', () => {
    expect(shown({ stopLoss: '1.08', attempted: 'sell' }).stopLoss?.code).toBe('stopLossWrongSide')
    expect(shown({ stopLoss: '1.08', attempted: 'buy' })).toEqual({})
  })
})

describe('sending', () => {
  it('is possible without problems', () => {
    const found = problems(ticket(), context())
    expect(isReady(found, 'buy') && isReady(found, 'sell')).toBe(true)
  })

  it('is evaluated for each side', () => {
    const found = problems(ticket({ stopLoss: '1.08' }), context())
    expect([isReady(found, 'buy'), isReady(found, 'sell')]).toEqual([true, false])
  })

  it('is not possible for a side whose margin and fee exceed the free margin', () => {
    const found = problems(ticket(), context({ freeMargin: money(361_930_000n) }))
    expect(found.isUnaffordable).toEqual({ buy: true, sell: false })
    expect(isReady(found, 'buy')).toBe(false)
  })

  it('is not restricted for a visitor, who is led to the log-in', () => {
    expect(problems(ticket({ lots: '90' }), context({ freeMargin: null })).isUnaffordable).toEqual({
      buy: false,
      sell: false,
    })
  })
})

it('reports an unreadable stop without a market price', () => {
  expect(problems(ticket({ stopLoss: 'x' }), context({ quote: null })).buy.stopLoss?.code).toBe(
    'priceInvalid',
  )
  expect(problems(ticket({ stopLoss: '1' }), context({ quote: null })).buy.stopLoss).toBeUndefined()
})
