import { useEffect, useState } from 'react'
import { serverNow } from '../live/clock.ts'

const MINUTE_MS = 60_000

/** The server's time, epoch ms, anew each minute: for what says how long something has waited. */
export function useNow(everyMs = MINUTE_MS): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
