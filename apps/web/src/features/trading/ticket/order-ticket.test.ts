import { expect, it } from 'vitest'
import { orderTicketOf } from './order-ticket.ts'
import { eurusd, ticket } from './ticket.fixture.ts'

it('sends exactly what was typed, as decimals', () => {
  const state = ticket({ mode: 'pending', target: '1.080', stopLoss: '1.07', takeProfit: '0' })
  expect(orderTicketOf(state, 'sell', eurusd)).toEqual({
    side: 'sell',
    lots: 1000,
    instrumentId: 1,
    entry: 'pending',
    targetPrice: '1.08',
    stopLoss: '1.07',
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
