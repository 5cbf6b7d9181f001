import { expect, test } from 'vitest'
import { monthsBefore, OTHER, periodOf } from './statement-button.tsx'

test('offers this month and the eleven before it, by UTC', () => {
  const months = monthsBefore(Date.UTC(2026, 1, 28, 23, 59))
  expect(months.slice(0, 3)).toEqual(['2026-02-01', '2026-01-01', '2025-12-01'])
  expect(months).toHaveLength(12)
})

test('a month reaches from its first to its last day', () => {
  const days = { from: '', to: '' }
  expect(periodOf({ ...days, month: '2024-02-01' })).toEqual({
    from: Date.UTC(2024, 1, 1),
    to: Date.UTC(2024, 1, 29),
  })
})

test('days are a period once both are there and in order', () => {
  const days = { month: OTHER, from: '2026-01-05', to: '2026-01-05' }
  expect(periodOf(days)).toEqual({ from: Date.UTC(2026, 0, 5), to: Date.UTC(2026, 0, 5) })
  expect(periodOf({ ...days, to: '' })).toBeNull()
  expect(periodOf({ ...days, to: '2026-01-04' })).toBeNull()
})
