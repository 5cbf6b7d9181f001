import type { Decimal, OrderList as List, OrderView } from '@fairlot/contract'
import { memo, type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useOrders } from '../../../live/account/orders.ts'
import { Segmented } from '@fairlot/ui/controls/segmented.tsx'
import { CloseAll, QuickClose } from './close-position.tsx'
import { EndNote, entryPrice, lotsText, OrdersFailed, PositionNote, priceText } from './order-labels.tsx'
import { More, NoOrders, useOrdersOfLink, useTabs } from './orders-screen.tsx'
import { OrderSheet } from './order-sheet.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { ExactFigure } from '@fairlot/ui/figures/exact-figure.tsx'
import { ProfitFigure } from '../account/account-figures.tsx'

type PositionsPanelProps = {
  /** Positions in copies, shown below the own ones. */
  copied?: ReactNode
}

/** The user's orders as a table below the chart. */
export function PositionsPanel({ copied }: PositionsPanelProps) {
  const t = useTranslations('order')
  const [list, setList] = useState<List>('holding')
  const [openId, setOpenId] = useState<number | null>(null)
  useOrdersOfLink((linkedList, orderId) => {
    setList(linkedList)
    setOpenId(orderId)
  })
  const state = useOrders(list)
  const order = state.orders?.find(({ id }) => id === openId)
  return (
    <div className="flex flex-col gap-1 px-5 py-3">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <div className="w-96">
          <Segmented label={t('tabs')} track="surface" options={useTabs()} value={list} onChange={setList} />
        </div>
        {list === 'holding' && state.orders && <CloseAll orders={state.orders} total={state.total ?? 0} />}
      </div>
      {state.isFailed && <OrdersFailed onRetry={state.refetch} />}
      {state.orders?.length === 0 && <NoOrders list={list} />}
      {state.orders && state.orders.length > 0 && (
        <div className="overflow-x-auto">
          <PositionsTable orders={state.orders} onOpen={setOpenId} />
        </div>
      )}
      <More state={state} />
      {list === 'holding' && copied}
      <OrderSheet
        order={order}
        isOpen={openId !== null && order !== undefined}
        onClose={() => setOpenId(null)}
      />
    </div>
  )
}

const COLUMNS = [
  'instrument',
  'side',
  'lotsColumn',
  'openedAt',
  'now',
  'stopsColumn',
  'margin',
  'profit',
  'act',
] as const

type PositionsTableProps = { orders: readonly OrderView[]; onOpen: (orderId: number) => void }

/** One line per order; the last column opens its sheet. */
export function PositionsTable({ orders, onOpen }: PositionsTableProps) {
  const t = useTranslations('order')
  return (
    <table className="w-full border-collapse text-note">
      <thead>
        <tr className="border-b border-line text-tiny text-second">
          {COLUMNS.map((column) => (
            <th
              key={column}
              scope="col"
              className="py-2 pe-3 text-start font-normal whitespace-nowrap last:text-end"
            >
              {column === 'act' ? <span className="sr-only">{t('act')}</span> : t(column)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {orders.map((order) => (
          <Row key={order.id} order={order} onOpen={onOpen} />
        ))}
      </tbody>
    </table>
  )
}

const Row = memo(function Row({ order, onOpen }: { order: OrderView; onOpen: (orderId: number) => void }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const { currentPrice, profit } = useMarkToMarket(order)
  const price = (value: Decimal | null) => (
    <bdi dir="ltr" translate="no">
      {priceText(figures, value, order)}
    </bdi>
  )
  return (
    <tr className="border-b border-line">
      <td className="pe-3">
        <bdi translate="no">{order.instrument.showCode}</bdi>
      </td>
      <td className={order.side === 'buy' ? 'pe-3 text-up' : 'pe-3 text-down'}>{t(order.side)}</td>
      <td className="pe-3">{lotsText(figures, order.lots)}</td>
      <td className="pe-3">{price(entryPrice(order))}</td>
      <td className="pe-3">{price(currentPrice)}</td>
      <td className="pe-3">
        <span className="whitespace-nowrap">
          {price(order.stopLoss)} / {price(order.takeProfit)}
        </span>
        {order.status === 'holding' && <PositionNote order={order} />}
        {order.endedAt !== null && <EndNote order={order} />}
      </td>
      <td className="pe-3">
        <ExactFigure parts={figures.exact(order.originalMargin)} />
      </td>
      <td className="pe-3">{order.openPrice !== null && <ProfitFigure units={profit} />}</td>
      <td>
        <div className="flex items-center justify-end gap-2">
          {order.status === 'holding' && <QuickClose order={order} />}
          <button
            type="button"
            onClick={() => onOpen(order.id)}
            className="min-h-11 px-2 font-medium underline decoration-line underline-offset-4 hover:decoration-ink"
          >
            {t('details')}
          </button>
        </div>
      </td>
    </tr>
  )
})
