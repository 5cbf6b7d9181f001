import { expect, test } from 'vitest'
import { wantsMore } from './orders.ts'

test('the next page is asked for once at a time, and not again when it failed', () => {
  const hasMore = { hasMore: true, isLoadingMore: false, isMoreFailed: false }
  expect(wantsMore(hasMore)).toBe(true)
  expect(wantsMore({ ...hasMore, hasMore: false })).toBe(false)
  expect(wantsMore({ ...hasMore, isLoadingMore: true })).toBe(false)
  expect(wantsMore({ ...hasMore, isMoreFailed: true })).toBe(false)
})
