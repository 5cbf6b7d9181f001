import { expect, test } from 'vitest'
import { p75ResponseMinutes } from './routes.ts'

const MINUTE_MS = 60_000
const waits = (...minutes: readonly number[]) => p75ResponseMinutes(minutes.map((each) => each * MINUTE_MS))

test('the response time is the one within which three of four questions were answered, in round figures', () => {
  expect(waits(1, 2, 3, 4)).toBeNull()
  expect(waits(1, 1, 1, 1, 600)).toBe(5)
  expect(waits(1, 7, 7, 8, 600)).toBe(10)
  expect(waits(50, 50, 61, 61, 61, 61)).toBe(120)
  expect(waits(...Array<number>(8).fill(2_000))).toBe(2_880)
})
