import {
  cancelOrder,
  closeAllOrders,
  closeOrder,
  type Decimal,
  getOrder,
  listOrders,
  listReceipts,
  type OrderList,
  type OrderPage,
  type OrderView,
  PAGE_ROWS,
  resetDemo,
  reverseOrder,
  type SealedReceipt,
  setStops,
  setTrailing,
} from '@fairlot/contract'
import { type Lots, money, type Money } from '@fairlot/core'
import { type InfiniteData, infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshAccount } from './account.ts'
import { change } from '../requests/change.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { fetchAgain, fetchAgainIfFetching, queryClient } from '../requests/query-client.ts'
import { FIRST_PAGE, rowsAfter } from '../requests/paged-rows.ts'
import { request } from '../requests/request.ts'
import { useIsLoggedIn } from '../device/token.ts'

const ordersQuery = (list: OrderList) =>
  infiniteQueryOptions({
    queryKey: ['orders', list],
    queryFn: ({ pageParam, signal }) =>
      request(listOrders, { list, page: 1, before: pageParam, copyId: null }, { signal, isSilent: true }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (_last: OrderPage, pages: OrderPage[]) => rowsAfter(pages, ({ orders }) => orders),
  })

export type OrdersState = {
  /** Undefined before the first response. */
  orders: readonly OrderView[] | undefined
  /** Rows of the list on the server; undefined before the first response. */
  total: number | undefined
  /** Over all rows of the list, not only the loaded ones. */
  profit: Money | undefined
  isFailed: boolean
  hasMore: boolean
  isLoadingMore: boolean
  /** Loading the next page failed; false again after the list was fetched again. */
  isMoreFailed: boolean
  loadMore: () => unknown
  refetch: () => unknown
}

/** One of the user's lists, newest first, page by page; not requested unless it is wanted. */
export function useOrders(list: OrderList, isWanted = true): OrdersState {
  const isLoggedIn = useIsLoggedIn()
  const query = useInfiniteQuery({ ...ordersQuery(list), enabled: isLoggedIn && isWanted })
  const pages = query.data?.pages
  return {
    orders: pages?.flatMap((page) => page.orders),
    total: pages?.[0]?.total,
    profit: pages?.[0]?.profit,
    isFailed: query.isError && !query.data,
    hasMore: query.hasNextPage,
    isLoadingMore: query.isFetchingNextPage,
    isMoreFailed: query.isFetchNextPageError,
    loadMore: query.fetchNextPage,
    refetch: query.refetch,
  }
}

/** Whether a caller that needs the whole list should load the next page now. Not after a failure, to avoid an endless loop. */
export const wantsMore = ({
  hasMore,
  isLoadingMore,
  isMoreFailed,
}: Pick<OrdersState, 'hasMore' | 'isLoadingMore' | 'isMoreFailed'>): boolean =>
  hasMore && !isLoadingMore && !isMoreFailed

export type OrderState = { order: OrderView | undefined; isFailed: boolean; refetch: () => unknown }

/** One of the user's orders, in any state and from any list. */
export function useOrder(orderId: number): OrderState {
  const { data, isError, refetch } = useQuery({
    queryKey: ['orders', 'one', orderId],
    queryFn: ({ signal }) => request(getOrder, { orderId }, { signal, isSilent: true }),
  })
  return { order: data, isFailed: isError && !data, refetch }
}

/** The receipts of an own order as they were hashed. */
export const fetchReceipts = (orderId: number): Promise<readonly SealedReceipt[]> =>
  request(listReceipts, { orderId })

const LISTS: readonly OrderList[] = ['holding', 'pending', 'history']

/** Updates changed orders in every list and sheet. */
function showChanged(orders: readonly OrderView[]): void {
  for (const list of LISTS) showIn(list, orders)
  for (const order of orders) {
    const queryKey = ['orders', 'one', order.id]
    queryClient.setQueryData<OrderView>(queryKey, (before) => before && order)
    fetchAgainIfFetching({ queryKey, exact: true })
  }
}

function showIn(list: OrderList, orders: readonly OrderView[]): void {
  const queryKey = ['orders', list]
  const before = queryClient.getQueryData<OrderPages>(queryKey)
  const merged = before && mergeOrders(list, before, orders)
  if (merged) queryClient.setQueryData(queryKey, merged.pages)
  if (merged?.isSure === false) void fetchAgain({ queryKey, exact: true })
  else fetchAgainIfFetching({ queryKey, exact: true })
}

/** Applies pushed changes of orders, whatever caused them. Called once. */
export const startOrderUpdates = (): void =>
  void onServerMessage('orders', ({ orders }) => showChanged(orders))

/** Calls back when the position is closed, so that its open sheet can close. */
export function useOnClosed(orderId: number | null, close: () => void): void {
  useEffect(
    () =>
      onServerMessage('closed', ({ orderIds }) => orderId !== null && orderIds.includes(orderId) && close()),
    [orderId, close],
  )
}

type Closing = {
  orderId: number
  /** Null closes all of it. */
  lots: Lots | null
}

/**
 * Closes a position, or a part of it, at the market. Returns the closed order; a part becomes an order with a number of its own. The
 * caller refreshes the account and waits for it, because the lists still show the old lots.
 */
export const closePosition = (closing: Closing): Promise<OrderView> => change(closeOrder, closing)

/** Closes all positions that can be closed now; returns them and the number of those that stay open. */
export async function closeEverything(): Promise<{ orders: readonly OrderView[]; remainingCount: number }> {
  const ended = await change(closeAllOrders, null, { isWaitedFor: true })
  void refreshAccount()
  return ended
}

/** Closes a position and opens the opposite one, or does neither; returns the new position. */
export async function reversePosition(orderId: number): Promise<OrderView> {
  const order = await change(reverseOrder, { orderId })
  void refreshAccount()
  return order
}

type Trail = {
  orderId: number
  /** As a price difference; null keeps the stop at its price. */
  distance: Decimal | null
}

/** Turns the trailing stop on or off; returns the position. The caller shows a rejection. */
export async function changeTrailing(trail: Trail): Promise<OrderView> {
  const order = await change(setTrailing, trail, { isSilent: true })
  void refreshAccount()
  return order
}

/** Cancels a pending order. */
export async function cancelPending(orderId: number): Promise<OrderView> {
  const order = await change(cancelOrder, { orderId }, { showsConfirmation: true })
  void refreshAccount()
  return order
}

/** Null clears a stop; one that is left out stays as it is. */
type Stops = { orderId: number; stopLoss?: Decimal | null; takeProfit?: Decimal | null }

/** Sets or clears stops of an order; returns a warning when the stop loss lies beyond the stop-out price. */
export async function changeStops(stops: Stops): Promise<{ warning: string | null }> {
  const { warning } = await change(
    setStops,
    { stopLoss: undefined, takeProfit: undefined, ...stops },
    { isSilent: true, showsConfirmation: true },
  )
  void refreshAccount()
  return { warning: warning?.message ?? null }
}

/**
 * Ends every order of a demo account without a fill and sets its balance to `start`, or to the default for null; returns it. The
 * caller shows a rejection.
 */
export async function resetAccount(start: Money | null): Promise<{ balance: Money }> {
  const account = await change(
    resetDemo,
    { start },
    { isSilent: true, isWaitedFor: true, showsConfirmation: true },
  )
  void refreshAccount()
  return account
}

/** The loaded pages of one list: newest first, the history by the time of the end. */
export type OrderPages = InfiniteData<OrderPage, number | null>

/** A list after a push. `isSure` is false when rows that are not loaded decide: then the list must be fetched again. */
export type MergedPages = { readonly pages: OrderPages; readonly isSure: boolean }

type Loaded = { readonly orders: readonly OrderView[]; readonly total: number; readonly profit: bigint }

const isOver = ({ status }: OrderView): boolean => status === 'closed' || status === 'cancelled'

/** The list that an order belongs to. */
const listOf = (order: OrderView): OrderList =>
  isOver(order) ? 'history' : order.status === 'pending' ? 'pending' : 'holding'

/** Compares two orders by the server's sorting of a list. */
const compareIn = (list: OrderList) => (a: OrderView, b: OrderView) =>
  (list === 'history' ? (b.endedAt ?? 0) - (a.endedAt ?? 0) : 0) || b.id - a.id

/** Whether an order may have been in a list before its last change. */
function mayHaveBeenIn(list: OrderList, order: OrderView): boolean {
  if (list === 'history' || order.parentId !== null) return false
  return list === 'holding' ? order.openPrice !== null : order.kind !== 'market'
}

/** Adds, updates or removes changed orders in a list. */
export function mergeOrders(list: OrderList, before: OrderPages, changed: readonly OrderView[]): MergedPages {
  const [first] = before.pages
  if (!first) return { pages: before, isSure: false }
  const loaded: Loaded = {
    orders: before.pages.flatMap(({ orders }) => orders),
    total: first.total,
    profit: first.profit,
  }
  let isSure = true
  const merged = changed.reduce((current, order) => {
    const next = mergeOne(list, current, order)
    isSure &&= next !== null
    return next ?? current
  }, loaded)
  const capacity = before.pages.length * PAGE_ROWS
  // A row removed from a list that is only partly loaded leaves a gap at the end of the last page.
  return {
    pages: paged(before, merged),
    isSure: isSure && merged.orders.length >= Math.min(merged.total, capacity),
  }
}

/** Null when the loaded rows cannot decide. */
function mergeOne(list: OrderList, { orders, total, profit }: Loaded, order: OrderView): Loaded | null {
  const known = orders.find(({ id }) => id === order.id)
  const isAllLoaded = orders.length >= total
  if (listOf(order) === list) {
    if (known)
      return {
        orders: orders.map((one) => (one === known ? order : one)),
        total,
        profit: profit - known.profit + order.profit,
      }
    const last = orders.at(-1)
    // Further down it may be on the server's list already, and counted.
    if (!isAllLoaded && last && compareIn(list)(last, order) < 0) return null
    const added = [...orders, order].toSorted(compareIn(list))
    return { orders: added, total: total + 1, profit: profit + order.profit }
  }
  if (known) {
    return { orders: orders.filter((one) => one !== known), total: total - 1, profit: profit - known.profit }
  }
  return isAllLoaded || !mayHaveBeenIn(list, order) ? { orders, total, profit } : null
}

/** The same number of pages; rows that no longer fit come with the next page. */
const paged = (before: OrderPages, { orders, total, profit }: Loaded): OrderPages => ({
  ...before,
  pages: before.pages.map((page, index) => ({
    ...page,
    orders: orders.slice(index * PAGE_ROWS, (index + 1) * PAGE_ROWS),
    total,
    profit: money(profit),
  })),
})

/** Link to an order, opened in its list. */
export const orderPath = ({ id, status }: Pick<OrderView, 'id' | 'status'>): string =>
  `/order?list=${status === 'holding' || status === 'pending' ? status : 'history'}&order=${id}`
