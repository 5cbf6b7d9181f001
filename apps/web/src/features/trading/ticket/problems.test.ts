import { money } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { isReady, shownProblems } from './problems.ts'
import { eurusd, terms, ticket } from './ticket.fixture.ts'
import { workOutTicket } from './work-out-ticket.ts'

const problems = (...entered: Parameters<typeof workOutTicket>) => workOutTicket(...entered).problems

const lotsCode = (lots: string) => problems(ticket({ lots }), terms()).buy.lots?.code

describe('lots', () => {
  it('are needed', () => expect(lotsCode(' ')).toBe('lotsMissing'))
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
  it('go in whole steps', () => {
    expect(lotsCode('0.015')).toBe('lotsOffStep')
    expect(lotsCode('0.3')).toBeUndefined()
  })
})

describe('the target price of a pending order', () => {
  const targetCode = (target: string) =>
    problems(ticket({ mode: 'pending', target }), terms()).buy.target?.code

  it('is needed', () => expect(targetCode('')).toBe('priceMissing'))
  it('is a price above zero with the digits of the instrument', () => {
    for (const text of ['x', '0', '-1', '1.084755', '1e309']) expect(targetCode(text)).toBe('priceInvalid')
    expect(targetCode('1.08475')).toBeUndefined()
  })
  it('is not asked for at the market', () => {
    expect(problems(ticket({ target: 'x' }), terms()).buy.target).toBeUndefined()
  })
})

describe('the expiry of a pending order', () => {
  const now = Date.UTC(2026, 0, 7, 12)
  const expiryCode = (change: Parameters<typeof ticket>[0]) =>
    problems(ticket({ mode: 'pending', target: '1.08', ...change }), terms({ now })).buy.expiry?.code

  it('lies in the future', () => {
    expect(expiryCode({ expiry: 'day', expiresAt: now + 1 })).toBeUndefined()
    expect(expiryCode({ expiry: 'day', expiresAt: now })).toBe('expiryInPast')
    expect(expiryCode({ expiry: 'own', expiryText: '2020-01-01T00:00' })).toBe('expiryInPast')
  })
  it('is needed where an own one was chosen', () => {
    expect(expiryCode({ expiry: 'own', expiryText: '' })).toBe('expiryMissing')
    expect(expiryCode({ expiry: 'never' })).toBeUndefined()
  })
})

describe('stops', () => {
  it('belong to one side: a stop loss below the market suits a buy and not a sell', () => {
    const found = problems(ticket({ stopLoss: '1.08' }), terms())
    expect(found.buy.stopLoss).toBeUndefined()
    expect(found.sell.stopLoss).toEqual({ code: 'stopLossWrongSide', nearest: 108_481 })
  })

  it('keep the least distance from the price their position would close at', () => {
    const at = (stopLoss: string) => problems(ticket({ stopLoss }), terms()).buy.stopLoss
    expect(at('1.08463')).toBeUndefined()
    expect(at('1.08464')).toEqual({ code: 'stopLossWrongSide', nearest: 108_463 })
  })

  it('of a pending order keep it from the target', () => {
    const pending = ticket({ mode: 'pending', target: '1.07', takeProfit: '1.08' })
    expect(problems(pending, terms()).buy.takeProfit).toBeUndefined()
    expect(problems(pending, terms()).sell.takeProfit).toEqual({
      code: 'takeProfitWrongSide',
      nearest: 106_994,
    })
  })

  it('may be empty or zero', () => {
    expect(problems(ticket({ stopLoss: '0', takeProfit: '' }), terms()).sell).toEqual({})
  })

  it('are prices', () => {
    expect(problems(ticket({ takeProfit: '1.2.3' }), terms()).buy.takeProfit?.code).toBe('priceInvalid')
  })

  it('lie below zero only where the instrument has negative prices', () => {
    const below = ticket({ stopLoss: '-0.5' })
    expect(problems(below, terms()).buy.stopLoss).toEqual({ code: 'priceInvalid' })
    const free = terms({ instrument: { ...eurusd, allowsNegativePrice: true } })
    expect(problems(below, free).buy.stopLoss).toBeUndefined()
  })
})

describe('the market', () => {
  const market = (change: Parameters<typeof terms>[0]) => problems(ticket(), terms(change)).market

  it('is in the way when no leverage is offered, before anything else', () => {
    expect(market({ instrument: { ...eurusd, leverages: [] }, isOpen: false })).toBe('noLeverage')
  })
  it('is in the way when not on offer, before all', () => {
    expect(market({ instrument: { ...eurusd, isEnabled: false, leverages: [] } })).toBe('disabled')
  })
  it('is in the way when an operator has halted it, which counts as closed too', () => {
    expect(market({ haltReason: 'The exchange is down.', isOpen: false })).toBe('halted')
  })
  it('is in the way while trading is paused, unless it is closed anyway', () => {
    expect(market({ isCancelOnly: true, isStale: true })).toBe('cancelOnly')
    expect(market({ isCancelOnly: true, isOpen: false })).toBe('marketClosed')
  })
  it('is in the way when closed, stale or without any price', () => {
    expect(market({ isOpen: false, isStale: true })).toBe('marketClosed')
    expect(market({ isStale: true })).toBe('stalePrice')
    expect(market({ quote: null })).toBe('noPrice')
    expect(market({ rate: null })).toBe('noPrice')
    expect(market({})).toBeNull()
  })
})

describe('what is written at the fields', () => {
  const shown = (change: Parameters<typeof ticket>[0]) =>
    shownProblems(ticket(change), problems(ticket(change), terms()))

  it('is what is wrong whichever side is meant', () => {
    expect(shown({ lots: '0.015' })).toEqual({ lots: { code: 'lotsOffStep' } })
  })

  it('leaves a stop alone that suits one of the sides', () => {
    expect(shown({ stopLoss: '1.08' })).toEqual({})
  })

  it('asks for nothing before a button was pressed', () => {
    expect(shown({ lots: '', mode: 'pending' })).toEqual({})
    expect(shown({ lots: '', attempted: 'buy' }).lots?.code).toBe('lotsMissing')
  })

  it('names the problems of the side that was tried', () => {
    expect(shown({ stopLoss: '1.08', attempted: 'sell' }).stopLoss?.code).toBe('stopLossWrongSide')
    expect(shown({ stopLoss: '1.08', attempted: 'buy' })).toEqual({})
  })
})

describe('sending', () => {
  it('is possible when nothing is wrong', () => {
    const found = problems(ticket(), terms())
    expect(isReady(found, 'buy') && isReady(found, 'sell')).toBe(true)
  })

  it('is judged for each side alone', () => {
    const found = problems(ticket({ stopLoss: '1.08' }), terms())
    expect([isReady(found, 'buy'), isReady(found, 'sell')]).toEqual([true, false])
  })

  it('is refused a side whose margin and fee pass the available prepayment', () => {
    const found = problems(ticket(), terms({ available: money(361_930_000n) }))
    expect(found.isTooDear).toEqual({ buy: true, sell: false })
    expect(isReady(found, 'buy')).toBe(false)
  })

  it('leaves a visitor to the log-in', () => {
    expect(problems(ticket({ lots: '90' }), terms({ available: null })).isTooDear).toEqual({
      buy: false,
      sell: false,
    })
  })
})

it('needs no price to say that a stop is no price', () => {
  expect(problems(ticket({ stopLoss: 'x' }), terms({ quote: null })).buy.stopLoss?.code).toBe('priceInvalid')
  expect(problems(ticket({ stopLoss: '1' }), terms({ quote: null })).buy.stopLoss).toBeUndefined()
})
