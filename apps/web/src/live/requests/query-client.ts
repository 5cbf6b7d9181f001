import { QueryClient, type QueryFilters } from '@tanstack/react-query'

const STALE_AFTER_MS = 30_000
const KEPT_MS = 10 * 60_000

/**
 * Fetched data by key. REST is authoritative and the socket only faster: after a reconnect and after a change of the user or the
 * language everything on the screen is fetched again.
 */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: STALE_AFTER_MS,
      gcTime: KEPT_MS,
      retry: false,
      refetchOnWindowFocus: false,
      networkMode: 'always',
    },
    mutations: { networkMode: 'always' },
  },
})

/**
 * Fetches again what is on the screen; the rest when it is next shown. Requests in progress are cancelled: their answers may be older
 * than messages received since. (Invalidating alone would wait for a first response and count it as new.)
 */
export async function fetchAgain(queries: QueryFilters = {}): Promise<void> {
  await queryClient.cancelQueries(queries)
  await queryClient.invalidateQueries(queries)
}

/** After a message of the socket: repeats a request in progress, whose response may be older than the message. */
export function fetchAgainIfFetching(queries: QueryFilters): void {
  if (queryClient.isFetching(queries) > 0) void fetchAgain(queries)
}
