import type { OrderView } from '@fairlot/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { refreshAccount } from '../../../live/account/account.ts'
import { cancelPending } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { Confirm } from '@fairlot/ui/sheet.tsx'
import { enteredPrice, lotsText, priceText } from './order-labels.tsx'

type CancelActionProps = { order: OrderView; onDone: () => void }

/** Withdraws a pending order after naming what becomes free. */
export function CancelAction({ order, onDone }: CancelActionProps) {
  const t = useTranslations('order')
  const { figures } = useLocale()
  const [isAsking, setIsAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => cancelPending(order.id),
    onSuccess: onDone,
    // Without an answer it may have been cancelled all the same.
    onError: () => void refreshAccount(),
    onSettled: () => setIsAsking(false),
  })
  return (
    <>
      <Button onClick={() => setIsAsking(true)}>{t('cancelOrder')}</Button>
      <Confirm
        isOpen={isAsking}
        title={t('cancelTitle')}
        text={t('cancelText', {
          side: order.side,
          lots: lotsText(figures, order.lots),
          code: order.instrument.showCode,
          price: priceText(figures, enteredPrice(order), order),
          margin: figures.fineText(order.originalMargin),
          fee: figures.fineText(order.fee),
        })}
        confirmLabel={t('cancelOrder')}
        cancelLabel={t('keepWaiting')}
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}
