import { getLatestNews, getNewsSeen, reportNewsSeen } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { useIsLoggedIn } from './device/token.ts'
import { readStored, writeStored } from './device/storage.ts'
import { queryClient } from './requests/query-client.ts'
import { request } from './requests/request.ts'

const FRESH_MS = 60_000
/** News published by schedule are not pushed, so a visible page polls at this interval. */
const REFRESH_EVERY_MS = 120_000

const SEEN_KEY = ['user', 'newsSeen']

/** Time up to which a visitor has seen the news on this device. */
const useSeenHere = create<{ at: number | null }>(() => ({ at: Number(readStored('newsSeen')) || null }))

/** When the latest item was published, epoch ms; undefined before the first response, null when there is none. */
export const useLatestNewsAt = (): number | null | undefined =>
  useQuery({
    queryKey: ['news', 'latest'],
    queryFn: ({ signal }) => request(getLatestNews, null, { signal, isSilent: true }),
    staleTime: FRESH_MS,
    refetchInterval: REFRESH_EVERY_MS,
  }).data?.at

/** Time up to which the user has seen the news (a visitor: on this device); null for never, undefined before the first response. */
export function useNewsSeen(): number | null | undefined {
  const isLoggedIn = useIsLoggedIn()
  const here = useSeenHere(({ at }) => at)
  const { data } = useQuery({
    queryKey: SEEN_KEY,
    queryFn: ({ signal }) => request(getNewsSeen, null, { signal, isSilent: true, isInitial: true }),
    enabled: isLoggedIn,
    staleTime: FRESH_MS,
  })
  return isLoggedIn ? data?.at : here
}

/** Whether an item was published that the user has not seen. */
export function useHasUnreadNews(): boolean {
  const latest = useLatestNewsAt()
  const seen = useNewsSeen()
  return typeof latest === 'number' && seen !== undefined && latest > (seen ?? 0)
}

/** Remembers that the user has seen the news up to a time (epoch ms): in the account, for a visitor on this device. */
export function markNewsSeen(at: number, isLoggedIn: boolean): void {
  if (!isLoggedIn) {
    writeStored('newsSeen', String(at))
    useSeenHere.setState({ at })
    return
  }
  queryClient.setQueryData(SEEN_KEY, { at })
  // If the request fails, it is unread again on the next visit.
  request(reportNewsSeen, { at }, { isSilent: true }).catch(() => undefined)
}

/** Forgets what a visitor has seen on this device. */
export const forgetNewsSeenHere = (): void => useSeenHere.setState({ at: null })
