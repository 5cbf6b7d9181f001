import type { OrderView } from '@fairlot/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { refreshAccount } from '../../../live/account.ts'
import { cancelPending } from '../../../live/orders.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { showToast } from '../../../ui/toast.ts'
import { enteredPrice, lotsText, priceText } from './order-words.ts'

type CancelActionProps = { order: OrderView; onDone: () => void }

/** Withdraws a pending order after naming what becomes free. */
export function CancelAction({ order, onDone }: CancelActionProps) {
  const t = useTranslations('order')
  const { figures } = useSpeech()
  const [isAsking, setIsAsking] = useState(false)
  const cancel = useMutation({
    mutationFn: () => cancelPending(order.id),
    onSuccess: () => {
      showToast({ text: t('cancelled') })
      onDone()
    },
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
          margin: figures.money(order.originalMargin),
          fee: figures.money(order.fee),
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
