import type { AccountFigures, AccountUpdate, Decimal, LedgerRecord } from '@fairlot/contract'
import { fromUnits, money } from '@fairlot/core'
import { describe, expect, it, test } from 'vitest'
import { addRecords, createSequence, toAccountSnapshot, withSnapshot } from './account.ts'

const figures: AccountFigures = {
  balance: money(99_000_000_000n),
  equity: money(99_000_000_000n),
  free: money(99_000_000_000n),
  margin: money(0n),
  level: null,
  profit: money(0n),
  reserved: money(0n),
  stopOuts: [],
  computedAt: 5,
}

test('a push has the booked and the changing figures; the others are calculated from them', () => {
  const snapshot = {
    level: 1382 as Decimal,
    margin: money(7_250_000_000n),
    profit: money(-214_302_114n),
    balance: money(100_000_000_000n),
    reserved: money(1_000_000_000n),
    positions: new Map(),
    computedAt: 5,
  }
  expect(withSnapshot(figures, snapshot)).toEqual({
    balance: 100_000_000_000n,
    equity: 99_785_697_886n,
    free: 91_535_697_886n,
    margin: 7_250_000_000n,
    level: 1382,
    profit: -214_302_114n,
    reserved: 1_000_000_000n,
    stopOuts: [],
    computedAt: 5,
  })
})

test('fetched figures count where the server computed them after the last push', () => {
  const snapshot = toAccountSnapshot({ ...update, computedAt: 6 })
  const fetched = { ...figures, computedAt: 7 }
  expect(withSnapshot(fetched, snapshot)).toBe(fetched)
  expect(withSnapshot({ ...figures, computedAt: 5 }, snapshot)).toMatchObject({ balance: 7n })
})

const update: AccountUpdate = {
  type: 'account',
  userId: 1,
  level: null,
  margin: money(0n),
  profit: money(0n),
  balance: money(7n),
  reserved: money(2n),
  orders: [{ id: 4, currentPrice: fromUnits(11, 1), profit: money(3n) }],
  computedAt: 5,
  seq: 1,
}

describe('pushes about the account', () => {
  it('are kept in the order of positions', () => {
    const snapshot = toAccountSnapshot(update)
    expect(snapshot).toMatchObject({ balance: 7n, reserved: 2n, computedAt: 5 })
    expect(snapshot.positions.get(4)).toEqual({ currentPrice: 1.1, profit: 3n })
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

  it('reports a missed change once', () => {
    expect(gaps(4, 5, 7, 8)).toEqual([false, false, true, false])
  })

  it('ignores a number that it already had', () => {
    expect(gaps(5, 5, 4, 6)).toEqual([false, false, false, false])
  })

  it('reports a missed last change when figures repeat its number', () => {
    const sequence = createSequence()
    sequence.isGap(5)
    expect([5, 5, 6, 6].map(sequence.isBehind)).toEqual([false, false, true, false])
    expect(sequence.isGap(7)).toBe(false)
  })

  it('starts again with a log-in', () => {
    const sequence = createSequence()
    sequence.isGap(5)
    sequence.restart()
    expect(sequence.isGap(20)).toBe(false)
  })
})

const records = (...ids: number[]) => ids.map((id) => ({ id }) as LedgerRecord)
const loaded = (total: number, ...ids: number[]) => ({
  pages: [{ records: records(...ids), total }],
  pageParams: [1],
})

test('new bookings come first and are counted', () => {
  expect(addRecords(loaded(2, 5, 4), records(6, 7))).toEqual(loaded(4, 7, 6, 5, 4))
})

test('bookings that are there already are not counted again', () => {
  const before = loaded(2, 5, 4)
  expect(addRecords(before, records(4, 5))).toBe(before)
  expect(addRecords(before, records(5, 6))).toEqual(loaded(3, 6, 5, 4))
})

test('a page keeps its size; what no longer fits comes with the next one', () => {
  const full = loaded(12, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11)
  expect(addRecords(full, records(21))).toEqual(loaded(13, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12))
})
