import { describe, expect, it } from 'vitest'
import { orderTicketOf } from './order-ticket.ts'
import { eurusd, ticket } from './ticket.fixture.ts'
import { expiryOf } from './ticket-parser.ts'

it('sends exactly what was typed, as decimals', () => {
  const state = ticket({ mode: 'pending', target: '1.080', stopLoss: '1.07', takeProfit: '0' })
  expect(orderTicketOf(state, 'sell', eurusd)).toEqual({
    side: 'sell',
    lots: 1000,
    instrumentId: 1,
    entry: 'pending',
    targetPrice: 1.08,
    stopLoss: 1.07,
    takeProfit: null,
    leverage: 30,
    expiresAt: null,
  })
})

it('sends no target at the market, also when one was typed before', () => {
  expect(orderTicketOf(ticket({ target: '1.2' }), 'buy', eurusd)).toMatchObject({
    entry: 'market',
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

  it('of a quick choice counts from the moment of the choice', () => {
    expect(expiryOf('day', now)).toBe(now + 86_400_000)
    expect(expiryOf('week', now)).toBe(now + 7 * 86_400_000)
    expect(expiresAt({ expiry: 'day', expiresAt: 123 })).toBe(123)
  })

  it('at the end of the day is the last moment before midnight where the reader is', () => {
    expect(expiryOf('today', now)).toBe(new Date(2026, 0, 8).getTime() - 1)
  })

  it("of the reader is the moment typed, on the reader's clock", () => {
    const own = { expiry: 'own', expiryText: '2026-01-09T18:30' } as const
    expect(expiresAt(own)).toBe(new Date(2026, 0, 9, 18, 30).getTime())
  })

  it('is none at the market, whatever was chosen before', () => {
    expect(expiresAt({ mode: 'market', expiry: 'day', expiresAt: 123 })).toBeNull()
  })
})
