import type { AccountUpdate } from '@fairlot/contract'
import { fromUnits, money } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { createSequence, toPulse } from './account-feed.ts'

const update: AccountUpdate = {
  type: 'account',
  userId: 1,
  level: null,
  margin: money(0n),
  profit: money(0n),
  balance: money(7n),
  reserved: money(2n),
  orders: [{ id: 4, currentPrice: fromUnits(11, 1), profit: money(3n) }],
  seq: 1,
}

describe('pushes about the account', () => {
  it('are kept in the order of positions', () => {
    const pulse = toPulse(update, 5)
    expect(pulse).toMatchObject({ balance: 7n, reserved: 2n, receivedAt: 5 })
    expect(pulse.positions.get(4)).toEqual({ currentPrice: 1.1, profit: 3n })
  })
})

describe('the sequence of private messages', () => {
  const gaps = (...numbers: number[]) => {
    const { isGap } = createSequence()
    return numbers.map(isGap)
  }

  it('has no gap while each change has the next number, and none at the first', () => {
    expect(gaps(40, 41, 42)).toEqual([false, false, false])
  })

  it('tells a change that was missed, once', () => {
    expect(gaps(4, 5, 7, 8)).toEqual([false, false, true, false])
  })

  it('takes a number it has had as no news', () => {
    expect(gaps(5, 5, 4, 6)).toEqual([false, false, false, false])
  })

  it('tells from the figures that the last change was missed: they repeat its number', () => {
    const sequence = createSequence()
    sequence.isGap(5)
    expect([5, 5, 6, 6].map(sequence.isBehind)).toEqual([false, false, true, false])
    expect(sequence.isGap(7)).toBe(false)
  })

  it('starts anew with a log-in', () => {
    const sequence = createSequence()
    sequence.isGap(5)
    sequence.restart()
    expect(sequence.isGap(20)).toBe(false)
  })
})
