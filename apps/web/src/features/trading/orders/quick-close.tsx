import type { OrderView } from '@fairlot/contract'
import type { Lots } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { PillButton } from '../../../ui/pill-button.tsx'
import { useCloseBar } from './close-bar.ts'
import { useLotRule } from './lot-rule.ts'
import { lotsText } from './order-words.ts'
import { partOf } from './part.ts'
import { useClosing } from './use-closing.ts'

const HALF = 50

/** Closes half of a position, where it can be halved, or all of it, with one tap. */
export function QuickClose({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useSpeech()
  const isBarred = useCloseBar(order) !== null
  const half = partOf(order.lots, HALF, useLotRule(order))
  const { close, isClosing } = useClosing(order)
  const named = (lots: Lots) => ({
    side: order.side,
    code: order.instrument.showCode,
    lots: lotsText(figures, lots),
  })
  return (
    <div className="flex gap-2">
      {half !== null && (
        <PillButton
          aria-label={t('halfNamed', named(half))}
          disabled={isBarred}
          isBusy={isClosing}
          onClick={() => close(half)}
        >
          {t('half')}
        </PillButton>
      )}
      <PillButton
        aria-label={t('closeNamed', named(order.lots))}
        disabled={isBarred}
        isBusy={isClosing}
        onClick={() => close(null)}
      >
        {t('close')}
      </PillButton>
    </div>
  )
}
