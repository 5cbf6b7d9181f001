import type { OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { usePosition } from '../../../live/account.ts'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { ProfitFigure } from '../account/profit-figure.tsx'
import { OrderActions } from './order-actions.tsx'
import { OrderMark } from './order-mark.tsx'
import { isAlive } from './order-words.ts'
import { ReceiptCard } from './receipt-card.tsx'
import { SideLots } from './side-lots.tsx'
import { useOrderTerms } from './order-terms.ts'

type OrderDetailProps = { order: OrderView; onSetStops: () => void; onDone: () => void }

/** Result, terms, receipts, acts. */
export function OrderDetail({ order, onSetStops, onDone }: OrderDetailProps) {
  const terms = useOrderTerms(order)
  return (
    <div className="flex flex-col gap-3 pt-3">
      <Heading order={order} />
      <div className="rounded-card px-3.5 py-1.5 ring-1 ring-line ring-inset">
        <DefinitionList rows={terms} />
      </div>
      {order.receipts.map((receipt) => (
        <ReceiptCard key={`${receipt.action}${receipt.at}`} receipt={receipt} order={order} />
      ))}
      {isAlive(order) && (
        <div className="sticky bottom-0 bg-surface pt-1 pb-1">
          <OrderActions order={order} onSetStops={onSetStops} onDone={onDone} />
        </div>
      )}
    </div>
  )
}

function Heading({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { moments } = useSpeech()
  const profit = usePosition(order.id)?.profit ?? order.profit
  const hasProfit = order.status === 'holding' || order.status === 'closed'
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <OrderMark instrument={order.instrument} />
      <div className="min-w-fit flex-1">
        <p className="flex flex-wrap items-baseline gap-x-2">
          <bdi className="font-bold">{order.instrument.showCode}</bdi>
          <SideLots order={order} />
        </p>
        <p className="text-note text-second">
          {t('number', { id: order.id })} · <bdi>{moments.time(order.openedAt ?? order.createdAt)}</bdi>
        </p>
      </div>
      <p className="ms-auto text-figure">{hasProfit && <ProfitFigure units={profit} />}</p>
    </div>
  )
}
