import { countUnreadNotices, listNotices, readNotices, type NoticePage } from '@fairlot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useIsLoggedIn } from '../device/token.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { fetchAgain, queryClient } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'

const UNREAD_KEY = ['user', 'noticesUnread']
const LIST_KEY = ['user', 'notices']

const FRESH_MS = 60_000
/** Published news are not pushed, so a visible page polls at this interval. */
const REFRESH_EVERY_MS = 120_000

/** Fetches the count and the list again after each pushed notice. Called once. */
export function startNoticeUpdates(): void {
  onServerMessage('notice', refreshNotices)
}

/** Fetches the count and the list of notices again. */
export function refreshNotices(): void {
  for (const queryKey of [UNREAD_KEY, LIST_KEY]) void fetchAgain({ queryKey })
}

/** How many notices the user has not read; none for a visitor and before the first response. */
export function useUnreadNotices(): number {
  const enabled = useIsLoggedIn()
  const { data } = useQuery({
    queryKey: UNREAD_KEY,
    queryFn: ({ signal }) => request(countUnreadNotices, null, { signal, isSilent: true, isInitial: true }),
    enabled,
    staleTime: FRESH_MS,
    refetchInterval: REFRESH_EVERY_MS,
  })
  return enabled ? (data?.count ?? 0) : 0
}

/** The user's notices, newest first, page by page. */
export function useNotices() {
  const query = useInfiniteQuery({
    queryKey: LIST_KEY,
    queryFn: ({ pageParam: before, signal }) =>
      request(listNotices, { page: 1, before }, { signal, isSilent: true }),
    initialPageParam: null as string | null,
    // Not by number: notices that come meanwhile would shift the pages.
    getNextPageParam: ({ next }: NoticePage) => next ?? undefined,
    staleTime: 0,
  })
  return { ...query, notices: query.data?.pages.flatMap((page) => page.notices) }
}

/** Marks all notices up to a moment (epoch ms) as read; the list shows it after its next fetch. */
export function markNoticesRead(upTo: number): void {
  queryClient.setQueryData(UNREAD_KEY, { count: 0 })
  // If the request fails, they are unread again on the next visit.
  request(readNotices, { upTo }, { isSilent: true })
    .then(() => fetchAgain({ queryKey: ['user', 'newsSeen'] }))
    .catch(() => undefined)
}
