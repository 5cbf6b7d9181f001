import { expect, test } from 'vitest'
import { leftMs } from './idle.ts'

test('a session lasts from the last act on, and never longer than its end', () => {
  const session = { idleMs: 1000, endsAt: 10_000 }
  expect(leftMs(session, 5000, 5400)).toBe(600)
  expect(leftMs(session, 9500, 9600)).toBe(400)
  expect(leftMs(session, 5000, 7000)).toBe(0)
})
