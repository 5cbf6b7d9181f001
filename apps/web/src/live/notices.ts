import { countUnreadNotices, listNotices, PAGE_ROWS, readNotices, type NoticePage } from '@fairlot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useIsLoggedIn } from './auth/token.ts'
import { onServerMessage } from './connection/server-connection.ts'
import { fetchAgain, queryClient } from './requests/query-client.ts'
import { request } from './requests/request.ts'

const UNREAD_KEY = ['user', 'noticesUnread']
const LIST_KEY = ['user', 'notices']

const FRESH_MS = 60_000
/** Of news nobody tells: the page looks this often while it is seen. */
const LOOKED_EVERY_MS = 120_000

/** Counts anew, and fetches the list anew where it is shown, as soon as the server tells of something. Called once. */
export function startNoticeUpdates(): void {
  onServerMessage('notice', refreshNotices)
}

/** After what may have changed what is unread, or what is shown. */
export function refreshNotices(): void {
  for (const queryKey of [UNREAD_KEY, LIST_KEY]) void fetchAgain({ queryKey })
}

/** How many notices the user has not read; none for a visitor and before the first answer. */
export function useUnreadNotices(): number {
  const enabled = useIsLoggedIn()
  const { data } = useQuery({
    queryKey: UNREAD_KEY,
    queryFn: ({ signal }) => request(countUnreadNotices, null, { signal, isSilent: true, isInitial: true }),
    ...{ enabled, staleTime: FRESH_MS, refetchInterval: LOOKED_EVERY_MS },
  })
  return enabled ? (data?.count ?? 0) : 0
}

/** What the user is told of, newest first, page by page. */
export function useNotices() {
  const query = useInfiniteQuery({
    queryKey: LIST_KEY,
    queryFn: ({ pageParam, signal }) => request(listNotices, { page: pageParam }, { signal, isSilent: true }),
    initialPageParam: 1,
    getNextPageParam: (last: NoticePage, pages) =>
      pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined,
    staleTime: 0,
  })
  return { ...query, notices: query.data?.pages.flatMap((page) => page.notices) }
}

/** Marks everything up to a moment, epoch ms, as read; what is shown keeps its marks until it is fetched again. */
export function markNoticesRead(upTo: number): void {
  queryClient.setQueryData(UNREAD_KEY, { count: 0 })
  // Untold they are unread again on the next visit, which harms nobody.
  request(readNotices, { upTo }, { isSilent: true })
    .then(() => fetchAgain({ queryKey: ['user', 'newsSeen'] }))
    .catch(() => undefined)
}
