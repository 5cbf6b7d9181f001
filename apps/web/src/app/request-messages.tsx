import { useEffect } from 'react'
import { useLocation, navigate } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { failureText } from '../live/requests/failure-text.ts'
import { listenToRequests } from '../live/requests/request.ts'
import { forgetUser } from '../live/auth/user.ts'
import { showToast } from '@fairlot/ui/toast.ts'
import { isEntry, pathWithFrom } from './route-guard.ts'

/** Turns what calls say into what the reader sees: a notice, or the way to the login when the session is gone. */
export function RequestMessages() {
  const t = useTranslations('app')
  const { pathname, search } = useLocation()
  useEffect(
    () =>
      listenToRequests({
        onFailure: (failure) => {
          const text = failureText(failure, t)
          if (text !== null) showToast({ text, tone: 'problem' })
        },
        onTold: (text) => showToast({ text }),
        onSessionGone: (isInitial) => {
          forgetUser()
          // Whoever logs in or registers is on the way already, and keeps what was typed.
          if (isInitial || isEntry(pathname)) return
          navigate(pathWithFrom('login', pathname + search), { replace: true })
        },
      }),
    [t, pathname, search],
  )
  return null
}
