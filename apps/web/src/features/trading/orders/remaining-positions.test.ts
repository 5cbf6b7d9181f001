import type { OrderView } from '@fairlot/contract'
import { expect, test } from 'vitest'
import { remainingPositions, stillRemaining, type RemainingPositions } from './remaining-positions.ts'

const orders = (...ids: number[]) => ids.map((id) => ({ id }) as OrderView)
const now = (left: RemainingPositions | null, ...ids: number[]) => {
  const still = left && stillRemaining(left, orders(...ids))
  return still && [still.count, still.orders.map(({ id }) => id)]
}

test('nothing is left open when everything has ended', () => {
  expect(remainingPositions(orders(1, 2), orders(1, 2), 0)).toBe(null)
})

test('names what stays open, and counts what is not loaded as well', () => {
  expect(now(remainingPositions(orders(1, 2, 3), orders(2), 12), 1, 3)).toEqual([12, [1, 3]])
})

test('names nothing that has closed since, and nothing that was opened since', () => {
  const left = remainingPositions(orders(1, 2, 3), orders(2), 2)
  expect(now(left, 4, 3)).toEqual([1, [3]])
  expect(now(left, 4)).toEqual([0, []])
})
