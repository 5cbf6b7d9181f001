import { describe, expect, test } from 'vitest'
import { lossesHandedOn, LOSS_CARRIED_MS } from './copying.ts'
import { money } from './number.ts'

const AT = 1_000
const loss = (amount: number, until: number) => ({ amount: money(BigInt(amount)), until })

describe('the losses that a copy hands on at its end', () => {
  test.each([
    ['its own alone', [], 50, [loss(50, AT + LOSS_CARRIED_MS)]],
    ['none', [loss(30, 5_000)], 0, []],
    ['what is left of an earlier one, with its date', [loss(30, 5_000)], 20, [loss(20, 5_000)]],
    [
      'an earlier one whole, and its own with a date of its own',
      [loss(30, 5_000)],
      45,
      [loss(30, 5_000), loss(15, AT + LOSS_CARRIED_MS)],
    ],
    [
      'the younger of two, because the oldest is made up for first',
      [loss(30, 5_000), loss(20, 9_000)],
      25,
      [loss(5, 5_000), loss(20, 9_000)],
    ],
  ])('are %s', (_, takenOver, left, handedOn) => {
    expect(lossesHandedOn(takenOver, money(BigInt(left)), AT)).toEqual(handedOn)
  })
})
