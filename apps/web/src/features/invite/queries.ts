import { type Invited, listInvited, PAGE_ROWS } from '@fairlot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { request } from '../../live/requests/request.ts'

/** Who has joined by the user's invitation, the latest first, page by page. */
export function useInvited() {
  const query = useInfiniteQuery({
    queryKey: ['user', 'invited'],
    queryFn: ({ pageParam, signal }) => request(listInvited, { page: pageParam }, { signal, isSilent: true }),
    initialPageParam: 1,
    getNextPageParam: (last, pages) => (pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined),
    staleTime: 0,
  })
  const invited: readonly Invited[] | undefined = query.data?.pages.flatMap((page) => page.invited)
  return { ...query, invited, total: query.data?.pages[0]?.total }
}
