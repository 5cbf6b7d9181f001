import { expect, test } from 'vitest'
import { remainingMs } from './idle.ts'

test('a session ends after a time without activity, and at its fixed end at the latest', () => {
  const session = { idleMs: 1000, endsAt: 10_000 }
  expect(remainingMs(session, 5000, 5400)).toBe(600)
  expect(remainingMs(session, 9500, 9600)).toBe(400)
  expect(remainingMs(session, 5000, 7000)).toBe(0)
})
