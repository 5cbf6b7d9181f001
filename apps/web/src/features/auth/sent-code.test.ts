import { describe, expect, test } from 'vitest'
import { keepSentCode, readSentCode, secondsLeft } from './sent-code.ts'

const values = { contact: 'email', email: 'ann@example.com', phone: '', countryId: null } as const
const sent = { ...values, sentAt: 1_000_000 }

describe('the countdown after a code', () => {
  test('runs from 60 to 0', () => {
    expect(secondsLeft(sent, values, 1_000_000)).toBe(60)
    expect(secondsLeft(sent, values, 1_000_001)).toBe(60)
    expect(secondsLeft(sent, values, 1_059_001)).toBe(1)
    expect(secondsLeft(sent, values, 1_060_000)).toBe(0)
  })
  test('belongs to the account the code went to', () => {
    expect(secondsLeft(sent, { ...values, email: 'ben@example.com' }, 1_000_000)).toBe(0)
    expect(secondsLeft(sent, { ...values, contact: 'mobile' }, 1_000_000)).toBe(0)
    expect(secondsLeft(sent, { ...values, email: ' ann@example.com ' }, 1_000_000)).toBe(60)
  })
  test('is never longer than a minute, whatever was done to the clock', () => {
    expect(secondsLeft(sent, values, 0)).toBe(60)
  })
  test('is remembered for each purpose until the code is of no use', () => {
    keepSentCode('register', sent)
    expect(readSentCode('register', 1_000_500)).toEqual(sent)
    expect(readSentCode('reset', 1_000_500)).toBeNull()
    expect(readSentCode('register', 1_600_000)).toBeNull()
    keepSentCode('register', null)
    expect(readSentCode('register', 1_000_500)).toBeNull()
  })
})
