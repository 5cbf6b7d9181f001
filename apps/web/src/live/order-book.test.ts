import { fromUnits, type AccountUpdate } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { describe, expect, it } from 'vitest'
import { createSequence, hasNewPosition, toPulse } from './order-book.ts'

const pulseOf = (...ids: number[]) =>
  toPulse(
    {
      type: 'account',
      userId: 1,
      level: null,
      margin: money(0n),
      profit: money(0n),
      orders: ids.map((id) => ({ id, currentPrice: fromUnits(11, 1), profit: money(0n) })),
      seq: 1,
    } satisfies AccountUpdate,
    0,
  )

describe('pushes about the account', () => {
  it('tells a position that was opened elsewhere', () => {
    expect(hasNewPosition(pulseOf(1), pulseOf(1, 2))).toBe(true)
  })

  it('takes the first push, an unchanged one and one with fewer positions as no news', () => {
    expect(hasNewPosition(null, pulseOf(1))).toBe(false)
    expect(hasNewPosition(pulseOf(1, 2), pulseOf(1, 2))).toBe(false)
    expect(hasNewPosition(pulseOf(1, 2), pulseOf(2))).toBe(false)
  })

  it('tells a missing message by its number, and starts anew after a new login', () => {
    const sequence = createSequence()
    expect([4, 5, 7, 7].map((seq) => sequence.isGap(seq))).toEqual([false, false, true, false])
    sequence.restart()
    expect(sequence.isGap(20)).toBe(false)
  })
})
