import type { OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { DefinitionList } from '@fairlot/ui/definition-list.tsx'
import { TextButton } from '@fairlot/ui/text-button.tsx'
import { ProfitFigure } from '../account/profit-figure.tsx'
import { OrderActions, PositionActions, type SheetView } from './order-actions.tsx'
import { isAlive, OrderMark, SideLots } from './order-labels.tsx'
import { ReceiptCard } from './receipt-card.tsx'
import { useOrderTerms } from './order-terms.ts'

type OrderDetailProps = { order: OrderView; onGo: (view: SheetView) => void; onDone: () => void }

/** Result, terms, receipts, acts. */
export function OrderDetail({ order, onGo, onDone }: OrderDetailProps) {
  const terms = useOrderTerms(order)
  return (
    <div className="flex flex-col gap-3 pt-3">
      <Heading order={order} />
      {order.parentId !== null && <ParentLink parentId={order.parentId} onGo={() => onGo('parent')} />}
      {order.status === 'holding' && <PositionActions order={order} onGo={onGo} onDone={onDone} />}
      <div className="rounded-card px-3.5 py-1.5 ring-1 ring-line ring-inset">
        <DefinitionList rows={terms} />
      </div>
      {order.receipts.map((receipt) => (
        <ReceiptCard key={receipt.hash ?? `${receipt.action}${receipt.at}`} receipt={receipt} order={order} />
      ))}
      {isAlive(order) && (
        <div className="sticky -bottom-2 bg-surface pt-1 pb-3">
          <OrderActions order={order} onGo={onGo} onDone={onDone} />
        </div>
      )}
    </div>
  )
}

/** A closed part is an order of its own; this leads to the position that it was cut from. */
function ParentLink({ parentId, onGo }: { parentId: number; onGo: () => void }) {
  const t = useTranslations('order')
  return (
    <p className="flex flex-wrap items-center justify-between gap-x-4 text-note text-second">
      <span>{t('partOf', { id: parentId })}</span>
      <TextButton onClick={onGo}>{t('toParent')}</TextButton>
    </p>
  )
}

function Heading({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { moments } = useLocale()
  const { profit } = useMarkToMarket(order)
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
