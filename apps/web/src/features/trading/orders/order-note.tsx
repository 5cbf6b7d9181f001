import type { OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useCloseBar } from './close-bar.ts'
import { priceText } from './order-words.ts'

/** Why it cannot be closed now; else what a position has beside its price. */
export function PositionNote({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useSpeech()
  const bar = useCloseBar(order)
  const notes = [
    order.trailingDistance === null
      ? null
      : t('stopFollows', { stop: priceText(figures, order.stopLoss, order) }),
    order.swap === 0n ? null : t('overnight', { swap: figures.money(order.swap, { sign: 'always' }) }),
  ]
  return (
    <span className="block text-tiny text-second">
      {bar ?? notes.filter((note) => note !== null).join(' · ')}
    </span>
  )
}

/** Why an order ended, and which position it was a part of. */
export function EndNote({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  return (
    <span className="block text-tiny text-second">
      {t(`reason.${order.endReason}`)}
      {order.parentId !== null && ` · ${t('partOf', { id: order.parentId })}`}
    </span>
  )
}
