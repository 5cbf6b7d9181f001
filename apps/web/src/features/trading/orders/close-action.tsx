import type { OrderView } from '@fairlot/contract'
import type { Lots } from '@fairlot/core'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useMarkToMarket } from '../../../live/account/account.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { Confirm } from '@fairlot/ui/sheet.tsx'
import { lotsText, priceText } from './order-labels.tsx'
import { shareOf, useClosing } from './use-closing.ts'

type CloseActionProps = {
  order: OrderView
  /** Null closes the whole position. */
  part: Lots | null
  isDisabled: boolean
  onDone: () => void
}

/** Closes a position, or half of it, after naming what that books. */
export function CloseAction({ order, part, isDisabled, onDone }: CloseActionProps) {
  const t = useTranslations('order')
  const [isAsking, setIsAsking] = useState(false)
  const { close, isClosing } = useClosing(order, () => {
    setIsAsking(false)
    onDone()
  })
  const { label, text } = useCloseWords(order, part)
  const code = order.instrument.showCode
  return (
    <>
      <Button
        tone={part === null ? 'ink' : 'outline'}
        disabled={isDisabled}
        onClick={() => setIsAsking(true)}
      >
        {part === null ? label : t('half')}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t(part === null ? 'closeTitle' : 'halfTitle', { code })}
        text={text}
        confirmLabel={label}
        cancelLabel={t('keepOpen')}
        isBusy={isClosing}
        onConfirm={() => close(part, { onError: () => setIsAsking(false) })}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

function useCloseWords(order: OrderView, part: Lots | null) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const mark = useMarkToMarket(order)
  const lots = part ?? order.lots
  const profit = figures.fineText(shareOf(mark.profit, lots, order.lots), { sign: 'always' })
  const words = {
    side: order.side,
    lots: lotsText(figures, lots),
    left: lotsText(figures, order.lots - lots),
    price: priceText(figures, mark.currentPrice, order),
    profit,
  }
  return part === null
    ? { label: t('closeWith', { profit }), text: t('closeText', words) }
    : { label: t('closeLots', { lots: words.lots }), text: t('partText', words) }
}
