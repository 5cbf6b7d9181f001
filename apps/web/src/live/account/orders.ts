import {
  cancelOrder,
  closeAllOrders,
  closeOrder,
  getOrder,
  listOrders,
  listReceipts,
  PAGE_ROWS,
  resetDemo,
  reverseOrder,
  setStops,
  setTrailing,
} from '@fairlot/contract'
import type { Decimal, OrderList, OrderPage, OrderView, SealedReceipt } from '@fairlot/contract'
import type { Lots, Money } from '@fairlot/core'
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshAccount } from './account.ts'
import { change } from '../requests/change.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { mergeOrders, type OrderPages } from './order-pages.ts'
import { fetchAgain, fetchAgainIfFetching, queryClient } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'
import { useIsLoggedIn } from '../auth/token.ts'

const ordersQuery = (list: OrderList) =>
  infiniteQueryOptions({
    queryKey: ['orders', list],
    queryFn: ({ pageParam, signal }) =>
      request(listOrders, { list, page: pageParam }, { signal, isSilent: true }),
    initialPageParam: 1,
    // Finished when the loaded rows are at least the total.
    getNextPageParam: (last: OrderPage, pages: OrderPage[]) =>
      pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined,
  })

export type OrdersState = {
  /** Undefined before the first answer. */
  orders: readonly OrderView[] | undefined
  /** Rows of the list on the server; undefined before the first answer. */
  total: number | undefined
  /** Over all rows of the list, not only the loaded ones. */
  profit: Money | undefined
  isFailed: boolean
  hasMore: boolean
  isLoadingMore: boolean
  /** The next page was asked for and did not come; false again once the list is fetched anew. */
  isMoreFailed: boolean
  loadMore: () => unknown
  refetch: () => unknown
}

/** One of the user's lists, newest first, page by page. */
export function useOrders(list: OrderList): OrdersState {
  const query = useInfiniteQuery({ ...ordersQuery(list), enabled: useIsLoggedIn() })
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

/** Whether whoever needs the whole list asks for the next page now. Not after a failure: that would never end. */
export const wantsMore = ({
  hasMore,
  isLoadingMore,
  isMoreFailed,
}: Pick<OrdersState, 'hasMore' | 'isLoadingMore' | 'isMoreFailed'>): boolean =>
  hasMore && !isLoadingMore && !isMoreFailed

export type OrderState = { order: OrderView | undefined; isFailed: boolean; refetch: () => unknown }

/** One of the user's orders, living or ended, wherever it is in the lists. */
export function useOrder(orderId: number): OrderState {
  const { data, isError, refetch } = useQuery({
    queryKey: ['orders', 'one', orderId],
    queryFn: ({ signal }) => request(getOrder, { orderId }, { signal, isSilent: true }),
  })
  return { order: data, isFailed: isError && !data, refetch }
}

/** The receipts of an order as they were hashed. */
export const fetchReceipts = (orderId: number): Promise<readonly SealedReceipt[]> =>
  request(listReceipts, { orderId })

const LISTS: readonly OrderList[] = ['holding', 'pending', 'history']

/** Shows orders as they have become, in every list and sheet. */
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

/** Takes the changes of orders, whichever device or price they come from; called once at the start of the app. */
export const startOrderUpdates = (): void =>
  void onServerMessage('orders', ({ orders }) => showChanged(orders))

/** Calls back when the position ends while this is shown: its open sheet has nothing left to show. */
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
 * Closes a position at the market, or a part of it. Answers it as it then is; a part as the order it becomes. Whoever calls
 * refreshes the account, and waits for it: lots of the old list are not those of the position any more.
 */
export const closePosition = (closing: Closing): Promise<OrderView> => change(closeOrder, closing)

/** Closes what can be closed now; answers what has ended and how many positions stay open. */
export async function closeEverything(): Promise<{ orders: readonly OrderView[]; remainingCount: number }> {
  const ended = await change(closeAllOrders, null, { isWaitedFor: true })
  void refreshAccount()
  return ended
}

/** Closes a position and opens its opposite, or does neither; answers the new position. */
export async function reversePosition(orderId: number): Promise<OrderView> {
  const order = await change(reverseOrder, { orderId })
  void refreshAccount()
  return order
}

type Trail = {
  orderId: number
  /** In price; null leaves the stop where it stands. */
  distance: Decimal | null
}

/** Lets the stop loss follow the price, or stops that; answers the position. A refusal is the caller's to show. */
export async function changeTrailing(trail: Trail): Promise<OrderView> {
  const order = await change(setTrailing, trail, { isSilent: true })
  void refreshAccount()
  return order
}

/** Withdraws a pending order. */
export async function cancelPending(orderId: number): Promise<OrderView> {
  const order = await change(cancelOrder, { orderId }, { isTold: true })
  void refreshAccount()
  return order
}

type Stops = { orderId: number; stopLoss: Decimal | null; takeProfit: Decimal | null }

/** Sets or clears both stops of an order; answers a warning when the stop loss lies beyond the stop-out. */
export async function changeStops(stops: Stops): Promise<{ warning: string | null }> {
  const { warning } = await change(setStops, stops, { isSilent: true, isTold: true })
  void refreshAccount()
  return { warning: warning?.message ?? null }
}

/** Ends every order of a demo account without a fill and restores its starting balance, which it answers. */
export async function resetAccount(): Promise<{ balance: Money }> {
  const account = await change(resetDemo, null, { isWaitedFor: true, isTold: true })
  void refreshAccount()
  return account
}
