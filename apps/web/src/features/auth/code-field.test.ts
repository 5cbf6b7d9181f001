import { describe, expect, test } from 'vitest'
import { rememberSentCode, readSentCode, secondsLeft } from './code-field.tsx'

const values = { contact: 'email', email: 'ann@example.com', phone: '', countryId: null } as const
const sent = { ...values, sentAt: 1_000_000 }

describe('the countdown after sending a code', () => {
  test('runs from 60 to 0', () => {
    expect(secondsLeft(sent, 1_000_000)).toBe(60)
    expect(secondsLeft(sent, 1_000_001)).toBe(60)
    expect(secondsLeft(sent, 1_059_001)).toBe(1)
    expect(secondsLeft(sent, 1_060_000)).toBe(0)
  })
  test('never exceeds a minute, even if the clock was changed', () => {
    expect(secondsLeft(sent, 0)).toBe(60)
  })
  test('is remembered for each purpose until the code expires', () => {
    rememberSentCode('register', sent)
    expect(readSentCode('register', 1_000_500)).toEqual(sent)
    expect(readSentCode('reset', 1_000_500)).toBeNull()
    expect(readSentCode('register', 1_600_000)).toBeNull()
    rememberSentCode('register', null)
    expect(readSentCode('register', 1_000_500)).toBeNull()
  })
})
