import { expect, test } from 'vitest'
import { createBurstLimit, createLimit } from './rate-limits.ts'

const yesOf = async (limit: (key: string) => Promise<boolean>, key: string, calls: number) => {
  const answers = await Promise.all(Array.from({ length: calls }, () => limit(key)))
  return answers.filter(Boolean).length
}

test('a limit counts each key separately', async () => {
  const limit = createLimit(3, 60)
  expect(await yesOf(limit, 'a', 5)).toBe(3)
  expect(await yesOf(limit, 'b', 2)).toBe(2)
})

test('a limit that is a setting follows its current value', async () => {
  let most = 1
  const limit = createLimit(() => most, 60)
  expect(await yesOf(limit, 'a', 5)).toBe(1)
  most = 7
  expect(await yesOf(limit, 'a', 5)).toBe(2)
})

test('a burst is allowed in addition to the steady rate', async () => {
  expect(await yesOf(createBurstLimit(20, 100), 'a', 500)).toBe(120)
})
