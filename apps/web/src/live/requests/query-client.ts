import { QueryClient, type QueryFilters } from '@tanstack/react-query'

const STALE_AFTER_MS = 30_000
const KEPT_MS = 10 * 60_000

/**
 * What was fetched, by key. REST is the truth and the socket is speed: after a reconnect and after a change of the
 * user or the language everything that is on the screen is fetched again.
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
 * Fetches again what is on the screen; the rest when it is next shown. Answers on their way are not waited for: they may know
 * less than what was heard since. (Invalidating alone waits for a first answer, and then takes it for a new one.)
 */
export async function fetchAgain(queries: QueryFilters = {}): Promise<void> {
  await queryClient.cancelQueries(queries)
  await queryClient.invalidateQueries(queries)
}

/** For whoever has just heard something by the socket: an answer that is on its way may not know it yet. */
export function fetchAgainIfFetching(queries: QueryFilters): void {
  if (queryClient.isFetching(queries) > 0) void fetchAgain(queries)
}
