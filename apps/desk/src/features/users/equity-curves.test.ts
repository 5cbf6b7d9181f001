import type { UserEquityPoint } from '@fairlot/contract/desk'
import { money } from '@fairlot/core'
import { expect, test } from 'vitest'
import { curvesOf } from './equity-curves.ts'

const BOX = { width: 100, height: 10 }
const pointsOf = (...equities: (bigint | null)[]): UserEquityPoint[] =>
  equities.map((equity, hour) => ({
    moment: hour,
    balance: money(0n),
    equity: equity === null ? null : money(equity),
  }))

test('equity is one line through the known points', () => {
  expect(curvesOf(pointsOf(0n, 20n, 10n), BOX)).toEqual({
    equity: { line: 'M0.0 10.0L50.0 0.0L100.0 5.0', dots: '' },
    balance: { line: 'M0.0 10.0L50.0 10.0L100.0 10.0', dots: '' },
  })
})

test('a point after a gap starts a new line', () => {
  const { equity } = curvesOf(pointsOf(10n, 0n, null, 0n, 10n), BOX)
  expect(equity).toEqual({ line: 'M0.0 0.0L25.0 10.0M75.0 10.0L100.0 0.0', dots: '' })
})

test('a point between two gaps is a dot', () => {
  const { equity } = curvesOf(pointsOf(10n, null, 5n, null, 10n), BOX)
  expect(equity).toEqual({ line: '', dots: 'M0.0 0.0h0M50.0 5.0h0M100.0 0.0h0' })
})

test('a single point is a dot in the middle', () => {
  expect(curvesOf(pointsOf(0n), BOX)).toEqual({
    equity: { line: '', dots: 'M50.0 5.0h0' },
    balance: { line: '', dots: 'M50.0 5.0h0' },
  })
})
