import { describe, expect, it, test } from 'vitest'
import { type MergedPages, mergeOrders, type OrderPages, wantsMore } from './orders.ts'
import type { OrderPage, OrderView } from '@fairlot/contract'
import { money } from '@fairlot/core'

test('the next page is requested once at a time, and not again after a failure', () => {
  const hasMore = { hasMore: true, isLoadingMore: false, isMoreFailed: false }
  expect(wantsMore(hasMore)).toBe(true)
  expect(wantsMore({ ...hasMore, hasMore: false })).toBe(false)
  expect(wantsMore({ ...hasMore, isLoadingMore: true })).toBe(false)
  expect(wantsMore({ ...hasMore, isMoreFailed: true })).toBe(false)
})

type OrderChange = Partial<Omit<OrderView, 'id'>>

const order = (id: number, change: OrderChange = {}): OrderView =>
  ({
    id,
    parentId: null,
    status: 'holding',
    kind: 'market',
    openPrice: '1.1',
    lots: 1000,
    profit: money(0n),
    ...change,
  }) as OrderView

const down = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

const pages = (total: number, ...ids: number[][]): OrderPages => ({
  pages: ids.map((of): OrderPage => ({
    orders: of.map((id) => order(id)),
    total,
    profit: money(0n),
    balance: money(0n),
  })),
  pageParams: ids.map((_, index) => ids[index - 1]?.at(-1) ?? null),
})

const idsOf = ({ pages: { pages } }: MergedPages) => pages.map(({ orders }) => orders.map(({ id }) => id))
const totalOf = ({ pages: { pages } }: MergedPages) => pages[0]?.total

describe('a list of orders after a push', () => {
  it('updates a changed order in its place', () => {
    const merged = mergeOrders('holding', pages(3, [9, 8, 7]), [order(8, { lots: 500 as OrderView['lots'] })])
    expect(merged.pages.pages[0]?.orders[1]).toMatchObject({ id: 8, lots: 500 })
    expect([idsOf(merged), totalOf(merged), merged.isSure]).toEqual([[[9, 8, 7]], 3, true])
  })

  it('shows a new order first and counts it', () => {
    const merged = mergeOrders('holding', pages(2, [9, 8]), [order(10)])
    expect([idsOf(merged), totalOf(merged), merged.isSure]).toEqual([[[10, 9, 8]], 3, true])
  })

  it('puts a pending order that was filled among the positions by its number', () => {
    const merged = mergeOrders('holding', pages(2, [9, 7]), [order(8, { kind: 'limit' })])
    expect(idsOf(merged)).toEqual([[9, 8, 7]])
  })

  it('removes an order that has ended or moved to another list', () => {
    const ended = mergeOrders('holding', pages(3, [9, 8, 7]), [order(8, { status: 'closed' })])
    expect([idsOf(ended), totalOf(ended), ended.isSure]).toEqual([[[9, 7]], 2, true])
    const filled = mergeOrders('pending', pages(1, [8]), [order(8, { kind: 'stop' })])
    expect([idsOf(filled), totalOf(filled)]).toEqual([[[]], 0])
  })

  it('adds an ended order to the history, with its booked profit', () => {
    const merged = mergeOrders('history', pages(1, [3]), [
      order(5, { status: 'closed', profit: money(7n) }),
      order(6, { status: 'cancelled', openPrice: null, kind: 'limit' }),
    ])
    expect([idsOf(merged), totalOf(merged)]).toEqual([[[6, 5, 3]], 3])
    expect(merged.pages.pages[0]?.profit).toBe(7n)
  })

  it('puts the order that ended last first in the history, however old it is', () => {
    const known = mergeOrders('history', pages(0, []), [
      order(7, { status: 'closed', endedAt: 100 }),
      order(9, { status: 'closed', endedAt: 200 }),
    ])
    const merged = mergeOrders('history', known.pages, [order(2, { status: 'closed', endedAt: 300 })])
    expect(idsOf(merged)).toEqual([[2, 9, 7]])
  })

  it('adds an old order that ended now to a history that is not loaded to its end', () => {
    const merged = mergeOrders('history', pages(30, down(40, 31)), [
      order(2, { status: 'closed', endedAt: 1 }),
    ])
    expect([idsOf(merged)[0]?.[0], totalOf(merged), merged.isSure]).toEqual([2, 31, true])
  })

  it('does not count the same order twice', () => {
    const once = mergeOrders('holding', pages(1, [8]), [order(9)])
    const twice = mergeOrders('holding', once.pages, [order(9)])
    expect([idsOf(twice), totalOf(twice)]).toEqual([[[9, 8]], 2])
  })

  it('keeps full pages: what no longer fits comes with the next one', () => {
    const merged = mergeOrders('holding', pages(30, down(40, 31), down(30, 21)), [order(41)])
    expect(idsOf(merged)).toEqual([down(41, 32), down(31, 22)])
    expect([totalOf(merged), merged.isSure]).toEqual([31, true])
  })

  it('is fetched again when a row has left a list that is not loaded to its end', () => {
    const merged = mergeOrders('holding', pages(30, down(40, 31)), [order(35, { status: 'closed' })])
    expect([totalOf(merged), merged.isSure]).toEqual([29, false])
  })

  it('is fetched again when the order may be among the rows that were not loaded', () => {
    const loaded = pages(30, down(40, 31))
    expect(mergeOrders('holding', loaded, [order(12)]).isSure).toBe(false)
    expect(mergeOrders('holding', loaded, [order(12, { status: 'closed' })]).isSure).toBe(false)
    expect(mergeOrders('pending', loaded, [order(12, { kind: 'limit' })]).isSure).toBe(false)
  })

  it('is unchanged if the order was never in it', () => {
    const loaded = pages(30, down(40, 31))
    expect(mergeOrders('pending', loaded, [order(41)]).isSure).toBe(true)
    expect(
      mergeOrders('holding', loaded, [order(41, { status: 'cancelled', openPrice: null, kind: 'limit' })]),
    ).toEqual({
      pages: loaded,
      isSure: true,
    })
    expect(mergeOrders('holding', loaded, [order(41, { status: 'closed', parentId: 35 })]).isSure).toBe(true)
  })
})
