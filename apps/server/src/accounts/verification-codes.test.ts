import { expect, test } from 'vitest'
import type { Queries } from '../platform/database/open.ts'
import { onEveryDatabase } from '../testing/on-every-database.ts'
import { createCodes, createDailyLimit, RESET_CODES_A_DAY } from './verification-codes.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1_440
const TRIES_OF_A_CODE = 5
const CODES = 1_000_000

function dailyLimitOn(queries: Queries) {
  let now = 0
  const open = () =>
    createDailyLimit(queries, () => now, { name: 'reset', limit: () => RESET_CODES_A_DAY, hasPauses: true })
  return {
    ...open(),
    restart: open,
    pass: (minutes: number) => {
      now += minutes * MINUTE_MS
    },
  }
}

onEveryDatabase('codes to reset a password', (databases) => {
  test('are limited to six a day: 30 guesses, a chance of 0.003 % for each account', async () => {
    const { take, pass } = dailyLimitOn((await databases.open()).queries)
    const days = [0, 0, 0]
    for (const day of days.keys())
      for (let minute = 0; minute < DAY_MINUTES; minute += 10, pass(10))
        days[day] = (days[day] ?? 0) + Number(await take('a'))
    expect(days[0]).toBe(6)
    expect(Math.max(...days)).toBeLessThanOrEqual(7)
    expect((RESET_CODES_A_DAY * TRIES_OF_A_CODE) / CODES).toBe(0.000_03)
  })

  test('are sent after pauses that double each time', async () => {
    const { take, pass } = dailyLimitOn((await databases.open()).queries)
    const at: number[] = []
    for (let minute = 0; minute < 60; minute += 1, pass(1)) if (await take('a')) at.push(minute)
    expect(at).toEqual([0, 1, 3, 7, 15, 31])
  })

  test('are counted for each account separately', async () => {
    const { take, isFresh, pass } = dailyLimitOn((await databases.open()).queries)
    for (let minute = 0; minute < 60; minute += 1, pass(1)) await take('a')
    expect([await take('a'), await take('b'), await isFresh('b'), await isFresh('c')]).toEqual([
      false,
      true,
      true,
      false,
    ])
    pass(1)
    expect(await isFresh('b')).toBe(false)
  })

  test('are counted across restarts, and of two concurrent requests one succeeds', async () => {
    const { take, restart, pass } = dailyLimitOn((await databases.open()).queries)
    expect(await Promise.all([take('a'), take('a')])).toEqual([true, false])
    expect(await restart().take('a')).toBe(false)
    for (let minute = 0; minute < 60; minute += 1, pass(1)) await restart().take('a')
    expect(await restart().take('a')).toBe(false)
    expect(await restart().take('b')).toBe(true)
    pass(DAY_MINUTES)
    expect(await restart().take('a')).toBe(true)
  })
})

onEveryDatabase('codes by e-mail and SMS', (databases) => {
  test('are right however they are typed; only six digits are a guess', async () => {
    const { queries } = await databases.open()
    const codes = createCodes(queries, () => 0)
    const key = { purpose: 'register', target: 'a@mail.example' } as const
    const sent = await queries.transaction().execute((within) => codes.issue(key, within))
    const code = sent ?? ''
    const spaced = ` ${code.slice(0, 3)} ${code.slice(3)}`
    for (const slip of ['', ' ', '12345', '1234567', 'abcdef', '12.456', 'x'.repeat(500)])
      expect(await codes.isRight(key, slip)).toBe(false)
    expect(await codes.isRight(key, spaced)).toBe(true)
    const wrong = code === '000000' ? '111111' : '000000'
    for (let tries = 0; tries < TRIES_OF_A_CODE; tries += 1)
      expect(await codes.isRight(key, wrong)).toBe(false)
    expect(await codes.isRight(key, code)).toBe(false)
    expect(await queries.transaction().execute((within) => codes.use(key, spaced, within))).toBe(true)
  })
})
