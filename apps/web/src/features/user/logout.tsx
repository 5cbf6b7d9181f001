import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { Checkbox } from '@fairlot/ui/forms/checkbox.tsx'
import { Confirm } from '@fairlot/ui/overlays/sheet.tsx'
import { logOutHere } from '../../live/session/session.ts'
import { useHasDemo } from '../../live/session/user.ts'

/** Logs out after a confirmation. A demo account has no password, so its user is asked whether this device keeps its key. */
export function Logout({ isDemo }: { isDemo: boolean }) {
  const t = useTranslations()
  const [isConfirming, setIsConfirming] = useState(false)
  const [isKept, setIsKept] = useState(true)
  const canKeep = useHasDemo() && isDemo
  const logout = useMutation({
    mutationFn: () => logOutHere(canKeep && isKept),
    onSettled: () => setIsConfirming(false),
  })
  return (
    <>
      <Button
        tone="outline"
        onClick={() => {
          setIsKept(true)
          setIsConfirming(true)
        }}
      >
        {t('user.logout')}
      </Button>
      <Confirm
        isOpen={isConfirming}
        title={t('user.logoutTitle')}
        text={
          canKeep ? (
            <>
              <Checkbox isChecked={isKept} onChange={setIsKept}>
                {t('user.logoutKeepDemo')}
              </Checkbox>
              {t(isKept ? 'user.logoutDemoKeptText' : 'user.logoutDemoText')}
            </>
          ) : (
            t(isDemo ? 'user.logoutDemoText' : 'user.logoutText')
          )
        }
        confirmLabel={t('user.logout')}
        cancelLabel={t('app.cancel')}
        isBusy={logout.isPending}
        onConfirm={() => logout.mutate()}
        onClose={() => setIsConfirming(false)}
      />
    </>
  )
}
