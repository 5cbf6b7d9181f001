import { describe, expect, it } from 'vitest'
import {
  expiryOf,
  initialTicket,
  orderTicketOf,
  pricesForSide,
  reduce,
  sideOfStops,
  type TicketState,
} from './ticket-model.ts'
import { price } from '@fairlot/core'
import { eurusd, context, ticket } from './ticket.fixture.ts'
import { evaluateTicket } from './evaluate-ticket.ts'

const typed = reduce(reduce(initialTicket('0.10', 30), { type: 'price', field: 'stopLoss', text: '1.08' }), {
  type: 'mode',
  mode: 'pending',
})

it('starts at the market, without stops', () => {
  expect(initialTicket('0.01', null)).toEqual({
    mode: 'market',
    lots: '0.01',
    leverage: null,
    target: '',
    stopLoss: '',
    takeProfit: '',
    stopSide: null,
    lastSide: null,
    awaitsSide: null,
    expiry: 'never',
    expiresAt: null,
    expiryText: '',
    attempted: null,
    rejection: null,
  })
})

it('keeps the input exactly as typed, even if it is no number', () => {
  expect(reduce(typed, { type: 'lots', text: '0.0.1' }).lots).toBe('0.0.1')
})

it('keeps the stops when it changes from market to pending', () => {
  expect(typed).toMatchObject({ mode: 'pending', stopLoss: '1.08' })
})

it('remembers the attempted side until the next change', () => {
  const tried = reduce(typed, { type: 'attempt', side: 'sell' })
  expect(tried.attempted).toBe('sell')
  expect(reduce(tried, { type: 'lots', text: '0.2' }).attempted).toBeNull()
  expect(reduce(tried, { type: 'leverage', leverage: 5 }).attempted).toBeNull()
})

it('clears prices and keeps size and leverage once the order is placed', () => {
  const after = reduce({ ...typed, target: '1.07', takeProfit: '1.1' }, { type: 'placed', side: 'buy' })
  expect(after).toMatchObject({
    lots: '0.10',
    leverage: 30,
    mode: 'pending',
    target: '',
    stopLoss: '',
    takeProfit: '',
  })
})

it('keeps a rejection until the next change or the next try', () => {
  const rejected = reduce(typed, {
    type: 'rejected',
    rejection: { field: 'lots', text: 'At most 100 lots.' },
  })
  expect(rejected.rejection?.text).toBe('At most 100 lots.')
  expect(reduce(rejected, { type: 'price', field: 'takeProfit', text: '1.1' }).rejection).toBeNull()
  expect(reduce(rejected, { type: 'attempt', side: 'buy' }).rejection).toBeNull()
})

it('does not carry an expiry over to the next order', () => {
  const chosen = reduce(typed, { type: 'expiry', expiry: 'day', expiresAt: 5 })
  expect(chosen).toMatchObject({ expiry: 'day', expiresAt: 5 })
  expect(reduce(chosen, { type: 'expiryText', text: '2026-01-01T10:00' })).toMatchObject({
    expiry: 'custom',
    expiresAt: null,
  })
  expect(reduce(chosen, { type: 'placed', side: 'buy' })).toMatchObject({ expiry: 'never', expiresAt: null })
})

it('sets the prices for a chosen side, and no longer requires one', () => {
  const waiting = reduce(initialTicket('0.10', 30), { type: 'needSide', field: 'stopLoss' })
  expect(waiting).toMatchObject({ awaitsSide: 'stopLoss', stopSide: null, stopLoss: '' })
  expect(reduce(waiting, { type: 'stopSide', side: 'sell', prices: { stopLoss: '1.09' } })).toMatchObject({
    awaitsSide: null,
    stopSide: 'sell',
    stopLoss: '1.09',
    takeProfit: '',
  })
})

it('suggests the side of the last order until another is chosen', () => {
  const chosen = reduce(typed, { type: 'stopSide', side: 'sell', prices: {} })
  expect(reduce(chosen, { type: 'placed', side: 'sell' })).toMatchObject({ stopSide: null, lastSide: 'sell' })
})

const sideOf = (change: Partial<TicketState>) => {
  const state = ticket(change)
  return sideOfStops(state, evaluateTicket(state, context()).problems)
}

describe('the side of the stops', () => {
  it('is unknown before a price or a choice', () => {
    expect(sideOf({})).toBeNull()
  })

  it('is that of the last order until a price or a choice decides otherwise', () => {
    expect(sideOf({ lastSide: 'sell' })).toBe('sell')
    expect(sideOf({ lastSide: 'sell', stopLoss: '1.08' })).toBe('buy')
    expect(sideOf({ lastSide: 'buy', stopLoss: '1.08', stopSide: 'sell' })).toBe('sell')
  })

  it('follows from a typed price that is valid for one side only', () => {
    expect(sideOf({ stopLoss: '1.08' })).toBe('buy')
    expect(sideOf({ stopLoss: '1.09' })).toBe('sell')
    expect(sideOf({ takeProfit: '1.09' })).toBe('buy')
    expect(sideOf({ takeProfit: '1.08' })).toBe('sell')
  })

  it('does not follow from prices that are valid for neither', () => {
    expect(sideOf({ stopLoss: '1.09', takeProfit: '1.09' })).toBeNull()
    expect(sideOf({ stopLoss: 'x' })).toBeNull()
  })
})

describe('the prices of the stops, once their side is chosen', () => {
  it('start with the one whose button was pressed', () => {
    const state = ticket({ awaitsSide: 'stopLoss' })
    expect(pricesForSide(state, context(), { from: null, to: 'buy' })).toEqual({ stopLoss: price(108_270) })
    expect(pricesForSide(state, context(), { from: null, to: 'sell' })).toEqual({ stopLoss: price(108_670) })
  })

  it('keep their distance on the other side', () => {
    const state = ticket({ stopLoss: '1.08269', takeProfit: '1.08969' })
    expect(pricesForSide(state, context(), { from: 'buy', to: 'sell' })).toEqual({
      stopLoss: price(108_675),
      takeProfit: price(107_975),
    })
  })

  it('are measured from the target of a pending order', () => {
    const state = ticket({ mode: 'pending', target: '1.05', awaitsSide: 'takeProfit' })
    expect(pricesForSide(state, context(), { from: null, to: 'buy' })).toEqual({ takeProfit: price(105_200) })
  })

  it('stay when the side stays', () => {
    expect(pricesForSide(ticket({ stopLoss: '1.08' }), context(), { from: 'buy', to: 'buy' })).toEqual({})
  })
})

it('sends the entered values exactly, as decimals', () => {
  const state = ticket({ mode: 'pending', target: '1.080', stopLoss: '1.07', takeProfit: '0' })
  expect(orderTicketOf(state, 'sell', eurusd, 'stop')).toEqual({
    side: 'sell',
    lots: 1000,
    instrumentId: 1,
    orderType: 'pending',
    targetPrice: 1.08,
    stopLoss: 1.07,
    takeProfit: null,
    leverage: 30,
    expiresAt: null,
    kind: 'stop',
  })
})

it('sends no target at the market, also when one was typed before', () => {
  expect(orderTicketOf(ticket({ target: '1.2' }), 'buy', eurusd)).toMatchObject({
    orderType: 'market',
    targetPrice: null,
  })
})

it('sends nothing without lots', () => {
  expect(orderTicketOf(ticket({ lots: 'x' }), 'buy', eurusd)).toBeNull()
})

describe('an expiry', () => {
  const pending = ticket({ mode: 'pending', target: '1.08' })
  const expiresAt = (change: Parameters<typeof ticket>[0]) =>
    orderTicketOf({ ...pending, ...change }, 'buy', eurusd)?.expiresAt
  const now = new Date(2026, 0, 7, 12).getTime()

  it('of a quick choice counts from the time of the choice', () => {
    expect(expiryOf('day', now)).toBe(now + 86_400_000)
    expect(expiryOf('week', now)).toBe(now + 7 * 86_400_000)
    expect(expiresAt({ expiry: 'day', expiresAt: 123 })).toBe(123)
  })

  it('at the end of the day is the last moment before local midnight', () => {
    expect(expiryOf('today', now)).toBe(new Date(2026, 0, 8).getTime() - 1)
  })

  it('of a custom time is the entered local time', () => {
    const custom = { expiry: 'custom', expiryText: '2026-01-09T18:30' } as const
    expect(expiresAt(custom)).toBe(new Date(2026, 0, 9, 18, 30).getTime())
  })

  it('is none at the market, whatever was chosen before', () => {
    expect(expiresAt({ mode: 'market', expiry: 'day', expiresAt: 123 })).toBeNull()
  })
})
