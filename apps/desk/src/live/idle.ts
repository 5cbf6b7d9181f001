import { getDeskSelf, type DeskSelf } from '@fairlot/contract/desk'
import { useEffect, useState } from 'react'
import { lastActivityAt, onActivity } from './activity.ts'
import { serverNow } from './clock.ts'
import { lastRequestAt, request } from './request.ts'
import { logOut } from './session.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** The remaining time of a session, ms, at least zero. */
export const remainingMs = (
  { idleMs, endsAt }: { idleMs: number; endsAt: number },
  lastActivity: number,
  now: number,
): number => Math.max(0, Math.min(lastActivity + idleMs, endsAt) - now)

/**
 * Counts down the session in full minutes and logs out at its end. Activity restarts the count; activity without a request is
 * reported to the server once a minute.
 */
export function useIdleCountdown({ idleEndsAt, endsAt }: DeskSelf): number {
  const [sinceAt] = useState(serverNow)
  const [idleMs] = useState(() => idleEndsAt - sinceAt)
  const [left, setLeft] = useState(() => remainingMs({ idleMs, endsAt }, sinceAt, sinceAt))
  useEffect(() => {
    const stopListening = onActivity(() => {
      if (lastActivityAt() - lastRequestAt() > MINUTE_MS)
        void request(getDeskSelf, null).catch(() => undefined)
    })
    const update = () => {
      const now = remainingMs({ idleMs, endsAt }, lastActivityAt(), serverNow())
      setLeft(now)
      if (now === 0) void logOut('idle')
    }
    const timer = setInterval(update, SECOND_MS)
    return () => {
      stopListening()
      clearInterval(timer)
    }
  }, [idleMs, endsAt])
  // The server's time is exact to a second.
  return Math.ceil(Math.max(0, left - SECOND_MS) / MINUTE_MS)
}
