import type { OrderList as List } from '@fairlot/contract'
import { ChartCandlestick } from 'lucide-react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import type { OrdersState } from '../../../live/account/orders.ts'
import { buttonClass } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { OrderRow } from './order-row.tsx'
import { FailedState } from '../../../ui/failed-state.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'

type OrderListProps = { list: List; state: OrdersState; onOpen: (orderId: number) => void }

/** The rows of one list, page after page. */
export function OrderList({ list, state, onOpen }: OrderListProps) {
  const { orders } = state
  if (!orders) return state.isFailed ? <OrdersFailed onRetry={state.refetch} /> : <OrdersLoading />
  if (orders.length === 0) return <NoOrders list={list} />
  return (
    <>
      <ul className="divide-y divide-line">
        {orders.map((order) => (
          <li key={order.id}>
            <OrderRow order={order} onOpen={onOpen} />
          </li>
        ))}
      </ul>
      <More state={state} />
    </>
  )
}

/** Leads to the next page of orders. */
export const More = ({ state }: { state: OrdersState }) => (
  <MoreButton
    pages={{
      hasNextPage: state.hasMore,
      isFetchingNextPage: state.isLoadingMore,
      isFetchNextPageError: state.isMoreFailed,
      fetchNextPage: state.loadMore,
    }}
  />
)

const EMPTY = {
  holding: ['emptyHolding', 'emptyHoldingText'],
  pending: ['emptyPending', 'emptyPendingText'],
  history: ['emptyHistory', 'emptyHistoryText'],
} as const

export function NoOrders({ list }: { list: List }) {
  const t = useTranslations('order')
  const [title, text] = EMPTY[list]
  return (
    <EmptyState
      icon={ChartCandlestick}
      title={t(title)}
      text={t(text)}
      action={
        list !== 'history' && (
          <Link to="/trade" className={buttonClass('outline')}>
            {t('toTrade')}
          </Link>
        )
      }
    />
  )
}

export function OrdersFailed({ onRetry }: { onRetry: () => unknown }) {
  const t = useTranslations()
  return <FailedState title={t('order.failed')} text={t('order.failedText')} onRetry={onRetry} />
}

const OrdersLoading = () => (
  <div className="divide-y divide-line">
    {[0, 1, 2].map((row) => (
      <div
        key={row}
        className="grid min-h-16 grid-cols-[2.75rem_minmax(0,1fr)_auto] items-center gap-3 py-2.5"
      >
        <Skeleton shape="h-7 w-11" />
        <span className="flex flex-col gap-2">
          <Skeleton shape="h-3.5 w-32" />
          <Skeleton shape="h-2.5 w-28" />
        </span>
        <Skeleton shape="h-4 w-20" />
      </div>
    ))}
  </div>
)
