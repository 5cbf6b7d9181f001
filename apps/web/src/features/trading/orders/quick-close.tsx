import type { OrderView } from '@fairlot/contract'
import type { Lots } from '@fairlot/core'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { PillButton } from '@fairlot/ui/pill-button.tsx'
import { useCloseBlock } from './close-blocked.ts'
import { partOf, useLotRule } from './partial-close.ts'
import { lotsText } from './order-labels.tsx'
import { useClosing } from './use-closing.ts'

const HALF = 50

/** Closes half of a position, where it can be halved, or all of it, with one tap. */
export function QuickClose({ order }: { order: OrderView }) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const isBlocked = useCloseBlock(order) !== null
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
          disabled={isBlocked}
          isBusy={isClosing}
          onClick={() => close(half)}
        >
          {t('half')}
        </PillButton>
      )}
      <PillButton
        aria-label={t('closeNamed', named(order.lots))}
        disabled={isBlocked}
        isBusy={isClosing}
        onClick={() => close(null)}
      >
        {t('close')}
      </PillButton>
    </div>
  )
}
