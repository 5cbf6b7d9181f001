import { CallError, type Failure } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { failureText, refusalText } from './failure-text.ts'

const told = (reason: Failure['reason'], message: string) =>
  failureText(
    { ok: false, code: 0, reason, message, details: {} } as Failure,
    (key, { code }) => `${key} ${code}`,
  )

test('a refusal is told in the words of the server', () => {
  expect(told('marketClosed', 'The market is closed.')).toBe('The market is closed.')
})

test('the technical word of a lost answer stands in a sentence', () => {
  expect(told('network', 'ERR_NETWORK')).toBe('networkError ERR_NETWORK')
  expect(told('unreadable', 'HTTP 502')).toBe('networkError HTTP 502')
})

test('nothing is told of a call that was taken back', () => {
  expect(told('cancelled', 'cancelled')).toBe(null)
})

test('a list says why it was refused, and makes no sentence of a technical word', () => {
  const failed = (reason: Failure['reason']) => new CallError({ reason, message: 'Wait.' } as Failure)
  expect(refusalText(failed('tooManyRequests'))).toBe('Wait.')
  for (const error of [failed('network'), failed('unreadable'), new Error('Wait.'), null])
    expect(refusalText(error)).toBeUndefined()
})
