import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getNews, listNews, NEWS_PAGE_ROWS, type NewsCategory, type NewsRow } from '@fairlot/contract'
import { request } from '../../live/requests/request.ts'

/** News and announcements of a category, page by page, as the server orders them. */
export function useNews(category: NewsCategory) {
  const query = useInfiniteQuery({
    queryKey: ['news', 'list', category],
    queryFn: ({ pageParam, signal }) =>
      request(listNews, { category, page: pageParam }, { signal, isSilent: true }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) =>
      pages.length * NEWS_PAGE_ROWS < last.total ? pages.length + 1 : undefined,
    staleTime: 0,
  })
  const rows = query.data?.pages.flatMap((page) => page.items)
  // New items shift the others between pages: one may be on two of them.
  const items: readonly NewsRow[] | undefined = rows?.filter(
    ({ id }, index) => rows.findIndex((row) => row.id === id) === index,
  )
  return { ...query, items }
}

/** One item with its content; null loads nothing. */
export const useNewsItem = (id: number | null) =>
  useQuery({
    queryKey: ['news', 'item', id],
    queryFn: ({ signal }) => request(getNews, { id: id ?? 0 }, { signal, isSilent: true }),
    enabled: id !== null,
    staleTime: 0,
  })
