import { cancelOrder, closeOrder, listOrders, PAGE_ROWS, resetDemo, setStops } from '@fairlot/contract'
import type { Decimal, OrderList, OrderPage, OrderView } from '@fairlot/contract'
import type { Money } from '@fairlot/core'
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query'
import type { InfiniteData } from '@tanstack/react-query'
import { useEffect } from 'react'
import { refreshAccount } from './account.ts'
import { onLive } from './door.ts'
import { queryClient } from './query-client.ts'
import { newRequestId, request } from './request.ts'
import { useIsLoggedIn } from './token.ts'

type Pages = InfiniteData<OrderPage, number>

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
    loadMore: query.fetchNextPage,
    refetch: query.refetch,
  }
}

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

/** Closes a position at the market and answers it as it then is. */
export async function closePosition(orderId: number): Promise<OrderView> {
  const order = await request(closeOrder, { orderId, lots: null }, { requestId: newRequestId() })
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
  const set = await request(setStops, stops, { requestId: newRequestId(), isSilent: true })
  void refreshAccount()
  return set
}

/** Ends every order of a demo account without a fill and restores its starting balance, which it answers. */
export async function resetAccount(): Promise<{ balance: Money }> {
  const account = await request(resetDemo, null, { requestId: newRequestId(), isWaitedFor: true })
  void refreshAccount()
  return account
}
