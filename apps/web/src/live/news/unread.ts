import { getLatestNews, getNewsSeen, tellNewsSeen } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { create } from 'zustand'
import { useIsLoggedIn } from '../auth/token.ts'
import { readStored, writeStored } from '../device/storage.ts'
import { queryClient } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'

const FRESH_MS = 60_000
/** Nobody tells of a schedule that has come: the page looks this often while it is seen. */
const LOOKED_EVERY_MS = 120_000

const SEEN_KEY = ['user', 'newsSeen']

/** What a visitor has seen on this device. */
const useSeenHere = create<{ at: number | null }>(() => ({ at: Number(readStored('newsSeen')) || null }))

/** When the latest item was published, epoch ms; undefined while nobody knows, null where there is none. */
export const useLatestNewsAt = (): number | null | undefined =>
  useQuery({
    queryKey: ['news', 'latest'],
    queryFn: ({ signal }) => request(getLatestNews, null, { signal, isSilent: true }),
    staleTime: FRESH_MS,
    refetchInterval: LOOKED_EVERY_MS,
  }).data?.at

/** Up to which moment the account has seen the news, for a visitor this device; null for never, undefined while it is asked. */
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

/** Whether something was published that the reader has not seen. */
export function useHasUnreadNews(): boolean {
  const latest = useLatestNewsAt()
  const seen = useNewsSeen()
  return typeof latest === 'number' && seen !== undefined && latest > (seen ?? 0)
}

/** Remembers that the reader has seen the news up to a moment: with the account, for a visitor on this device. */
export function markNewsSeen(at: number, isLoggedIn: boolean): void {
  if (!isLoggedIn) {
    writeStored('newsSeen', String(at))
    useSeenHere.setState({ at })
    return
  }
  queryClient.setQueryData(SEEN_KEY, { at })
  // Untold it is unread again on the next visit, which harms nobody.
  request(tellNewsSeen, { at }, { isSilent: true }).catch(() => undefined)
}

/** Forgets what a visitor has seen on this device. */
export const forgetNewsSeenHere = (): void => useSeenHere.setState({ at: null })
