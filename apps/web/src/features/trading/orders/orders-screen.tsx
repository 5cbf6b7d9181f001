import type { AccountFigures, OrderList as List, OrderView } from '@fairlot/contract'
import { memo, type ReactNode, useCallback, useState } from 'react'
import { Link, useLocation, useSearchParams } from '@fairlot/ui/navigation/router.tsx'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { refreshAccount, useAccountFigures, useMarkToMarket } from '../../../live/account/account.ts'
import { type OrdersState, useOrders } from '../../../live/account/orders.ts'
import { PullToRefresh } from '@fairlot/ui/layout/pull-to-refresh.tsx'
import { useScrollBox } from '@fairlot/ui/navigation/scroll-box.tsx'
import { SideBySide } from '@fairlot/ui/layout/side-by-side.tsx'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { CloseAll, QuickClose } from './close-position.tsx'
import { OrderSheet } from './order-sheet.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { ExactFigure } from '@fairlot/ui/figures/exact-figure.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { MarginLevel, ProfitFigure } from '../account/account-figures.tsx'
import { ChartCandlestick, ChevronRight } from 'lucide-react'
import { buttonClass } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import {
  EndNote,
  entryPrice,
  OrderLogo,
  OrdersFailed,
  PositionNote,
  priceText,
  SideLots,
} from './order-labels.tsx'
import { MoreButton } from '../../../ui/more-button.tsx'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { asName, Name, withNames } from '@fairlot/ui/figures/names.tsx'

type OrdersScreenProps = {
  /** Positions in copies, shown below the own ones. */
  copied?: ReactNode
}

/** The user's positions, pending orders and history, below the account's figures. */
export function OrdersScreen({ copied }: OrdersScreenProps) {
  const t = useTranslations()
  const [list, setList] = useState<List>('holding')
  const [openId, setOpenId] = useState<number | null>(null)
  useOrdersOfLink((linkedList, orderId) => {
    setList(linkedList)
    setOpenId(orderId)
  })
  const state = useOrders(list)
  const refresh = useCallback(() => void refreshAccount(), [])
  const order = state.orders?.find(({ id }) => id === openId)
  return (
    <>
      <PullToRefresh box={useScrollBox()} label={t('market.refreshing')} onRefresh={refresh} />
      <SideBySide first={<OrderSummary bookedProfit={list === 'history' ? state.profit : undefined} />}>
        <Segmented
          label={t('order.tabs')}
          track="surface"
          options={useTabs()}
          value={list}
          onChange={setList}
        />
        {list === 'holding' && state.orders && <CloseAll orders={state.orders} total={state.total ?? 0} />}
        <OrderList list={list} state={state} onOpen={setOpenId} />
        {list === 'holding' && copied}
      </SideBySide>
      <OrderSheet
        order={order}
        isOpen={openId !== null && order !== undefined}
        onClose={() => setOpenId(null)}
      />
    </>
  )
}

const LISTS: readonly List[] = ['holding', 'pending', 'history']

/** Opens the list and order that a link names (`?list=history&order=12`), once for each visit by such a link. */
export function useOrdersOfLink(show: (list: List, orderId: number | null) => void): void {
  const { key } = useLocation()
  const [search] = useSearchParams()
  const list = LISTS.find((name) => name === search.get('list'))
  const link = list === undefined ? null : `${key} ${search.toString()}`
  const [shown, setShown] = useState<string | null>(null)
  if (link === shown) return
  setShown(link)
  if (list !== undefined) show(list, Number(search.get('order')) || null)
}

/** The three lists, with the number of positions and pending orders. */
export function useTabs(): { value: List; label: string }[] {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { total: holding } = useOrders('holding')
  const { total: pending } = useOrders('pending')
  return [
    {
      value: 'holding',
      label: holding ? t('holdingCount', { count: figures.count(holding) }) : t('holding'),
    },
    {
      value: 'pending',
      label: pending ? t('pendingCount', { count: figures.count(pending) }) : t('pending'),
    },
    { value: 'history', label: t('history') },
  ]
}

type OrderSummaryProps = {
  /** Profit booked over all of the history, instead of the open profit; units of 1e-6. */
  bookedProfit: bigint | undefined
}

/** Profit, free margin, margin and margin level. */
export function OrderSummary({ bookedProfit }: OrderSummaryProps) {
  const figures = useAccountFigures()
  return (
    <Card>
      <dl className="grid min-h-24 grid-cols-[repeat(auto-fit,minmax(min(100%,max(8.5rem,40%)),1fr))] gap-x-6 gap-y-3">
        {figures ? <Summary figures={figures} bookedProfit={bookedProfit} /> : <SummaryLoading />}
      </dl>
    </Card>
  )
}

function Summary({ figures, bookedProfit }: OrderSummaryProps & { figures: AccountFigures }) {
  const t = useTranslations()
  const locale = useLocale()
  return (
    <>
      <Figure name={t(bookedProfit === undefined ? 'account.openProfit' : 'order.historyProfit')}>
        <ProfitFigure units={bookedProfit ?? figures.profit} hasArrow />
      </Figure>
      <Figure name={t('account.freeMargin')}>
        <bdi dir="ltr" translate="no">
          {locale.figures.money(figures.free)}
        </bdi>
      </Figure>
      <Figure name={t('account.usedMargin')}>
        <ExactFigure parts={locale.figures.exact(figures.margin)} />
      </Figure>
      <Figure name={t('account.marginLevel')}>
        <MarginLevel level={figures.level} />
      </Figure>
    </>
  )
}

const Figure = ({ name, children }: { name: string; children: ReactNode }) => (
  <div className="min-w-0">
    <dt className="text-tiny text-second">{name}</dt>
    <dd className="text-title font-bold">{children}</dd>
  </div>
)

const SummaryLoading = () =>
  [0, 1, 2, 3].map((cell) => (
    <div key={cell} className="flex flex-col gap-2">
      <Skeleton shape="h-2.5 w-24" />
      <Skeleton shape="h-5 w-32" />
    </div>
  ))

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

/** Loads the next page of orders. */
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

type OrderRowProps = { order: OrderView; onOpen: (orderId: number) => void }

/** One order; a tap opens its sheet. A position can be closed in its row. */
export const OrderRow = memo(function OrderRow({ order, onOpen }: OrderRowProps) {
  return (
    <>
      <OrderHead order={order} onOpen={onOpen} />
      {order.status === 'holding' && (
        <div className="-mt-1.5 flex flex-wrap items-center justify-end gap-x-3 ps-14 pb-1">
          <span className="min-w-0 flex-1 basis-32">
            <PositionNote order={order} />
          </span>
          <QuickClose order={order} />
        </div>
      )}
    </>
  )
})

/** One order in short; a tap opens it. */
export function OrderHead({ order, onOpen }: OrderRowProps) {
  return (
    <button
      type="button"
      onClick={() => onOpen(order.id)}
      className="flex min-h-16 w-full items-center gap-x-3 py-2.5 text-start active:bg-raised"
    >
      <OrderLogo instrument={order.instrument} />
      {/* Long texts wrap; the arrow stays at the end of the row. */}
      <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-32 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-2">
            <bdi translate="no" className="min-w-0 font-bold wrap-anywhere">
              {order.instrument.showCode}
            </bdi>
            <SideLots order={order} />
          </span>
          <PricesOfOrder order={order} />
          {order.endedAt !== null && <EndNote order={order} />}
        </span>
        <span className="ms-auto flex flex-col items-end">
          <Outcome order={order} />
          <OrderNote order={order} />
        </span>
      </span>
      <span className="-ms-1.5 shrink-0 text-third rtl:-scale-x-100">
        <Icon of={ChevronRight} size={16} />
      </span>
    </button>
  )
}

/** Entry price and current or final price. */
function PricesOfOrder({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const currentPrice = useMarkToMarket(order).currentPrice
  const entered = priceText(figures, entryPrice(order), order)
  if (order.status === 'pending')
    return (
      <span className="block truncate text-note text-second">
        {withNames(t('waitsFor', { price: asName(entered) }))}
      </span>
    )
  return (
    <span className="block truncate text-note text-second">
      <bdi dir="ltr" translate="no">
        {entered}
        {order.openPrice !== null && ` → ${priceText(figures, currentPrice, order)}`}
      </bdi>
    </span>
  )
}

function Outcome({ order }: { order: OrderView }) {
  const { profit } = useMarkToMarket(order)
  if (order.status === 'holding' || order.status === 'closed') return <ProfitFigure units={profit} />
  return <CurrentPrice order={order} />
}

function CurrentPrice({ order }: { order: OrderView }) {
  const { figures } = useLocale()
  return (
    <bdi dir="ltr" translate="no" className="font-bold text-second">
      {priceText(figures, order.currentPrice, order)}
    </bdi>
  )
}

function OrderNote({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures, moments } = useLocale()
  if (order.endedAt !== null)
    return <Name className="text-tiny text-second">{moments.dateTime(order.endedAt)}</Name>
  return (
    <Name className="text-tiny text-second">{t('times', { leverage: figures.count(order.leverage) })}</Name>
  )
}
