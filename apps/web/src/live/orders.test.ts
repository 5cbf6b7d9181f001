import type { OrderPage, OrderView } from '@fairlot/contract'
import { money } from '@fairlot/core'
import { expect, test } from 'vitest'
import { trailingInterval, wantsMore, withoutOrders } from './orders.ts'

const page = (ids: number[], total: number): OrderPage => ({
  orders: ids.map((id) => ({ id }) as OrderView),
  total,
  profit: money(0n),
  balance: money(0n),
})

test('ended positions leave every loaded page, and the total tells it', () => {
  const pages = { pages: [page([9, 8], 3), page([7], 3)], pageParams: [1, 2] }
  const left = withoutOrders(pages, [8, 7, 1])
  expect(left.pages.map(({ orders }) => orders.map(({ id }) => id))).toEqual([[9], []])
  expect(left.pages.map(({ total }) => total)).toEqual([1, 1])
})

test('only a stop that follows the price is looked at again and again', () => {
  const standing = { trailingDistance: null } as OrderView
  const following = { trailingDistance: '0.002' } as OrderView
  expect(trailingInterval([])).toBe(false)
  expect(trailingInterval([standing])).toBe(false)
  expect(trailingInterval([standing, following])).toBe(5_000)
})

test('the next page is asked for once at a time, and not again when it failed', () => {
  const hasMore = { hasMore: true, isLoadingMore: false, isMoreFailed: false }
  expect(wantsMore(hasMore)).toBe(true)
  expect(wantsMore({ ...hasMore, hasMore: false })).toBe(false)
  expect(wantsMore({ ...hasMore, isLoadingMore: true })).toBe(false)
  expect(wantsMore({ ...hasMore, isMoreFailed: true })).toBe(false)
})
