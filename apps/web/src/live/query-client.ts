import { QueryClient } from '@tanstack/react-query'

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
