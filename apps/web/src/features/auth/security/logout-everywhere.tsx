import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { logOutOnAllDevices } from '../../../live/auth/session.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { Confirm } from '@fairlot/ui/sheet.tsx'

/** Ends every session after asking, this one too. */
export function LogoutEverywhere({ isDemo }: { isDemo: boolean }) {
  const t = useTranslations()
  const [isAsking, setIsAsking] = useState(false)
  const logout = useMutation({ mutationFn: logOutOnAllDevices, onSettled: () => setIsAsking(false) })
  return (
    <>
      <Button tone="outline" isWide onClick={() => setIsAsking(true)}>
        {t('auth.logoutEverywhere')}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t('auth.logoutEverywhereTitle')}
        text={t(isDemo ? 'user.logoutDemoText' : 'auth.logoutEverywhereText')}
        confirmLabel={t('auth.logoutEverywhere')}
        cancelLabel={t('app.cancel')}
        isBusy={logout.isPending}
        onConfirm={() => logout.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}
