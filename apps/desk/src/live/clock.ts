import { useEffect, useState } from 'react'

let aheadMs = 0

/** The server's time, epoch ms; the clock of this device may be wrong. */
export const serverNow = (): number => Date.now() + aheadMs

/** Updates the server's time from the `Date` header of a response, exact to a second. */
export function updateServerTime(date: string | null): void {
  const at = date === null ? Number.NaN : Date.parse(date)
  if (Number.isFinite(at)) aheadMs = at - Date.now()
}

const MINUTE_MS = 60_000

/** The server's time, epoch ms, updated every minute. */
export function useNow(refreshMs = MINUTE_MS): number {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), refreshMs)
    return () => clearInterval(timer)
  }, [refreshMs])
  return now
}
