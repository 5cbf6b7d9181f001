import { DESK_PAGE_ROWS, type DeskEndpoint } from '@fairlot/contract/desk'
import { type Query, QueryClient, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { errorText, request } from './request.ts'

const STALE_AFTER_MS = 30_000

/** The cache. Data comes over REST; the socket reports which of it is out of date. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: STALE_AFTER_MS, retry: false, refetchOnWindowFocus: false, networkMode: 'always' },
    mutations: { networkMode: 'always' },
  },
})

/** The topic of an endpoint: the part after `/desk/api/` in its path, such as `operators`. */
export const topicOf = ({ path }: Pick<DeskEndpoint, 'path'>): string => path.split('/')[3] ?? ''

/** The cache key of an endpoint and its input. */
export const keyOf = (endpoint: Pick<DeskEndpoint, 'path' | 'name'>, input: unknown): unknown[] => [
  topicOf(endpoint),
  endpoint.name,
  keyPart(input),
]

/** Keys are compared as JSON, which has no bigints. */
function keyPart(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (Array.isArray(value)) return value.map(keyPart)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, keyPart(part)]))
}

const topicsOf = ({ queryKey, meta }: Query): unknown[] => [
  queryKey[0],
  ...((meta?.['topics'] as readonly string[] | undefined) ?? []),
]

/** Fetches queries of these topics again: those on the screen now, the rest when they are next shown. */
export const refetchTopics = (topics: readonly string[]): void =>
  void queryClient.invalidateQueries({
    predicate: (query) => topicsOf(query).some((topic) => topics.includes(String(topic))),
  })

type QueryOptions = {
  /** Other topics that make the result out of date, besides the endpoint's own (see `topicOf`). */
  topics?: readonly string[]
  /** False while the input is not known yet: nothing is fetched. */
  isOn?: boolean
  /** Refresh interval while it is on the screen, ms, for figures that move with prices. */
  refreshMs?: number
}

/** The state of a query. */
export type QueryState<Output> = {
  /** Undefined until the first result. */
  data: Output | undefined
  isLoading: boolean
  /** Why the last fetch failed. */
  problem: string | null
  /** Fetches again. */
  retry: () => void
}

/** Fetches from an endpoint of the desk and keeps the result; fetches again when the server reports its topic as changed. */
export function useDeskQuery<Input, Output>(
  endpoint: DeskEndpoint<Input, Output>,
  input: Input,
  { topics = [], isOn = true, refreshMs }: QueryOptions = {},
): QueryState<Output> {
  const { data, error, isLoading, refetch } = useQuery({
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }) => request(endpoint, input, { signal }),
    meta: { topics },
    enabled: isOn,
    refetchInterval: refreshMs ?? false,
  })
  return { data, isLoading, problem: error && errorText(error), retry: () => void refetch() }
}

type PagedOptions<Output, Row> = {
  /** The rows of one result. */
  rowsOf: (answer: Output) => readonly Row[]
  /** Of a list whose rows leave it: where its next page begins; null at the end. */
  nextOf?: (answer: Output) => string | null
  /** Other topics that make the rows out of date, besides the endpoint's own. */
  topics?: readonly string[]
  /** Rows of a full page, where it differs from the desk's. */
  pageRows?: number
  /** Refresh interval while it is on the screen, ms, for rows that move with prices. */
  refreshMs?: number
}

/** A list fetched in pages, for `<DataTable {...table} />`. */
type Paged<Output, Row> = {
  table: {
    rows: readonly Row[] | undefined
    problem: string | null
    onRetry: () => void
    more: { onMore: () => void; isLoading: boolean } | null
  }
  /** The result of the first page, with totals and counts. */
  first: Output | undefined
}

type PagedInput = { readonly page: number; readonly before?: string | null }

/**
 * Fetches a list page by page, from 1; a page that is not full is the last. `input` is the endpoint's input without the page.
 */
export function usePaged<Input extends PagedInput, Output, Row>(
  endpoint: DeskEndpoint<Input, Output>,
  input: Omit<Input, 'page' | 'before'>,
  { rowsOf, nextOf, topics = [], pageRows = DESK_PAGE_ROWS, refreshMs }: PagedOptions<Output, Row>,
): Paged<Output, Row> {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(endpoint, input), 'pages'],
    queryFn: ({ signal, pageParam: { page, before } }) =>
      request(endpoint, { ...input, page, before } as unknown as Input, { signal }),
    initialPageParam: { page: 1, before: null } as Required<PagedInput>,
    getNextPageParam: (last, _all, { page }) => {
      const before = nextOf?.(last) ?? null
      const isLast = nextOf ? before === null : rowsOf(last).length < pageRows
      return isLast ? undefined : { page: nextOf ? 1 : page + 1, before }
    },
    meta: { topics },
    refetchInterval: refreshMs ?? false,
  })
  const { data, error, hasNextPage, isFetchingNextPage } = query
  const more = { onMore: () => void query.fetchNextPage(), isLoading: isFetchingNextPage }
  return {
    table: {
      rows: data?.pages.flatMap(rowsOf),
      problem: error && errorText(error),
      onRetry: () => void query.refetch(),
      more: hasNextPage ? more : null,
    },
    first: data?.pages[0],
  }
}
