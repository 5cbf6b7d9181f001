import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { leaveEverywhere } from '../../../live/session.ts'
import { Button } from '../../../ui/button.tsx'
import { Confirm } from '../../../ui/confirm.tsx'

/** Ends every session after asking, this one too. */
export function LogoutEverywhere({ isDemo }: { isDemo: boolean }) {
  const t = useTranslations()
  const [isAsking, setIsAsking] = useState(false)
  const logout = useMutation({ mutationFn: leaveEverywhere, onSettled: () => setIsAsking(false) })
  return (
    <>
      <Button tone="outline" isWide onClick={() => setIsAsking(true)}>
        {t('session.logoutEverywhere')}
      </Button>
      <Confirm
        isOpen={isAsking}
        title={t('session.logoutEverywhereTitle')}
        text={t(isDemo ? 'user.logoutDemoText' : 'session.logoutEverywhereText')}
        confirmLabel={t('session.logoutEverywhere')}
        cancelLabel={t('app.cancel')}
        isBusy={logout.isPending}
        onConfirm={() => logout.mutate()}
        onClose={() => setIsAsking(false)}
      />
    </>
  )
}
