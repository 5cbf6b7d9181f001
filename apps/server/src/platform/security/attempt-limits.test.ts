import { expect, test, vi } from 'vitest'
import { refuse } from '../refusal.ts'
import { withAttemptLimits, createAttemptLimit } from './attempt-limits.ts'

const wrong = () => Promise.resolve(refuse('codeWrong'))
const right = () => Promise.resolve('in')

test('counts refused attempts, not successful ones', async () => {
  const keys = [[createAttemptLimit(2), 'k']] as const
  for (const expected of ['in', 'in', 'in']) expect(await withAttemptLimits(keys, right)).toBe(expected)
  expect(await withAttemptLimits(keys, wrong)).toEqual(refuse('codeWrong'))
  expect(await withAttemptLimits(keys, wrong)).toEqual(refuse('codeWrong'))
  expect(await withAttemptLimits(keys, right)).toEqual(refuse('tooManyRequests'))
})

test('does not count a check that throws', async () => {
  const keys = [[createAttemptLimit(1), 'k']] as const
  const busy = () => Promise.reject(new Error('busy'))
  for (let times = 0; times < 3; times++) await expect(withAttemptLimits(keys, busy)).rejects.toThrow('busy')
  expect(await withAttemptLimits(keys, right)).toBe('in')
})

test('limits concurrent attempts, too', async () => {
  const keys = [[createAttemptLimit(3), 'k']] as const
  const check = vi.fn(wrong)
  await Promise.all(Array.from({ length: 10 }, () => withAttemptLimits(keys, check)))
  expect(check).toHaveBeenCalledTimes(3)
})

test('does not count later keys once an earlier key is exhausted', async () => {
  const [narrow, wide] = [createAttemptLimit(1), createAttemptLimit(2)]
  for (let times = 0; times < 9; times++)
    await withAttemptLimits(
      [
        [narrow, 'here'],
        [wide, 'k'],
      ],
      wrong,
    )
  expect(await withAttemptLimits([[wide, 'k']], right)).toBe('in')
})
