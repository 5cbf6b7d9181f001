import { expect, it } from 'vitest'
import { memoizeLast } from './account-snapshot.ts'

it('makes a new value only when a key or the number of keys changes', () => {
  const memoized = memoizeLast<number>()
  let made = 0
  const read = (...keys: unknown[]) => memoized(keys, () => (made += 1))
  const order = { id: 1 }
  expect([read(1n, order), read(1n, order)]).toEqual([1, 1])
  expect([read(2n, order), read(2n, { ...order })]).toEqual([2, 3])
  expect([read(), read(), read(undefined)]).toEqual([4, 4, 5])
})
