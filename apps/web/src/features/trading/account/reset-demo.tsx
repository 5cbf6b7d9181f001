import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useBasicInfo } from '../../../live/account.ts'
import { resetAccount } from '../../../live/orders.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'
import { showToast } from '../../../ui/toast.ts'

/** Sets a demo account back to its start after saying what that ends. */
export function ResetDemo() {
  const t = useTranslations()
  const { figures } = useSpeech()
  const info = useBasicInfo()
  const [isAsking, setIsAsking] = useState(false)
  const reset = useMutation({
    mutationFn: resetAccount,
    onSuccess: ({ balance }) => showToast({ text: t('user.resetDone', { amount: figures.money(balance) }) }),
    onSettled: () => setIsAsking(false),
  })
  return (
    <>
      <Button tone="outline" onClick={() => setIsAsking(true)}>
        {t('user.reset')}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t('user.resetTitle')}
        text={
          info ? t('user.resetText', { amount: figures.money(info.demoBalance) }) : t('user.resetTextPlain')
        }
        confirmLabel={t('user.resetConfirm')}
        cancelLabel={t('app.cancel')}
        tone="danger"
        isBusy={reset.isPending}
        onConfirm={() => reset.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}
