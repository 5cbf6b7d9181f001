import type { OrderView } from '@fairlot/contract'
import { ChevronRight } from 'lucide-react'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { Icon } from '@fairlot/ui/icon.tsx'
import { ProfitFigure } from '../account/profit-figure.tsx'
import { EndNote, enteredPrice, OrderMark, PositionNote, priceText, SideLots } from './order-labels.tsx'
import { QuickClose } from './quick-close.tsx'

type OrderRowProps = { order: OrderView; onOpen: (orderId: number) => void }

/** One order; tapping it opens its sheet. A position can be closed right here. */
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

function OrderHead({ order, onOpen }: OrderRowProps) {
  return (
    <button
      type="button"
      onClick={() => onOpen(order.id)}
      className="flex min-h-16 w-full flex-wrap items-center gap-x-3 gap-y-1 py-2.5 text-start active:bg-raised"
    >
      <OrderMark instrument={order.instrument} />
      <span className="min-w-fit flex-1">
        <span className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-bold">{order.instrument.showCode}</bdi>
          <SideLots order={order} />
        </span>
        <Way order={order} />
        {order.endedAt !== null && <EndNote order={order} />}
      </span>
      <span className="ms-auto flex flex-col items-end">
        <Outcome order={order} />
        <Note order={order} />
      </span>
      <span className="-ms-1.5 text-third rtl:-scale-x-100">
        <Icon of={ChevronRight} size={16} />
      </span>
    </button>
  )
}

/** From the price it came in at to the price of now, or of its end. */
function Way({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const currentPrice = useMarkToMarket(order).currentPrice
  const entered = priceText(figures, enteredPrice(order), order)
  if (order.status === 'pending')
    return <span className="block truncate text-note text-second">{t('waitsFor', { price: entered })}</span>
  return (
    <span className="block truncate text-note text-second">
      <bdi dir="ltr">
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
    <bdi dir="ltr" className="font-bold text-second">
      {priceText(figures, order.currentPrice, order)}
    </bdi>
  )
}

function Note({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures, moments } = useLocale()
  if (order.endedAt !== null)
    return <span className="text-tiny text-second">{moments.dateTime(order.endedAt)}</span>
  return (
    <span className="text-tiny text-second">{t('times', { leverage: figures.count(order.leverage) })}</span>
  )
}
