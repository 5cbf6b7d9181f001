import { lots, type Lots } from '@fairlot/core'
import { describe, expect, test } from 'vitest'
import {
  partOf,
  partProblem,
  remainingPositions,
  type RemainingPositions,
  SHARES,
  stillRemaining,
} from './close-position.tsx'
import type { OrderView } from '@fairlot/contract'

const rule = { lotStep: lots(100), lotMin: lots(100) }
const shares = (held: number, of = rule) => SHARES.map((percent) => partOf(lots(held), percent, of))

describe('a share of a position', () => {
  test('is exact where the step allows it', () => {
    expect(shares(1_000)).toEqual([300, 500, 800])
    expect(shares(400)).toEqual([100, 200, 300])
    expect(shares(10_000)).toEqual([2_500, 5_000, 7_500])
  })
  test('is the nearest step, and leaves at least the minimum open', () => {
    expect(shares(300)).toEqual([100, 200, 200])
    expect(shares(200)).toEqual([100, 100, 100])
  })
  test('respects a minimum above the step', () => {
    const of = { lotStep: lots(100), lotMin: lots(1_000) }
    expect(shares(2_100, of)).toEqual([1_000, 1_100, 1_100])
    expect(shares(1_900, of)).toEqual([null, null, null])
  })
  test('is none when the rest would be too small', () => {
    expect(shares(100)).toEqual([null, null, null])
  })
  test('and its rest could each have been opened, whatever the sizes', () => {
    for (const lotStep of [1, 3, 100])
      for (const lotMin of [1, 100, 250])
        for (let held = lotMin; held < 1_300; held += 37)
          for (const part of shares(held, { lotStep: lots(lotStep), lotMin: lots(lotMin) })) {
            if (part === null) continue
            expect(part % lotStep).toBe(0)
            expect(Math.min(part, held - part)).toBeGreaterThanOrEqual(lotMin)
          }
  })
})

test.each([
  [null, 'unreadable'],
  [0, 'tooSmall'],
  [99, 'tooSmall'],
  [150, 'offStep'],
  [901, 'offStep'],
  [1_100, 'tooLarge'],
  [900, null],
  [100, null],
  [1_000, null],
])('closing %s of 1000 units is %s', (part, problem) => {
  expect(partProblem(part as Lots | null, lots(1_000), rule)).toBe(problem)
})

test('a part that leaves less than the minimum is too large', () => {
  const of = { lotStep: lots(100), lotMin: lots(300) }
  expect(partProblem(lots(800), lots(1_000), of)).toBe('tooLarge')
  expect(partProblem(lots(700), lots(1_000), of)).toBeNull()
})

const orders = (...ids: number[]) => ids.map((id) => ({ id }) as OrderView)
const now = (left: RemainingPositions | null, ...ids: number[]) => {
  const still = left && stillRemaining(left, orders(...ids))
  return still && [still.count, still.orders.map(({ id }) => id)]
}

test('nothing is left open when everything has closed', () => {
  expect(remainingPositions(orders(1, 2), orders(1, 2), 0)).toBe(null)
})

test('lists what stays open, and counts what is not loaded too', () => {
  expect(now(remainingPositions(orders(1, 2, 3), orders(2), 12), 1, 3)).toEqual([12, [1, 3]])
})

test('leaves out what has closed or opened since', () => {
  const left = remainingPositions(orders(1, 2, 3), orders(2), 2)
  expect(now(left, 4, 3)).toEqual([1, [3]])
  expect(now(left, 4)).toEqual([0, []])
})
