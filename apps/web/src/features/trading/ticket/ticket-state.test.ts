import { expect, it } from 'vitest'
import { freshTicket, reduce } from './ticket-state.ts'

const typed = reduce(reduce(freshTicket('0.10', 30), { type: 'price', field: 'stopLoss', text: '1.08' }), {
  type: 'mode',
  mode: 'pending',
})

it('starts at the market, without stops', () => {
  expect(freshTicket('0.01', null)).toEqual({
    mode: 'market',
    lots: '0.01',
    leverage: null,
    target: '',
    stopLoss: '',
    takeProfit: '',
    expiry: 'never',
    expiresAt: null,
    expiryText: '',
    attempted: null,
    refusal: null,
  })
})

it('keeps what was typed to the letter, also when it is no figure', () => {
  expect(reduce(typed, { type: 'lots', text: '0.0.1' }).lots).toBe('0.0.1')
})

it('keeps the stops when it turns from market to pending', () => {
  expect(typed).toMatchObject({ mode: 'pending', stopLoss: '1.08' })
})

it('remembers which side was tried, and forgets it with the next change', () => {
  const tried = reduce(typed, { type: 'attempt', side: 'sell' })
  expect(tried.attempted).toBe('sell')
  expect(reduce(tried, { type: 'lots', text: '0.2' }).attempted).toBeNull()
  expect(reduce(tried, { type: 'leverage', leverage: 5 }).attempted).toBeNull()
})

it('clears prices and keeps size and leverage once the order is placed', () => {
  const after = reduce({ ...typed, target: '1.07', takeProfit: '1.1' }, { type: 'placed' })
  expect(after).toMatchObject({
    lots: '0.10',
    leverage: 30,
    mode: 'pending',
    target: '',
    stopLoss: '',
    takeProfit: '',
  })
})

it('keeps a refusal until the next change or the next try', () => {
  const refused = reduce(typed, { type: 'refused', refusal: { field: 'lots', text: 'At most 100 lots.' } })
  expect(refused.refusal?.text).toBe('At most 100 lots.')
  expect(reduce(refused, { type: 'price', field: 'takeProfit', text: '1.1' }).refusal).toBeNull()
  expect(reduce(refused, { type: 'attempt', side: 'buy' }).refusal).toBeNull()
})

it('keeps an expiry to itself: the next order waits until it is cancelled again', () => {
  const chosen = reduce(typed, { type: 'expiry', expiry: 'day', expiresAt: 5 })
  expect(chosen).toMatchObject({ expiry: 'day', expiresAt: 5 })
  expect(reduce(chosen, { type: 'expiryText', text: '2026-01-01T10:00' })).toMatchObject({
    expiry: 'own',
    expiresAt: null,
  })
  expect(reduce(chosen, { type: 'placed' })).toMatchObject({ expiry: 'never', expiresAt: null })
})
