import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { logOutHere } from '../../live/auth/session.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { Confirm } from '@fairlot/ui/sheet.tsx'

/** Logs out after asking; a demo account is warned that it cannot be opened again. */
export function Logout({ isDemo }: { isDemo: boolean }) {
  const t = useTranslations()
  const [isAsking, setIsAsking] = useState(false)
  const logout = useMutation({ mutationFn: logOutHere, onSettled: () => setIsAsking(false) })
  return (
    <>
      <Button tone="outline" onClick={() => setIsAsking(true)}>
        {t('user.logout')}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t('user.logoutTitle')}
        text={t(isDemo ? 'user.logoutDemoText' : 'user.logoutText')}
        confirmLabel={t('user.logout')}
        cancelLabel={t('app.cancel')}
        isBusy={logout.isPending}
        onConfirm={() => logout.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}
