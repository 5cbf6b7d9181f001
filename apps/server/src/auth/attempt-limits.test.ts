import { expect, test, vi } from 'vitest'
import { refuse } from '../http/refusal.ts'
import { counted, createAttempts } from './attempt-limits.ts'

const wrong = () => Promise.resolve(refuse('codeWrong'))
const right = () => Promise.resolve('in')

test('what refuses counts, what is right does not', async () => {
  const keys = [[createAttempts(2), 'k']] as const
  for (const expected of ['in', 'in', 'in']) expect(await counted(keys, right)).toBe(expected)
  expect(await counted(keys, wrong)).toEqual(refuse('codeWrong'))
  expect(await counted(keys, wrong)).toEqual(refuse('codeWrong'))
  expect(await counted(keys, right)).toEqual(refuse('tooManyRequests'))
})

test('what throws has checked nothing, and does not count', async () => {
  const keys = [[createAttempts(1), 'k']] as const
  const busy = () => Promise.reject(new Error('busy'))
  for (let times = 0; times < 3; times++) await expect(counted(keys, busy)).rejects.toThrow('busy')
  expect(await counted(keys, right)).toBe('in')
})

test('many at once are no way around', async () => {
  const keys = [[createAttempts(3), 'k']] as const
  const check = vi.fn(wrong)
  await Promise.all(Array.from({ length: 10 }, () => counted(keys, check)))
  expect(check).toHaveBeenCalledTimes(3)
})

test('a key that is used up keeps what would follow from being counted', async () => {
  const [narrow, wide] = [createAttempts(1), createAttempts(2)]
  for (let times = 0; times < 9; times++)
    await counted(
      [
        [narrow, 'here'],
        [wide, 'k'],
      ],
      wrong,
    )
  expect(await counted([[wide, 'k']], right)).toBe('in')
})
