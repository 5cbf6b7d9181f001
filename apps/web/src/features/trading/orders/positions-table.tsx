import type { Decimal, OrderView } from '@fairlot/contract'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { FineFigure } from '@fairlot/ui/fine-figure.tsx'
import { ProfitFigure } from '../account/profit-figure.tsx'
import { EndNote, enteredPrice, lotsText, PositionNote, priceText } from './order-labels.tsx'
import { QuickClose } from './quick-close.tsx'

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
  const price = (value: Decimal | null) => <bdi dir="ltr">{priceText(figures, value, order)}</bdi>
  return (
    <tr className="border-b border-line">
      <td className="pe-3">
        <bdi>{order.instrument.showCode}</bdi>
      </td>
      <td className={order.side === 'buy' ? 'pe-3 text-up' : 'pe-3 text-down'}>{t(order.side)}</td>
      <td className="pe-3">{lotsText(figures, order.lots)}</td>
      <td className="pe-3">{price(enteredPrice(order))}</td>
      <td className="pe-3">{price(currentPrice)}</td>
      <td className="pe-3">
        <span className="whitespace-nowrap">
          {price(order.stopLoss)} / {price(order.takeProfit)}
        </span>
        {order.status === 'holding' && <PositionNote order={order} />}
        {order.endedAt !== null && <EndNote order={order} />}
      </td>
      <td className="pe-3">
        <FineFigure parts={figures.fine(order.originalMargin)} />
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
