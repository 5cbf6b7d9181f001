import { type Activity, listActivity, PAGE_ROWS } from '@fairlot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { request } from '../../live/requests/request.ts'

/** What was done about the account, by its user and by operators, newest first, page by page. */
export function useActivities() {
  const query = useInfiniteQuery({
    queryKey: ['user', 'activity'],
    queryFn: ({ pageParam, signal }) =>
      request(listActivity, { page: pageParam }, { signal, isSilent: true }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined),
    staleTime: 0,
  })
  const activities: readonly Activity[] | undefined = query.data?.pages.flatMap((page) => page.activities)
  return { ...query, activities }
}
