import { expect, test } from 'vitest'
import { newTotpSecret, stepOfCode, totpCode } from './second-factor.ts'

/** "12345678901234567890" in base32: the key of the test vectors of RFC 6238, appendix B. */
const RFC_KEY = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const STEP_MS = 30_000

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('the code at second %i is that of RFC 6238', (second, code) => {
  expect(totpCode(RFC_KEY, second * 1_000)).toBe(code)
})

test('a code is accepted one step early or late, and only once', () => {
  const secret = newTotpSecret()
  const at = 1_800_000_000_000
  const code = totpCode(secret, at)
  const step = at / STEP_MS
  expect([-1, 0, 1].map((steps) => stepOfCode(secret, code, at + steps * STEP_MS, 0))).toEqual([
    step,
    step,
    step,
  ])
  expect([-2, 2].map((steps) => stepOfCode(secret, code, at + steps * STEP_MS, 0))).toEqual([null, null])
  expect(stepOfCode(secret, code, at, step)).toBeNull()
})

test('a code accepted while the clock was ahead does not lock the user out once it is set back', () => {
  const secret = newTotpSecret()
  const at = 1_800_000_000_000
  const step = at / STEP_MS
  const code = totpCode(secret, at)
  expect(stepOfCode(secret, code, at, step + 120)).toBe(step)
  // Within the drift it may be the code that was accepted.
  expect(stepOfCode(secret, code, at, step + 1)).toBeNull()
})

test.each(['', '12345', '1234567', '１２３４５６', 'abcdef', '12 456'])('%j is not a code', (code) => {
  expect(stepOfCode(RFC_KEY, code, 59_000, 0)).toBeNull()
})
