import { DESK_PAGE_ROWS, type DeskEndpoint } from '@fairlot/contract/desk'
import { useInfiniteQuery } from '@tanstack/react-query'
import { keyOf } from './query-client.ts'
import { refusalText, request } from './request.ts'

type Options<Output, Row> = {
  /** The rows of one answer. */
  rowsOf: (answer: Output) => readonly Row[]
  /** Other topics that make the rows out of date, besides the call's own. */
  topics?: readonly string[]
  /** Rows of a whole page, where the call is one of the traders' lists. */
  pageRows?: number
  /** Asks again so often while it is on the screen, ms: rows that move with prices. */
  everyMs?: number
}

/** A list that comes in pages, for `<DataTable {...table} />`. */
export type Paged<Output, Row> = {
  table: {
    rows: readonly Row[] | undefined
    problem: string | null
    onRetry: () => void
    more: { onMore: () => void; isLoading: boolean } | null
  }
  /** The answer of the first page: totals and counts. */
  first: Output | undefined
}

/**
 * Asks a list of the desk page by page, from 1; a page that is not full is the last. `input` is what is asked
 * for without its page.
 */
export function usePaged<Input extends { readonly page: number }, Output, Row>(
  endpoint: DeskEndpoint<Input, Output>,
  input: Omit<Input, 'page'>,
  { rowsOf, topics = [], pageRows = DESK_PAGE_ROWS, everyMs }: Options<Output, Row>,
): Paged<Output, Row> {
  const query = useInfiniteQuery({
    queryKey: [...keyOf(endpoint, input), 'pages'],
    queryFn: ({ signal, pageParam }) => request(endpoint, { ...input, page: pageParam } as Input, { signal }),
    initialPageParam: 1,
    getNextPageParam: (last, _all, page) => (rowsOf(last).length < pageRows ? undefined : page + 1),
    meta: { topics },
    refetchInterval: everyMs ?? false,
  })
  const { data, error, hasNextPage, isFetchingNextPage } = query
  const more = { onMore: () => void query.fetchNextPage(), isLoading: isFetchingNextPage }
  return {
    table: {
      rows: data?.pages.flatMap(rowsOf),
      problem: error && refusalText(error),
      onRetry: () => void query.refetch(),
      more: hasNextPage ? more : null,
    },
    first: data?.pages[0],
  }
}
