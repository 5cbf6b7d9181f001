import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useTranslations } from 'use-intl'
import { failureText } from '../live/failure-text.ts'
import { listenToRequests } from '../live/request.ts'
import { forgetUser } from '../live/session.ts'
import { showToast } from '../ui/toast.ts'
import { isEntry, pathWithFrom } from './guard.ts'

/** Turns failed calls into what the reader sees: a toast, or the way to the login when the session is gone. */
export function RequestMessages() {
  const t = useTranslations('app')
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  useEffect(
    () =>
      listenToRequests({
        onFailure: (failure) => {
          const text = failureText(failure, t)
          if (text !== null) showToast({ text, tone: 'problem' })
        },
        onSessionGone: (isInitial) => {
          forgetUser()
          // Whoever logs in or registers is on the way already, and keeps what was typed.
          if (isInitial || isEntry(pathname)) return
          void navigate(pathWithFrom('login', pathname + search), { replace: true })
        },
      }),
    [t, navigate, pathname, search],
  )
  return null
}
