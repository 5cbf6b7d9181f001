import { expect, it } from 'vitest'
import { keepLast } from './use-memo-of.ts'

it('makes a value anew only when a key is another, or their number is', () => {
  const kept = keepLast<number>()
  let made = 0
  const ask = (...keys: unknown[]) => kept(keys, () => (made += 1))
  const order = { id: 1 }
  expect([ask(1n, order), ask(1n, order)]).toEqual([1, 1])
  expect([ask(2n, order), ask(2n, { ...order })]).toEqual([2, 3])
  expect([ask(), ask(), ask(undefined)]).toEqual([4, 4, 5])
})
