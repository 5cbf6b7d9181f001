import type { OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { lotsText } from './order-words.ts'

/** "Buy 0.10" in the colour of its side. */
export function SideLots({ order }: { order: Pick<OrderView, 'side' | 'lots'> }) {
  const t = useTranslations('order')
  const { figures } = useSpeech()
  return (
    <span
      className={`text-note font-bold whitespace-nowrap ${order.side === 'buy' ? 'text-up' : 'text-down'}`}
    >
      {t('sideLots', { side: order.side, lots: lotsText(figures, order.lots) })}
    </span>
  )
}
