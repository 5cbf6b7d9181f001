import { useEffect, useState } from 'react'
import { useIsLoggedIn } from '../../live/auth/token.ts'
import { markNewsSeen, useLatestNewsAt, useNewsSeen } from '../../live/news/unread.ts'

/**
 * Marks all news as seen while the list is shown. Answers up to where the reader had seen them before, so that what is new can still be told
 * from the rest; undefined while that is not known.
 */
export function useSeeing(isShown: boolean): number | null | undefined {
  const isLoggedIn = useIsLoggedIn()
  const latest = useLatestNewsAt()
  const seen = useNewsSeen()
  const [before, setBefore] = useState<number | null>()
  if (before === undefined && seen !== undefined) setBefore(seen)
  // The list is kept when it is left: the next visit begins with what this one has seen.
  useEffect(() => () => setBefore(undefined), [isLoggedIn])
  useEffect(() => {
    if (!isShown || typeof latest !== 'number' || seen === undefined) return
    if (latest > (seen ?? 0)) markNewsSeen(latest, isLoggedIn)
  }, [isShown, latest, seen, isLoggedIn])
  return before
}
