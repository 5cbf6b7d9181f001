import type { DeskEndpoint } from '@fairlot/contract/desk'
import { QueryClient, type Query } from '@tanstack/react-query'

const STALE_AFTER_MS = 30_000

/** What was fetched. REST is the truth; the socket tells what is out of date. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: STALE_AFTER_MS, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** What a call is about: the word behind `/desk/api/` in its path, such as `operators`. */
export const topicOf = ({ path }: Pick<DeskEndpoint, 'path'>): string => path.split('/')[3] ?? ''

/** The key of what a call has fetched. */
export const keyOf = (endpoint: Pick<DeskEndpoint, 'path' | 'name'>, input: unknown): unknown[] => [
  topicOf(endpoint),
  endpoint.name,
  input,
]

const topicsOf = ({ queryKey, meta }: Query): unknown[] => [
  queryKey[0],
  ...((meta?.['topics'] as readonly string[] | undefined) ?? []),
]

/** Fetches again what is on the screen and about one of the topics; the rest when it is next looked at. */
export const renew = (topics: readonly string[]): void =>
  void queryClient.invalidateQueries({
    predicate: (query) => topicsOf(query).some((topic) => topics.includes(String(topic))),
  })
