import { getDeskSelf, type DeskSelf } from '@fairlot/contract/desk'
import { useEffect, useState } from 'react'
import { serverNow } from './clock.ts'
import { lastActAt, onAct } from './hands.ts'
import { requestedAt, request } from './request.ts'
import { logOut } from './session.ts'

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS

/** What is left of a session after the last act, ms; never less than nothing. */
export const leftMs = (
  { idleMs, endsAt }: { idleMs: number; endsAt: number },
  lastActAt: number,
  now: number,
): number => Math.max(0, Math.min(lastActAt + idleMs, endsAt) - now)

/**
 * Counts down what is left of the session, in whole minutes, and logs out at its end. Every act begins the count anew; one without a
 * call of its own is told to the server once a minute.
 */
export function useIdleCountdown({ idleEndsAt, endsAt }: DeskSelf): number {
  const [sinceAt] = useState(serverNow)
  const [idleMs] = useState(() => idleEndsAt - sinceAt)
  const [left, setLeft] = useState(() => leftMs({ idleMs, endsAt }, sinceAt, sinceAt))
  useEffect(() => {
    const stopListening = onAct(() => {
      if (lastActAt() - requestedAt() > MINUTE_MS) void request(getDeskSelf, null).catch(() => undefined)
    })
    const look = () => {
      const now = leftMs({ idleMs, endsAt }, lastActAt(), serverNow())
      setLeft(now)
      if (now === 0) void logOut('idle')
    }
    const timer = setInterval(look, SECOND_MS)
    return () => {
      stopListening()
      clearInterval(timer)
    }
  }, [idleMs, endsAt])
  // The server tells its time in whole seconds.
  return Math.ceil(Math.max(0, left - SECOND_MS) / MINUTE_MS)
}
