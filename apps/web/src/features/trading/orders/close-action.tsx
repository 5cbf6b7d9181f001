import type { OrderView } from '@fairlot/contract'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { refreshAccount, usePosition } from '../../../live/account.ts'
import { closePosition } from '../../../live/orders.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { showToast } from '../../../ui/toast.ts'
import { lotsText, priceText } from './order-words.ts'

type CloseActionProps = { order: OrderView; isDisabled: boolean; onDone: () => void }

/** Closes a position after naming what that books. */
export function CloseAction({ order, isDisabled, onDone }: CloseActionProps) {
  const t = useTranslations('order')
  const [isAsking, setIsAsking] = useState(false)
  const { label, text, closed } = useCloseWords(order)
  const close = useMutation({
    mutationFn: () => closePosition(order.id),
    onSuccess: (ended) => {
      showToast({ text: closed(ended) })
      onDone()
    },
    // Without an answer it may have been closed all the same.
    onError: () => void refreshAccount(),
    onSettled: () => setIsAsking(false),
  })
  return (
    <>
      <Button disabled={isDisabled} onClick={() => setIsAsking(true)}>
        {label}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t('closeTitle', { code: order.instrument.showCode })}
        text={text}
        confirmLabel={label}
        cancelLabel={t('keepOpen')}
        isBusy={close.isPending}
        onConfirm={() => close.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}

function useCloseWords(order: OrderView) {
  const t = useTranslations('order')
  const { figures } = useSpeech()
  const live = usePosition(order.id)
  const profit = figures.money(live?.profit ?? order.profit, { sign: 'always' })
  return {
    label: t('closeWith', { profit }),
    text: t('closeText', {
      side: order.side,
      lots: lotsText(figures, order.lots),
      price: priceText(figures, live?.currentPrice ?? order.currentPrice, order),
      profit,
    }),
    closed: (ended: OrderView) =>
      t('closed', {
        price: priceText(figures, ended.currentPrice, ended),
        profit: figures.money(ended.profit, { sign: 'always' }),
      }),
  }
}
