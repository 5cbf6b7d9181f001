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
import type { InfiniteData } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshAccount } from './account.ts'
import { onLive } from './door.ts'
import { queryClient } from './query-client.ts'
import { newRequestId, request } from './request.ts'
import { useIsLoggedIn } from './token.ts'

type Pages = InfiniteData<OrderPage, number>

/** No message tells that a stop has followed the price. */
const TRAILING_REFETCH_MS = 5_000

/** How long to wait before looking again at orders: only where a stop follows the price. */
export const trailingInterval = (orders: readonly OrderView[]): number | false =>
  orders.some(({ trailingDistance }) => trailingDistance !== null) && TRAILING_REFETCH_MS

const ordersQuery = (list: OrderList) =>
  infiniteQueryOptions({
    queryKey: ['orders', list],
    queryFn: ({ pageParam, signal }) =>
      request(listOrders, { list, page: pageParam }, { signal, isSilent: true }),
    initialPageParam: 1,
    // Finished when the loaded rows are at least the total.
    getNextPageParam: (last: OrderPage, pages: OrderPage[]) =>
      pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined,
    refetchInterval: ({ state: { data } }) =>
      list === 'holding' && trailingInterval(data?.pages.flatMap(({ orders }) => orders) ?? []),
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

/** The pages without these orders: they have ended. */
export function withoutOrders(pages: Pages, orderIds: readonly number[]): Pages {
  const isGone = ({ id }: OrderView) => orderIds.includes(id)
  return {
    ...pages,
    pages: pages.pages.map((page) => ({
      ...page,
      orders: page.orders.filter((order) => !isGone(order)),
      total: page.total - pages.pages.flatMap(({ orders }) => orders).filter(isGone).length,
    })),
  }
}

/** Takes ended positions off the holding list at once; called once at the start of the app. */
export const openOrders = (): void =>
  void onLive('closed', ({ orderIds }) => {
    queryClient.setQueryData<Pages>(['orders', 'holding'], (pages) => pages && withoutOrders(pages, orderIds))
    void refreshAccount()
  })

/** Calls back when the position ends while this is shown: its open sheet has nothing left to show. */
export function useOnClosed(orderId: number | null, close: () => void): void {
  useEffect(
    () => onLive('closed', ({ orderIds }) => orderId !== null && orderIds.includes(orderId) && close()),
    [orderId, close],
  )
}

/** How many pages of the history are looked through for orders that have just ended. */
const ENDED_PAGES_MAX = 3

/** Hears of positions that have ended, with their last word from the history, until the returned function is called. */
export const onEnded = (listener: (orders: readonly OrderView[]) => void): (() => void) =>
  onLive('closed', ({ orderIds }) => {
    // What cannot be fetched now stands in the history all the same.
    endedOrders(orderIds).then(listener, () => undefined)
  })

async function endedOrders(orderIds: readonly number[]): Promise<OrderView[]> {
  const found: OrderView[] = []
  for (let page = 1; page <= ENDED_PAGES_MAX && found.length < orderIds.length; page++) {
    const { orders } = await request(listOrders, { list: 'history', page }, { isSilent: true })
    found.push(...orders.filter(({ id }) => orderIds.includes(id)))
  }
  return found
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
export const closePosition = (closing: Closing): Promise<OrderView> =>
  request(closeOrder, closing, { requestId: newRequestId() })

/** Closes what can be closed now; answers what has ended and how many positions stay open. */
export async function closeEverything(): Promise<{ orders: readonly OrderView[]; leftOpen: number }> {
  const ended = await request(closeAllOrders, null, { requestId: newRequestId(), isWaitedFor: true })
  void refreshAccount()
  return ended
}

/** Closes a position and opens its opposite, or does neither; answers the new position. */
export async function reversePosition(orderId: number): Promise<OrderView> {
  const order = await request(reverseOrder, { orderId }, { requestId: newRequestId() })
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
  const order = await request(setTrailing, trail, { requestId: newRequestId(), isSilent: true })
  void refreshAccount()
  return order
}

/** Withdraws a pending order. */
export async function cancelPending(orderId: number): Promise<OrderView> {
  const order = await request(cancelOrder, { orderId }, { requestId: newRequestId() })
  void refreshAccount()
  return order
}

type Stops = { orderId: number; stopLoss: Decimal | null; takeProfit: Decimal | null }

/** Sets or clears both stops of an order; answers a warning when the stop loss lies beyond the stop-out. */
export async function changeStops(stops: Stops): Promise<{ warning: string | null }> {
  const { warning } = await request(setStops, stops, { requestId: newRequestId(), isSilent: true })
  void refreshAccount()
  return { warning: warning?.message ?? null }
}

/** Ends every order of a demo account without a fill and restores its starting balance, which it answers. */
export async function resetAccount(): Promise<{ balance: Money }> {
  const account = await request(resetDemo, null, { requestId: newRequestId(), isWaitedFor: true })
  void refreshAccount()
  return account
}
