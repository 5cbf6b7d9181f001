import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useBasicInfo } from '../../../live/basic-info.ts'
import { resetAccount } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { Confirm } from '@fairlot/ui/sheet.tsx'

/** Sets a demo account back to its start after saying what that ends. */
export function ResetDemo() {
  const t = useTranslations()
  const { figures } = useLocale()
  const info = useBasicInfo()
  const [isAsking, setIsAsking] = useState(false)
  const reset = useMutation({
    mutationFn: resetAccount,
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
          info
            ? t('user.resetText', { amount: figures.publicMoney(info.demoBalance) })
            : t('user.resetTextPlain')
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
