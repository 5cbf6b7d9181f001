import { getFunds, listLedgerRecords, PAGE_ROWS } from '@fairlot/contract'
import type { FundsBalance, LedgerRecord } from '@fairlot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { request } from '../../live/requests/request.ts'

/** Money on hand and money frozen; undefined before the first answer. */
export const useFunds = (): FundsBalance | undefined =>
  useQuery({
    queryKey: ['funds', 'balance'],
    queryFn: ({ signal }) => request(getFunds, null, { signal, isSilent: true }),
    staleTime: 0,
  }).data

/** The user's bookings, newest first, page by page. */
export function useLedgerRecords() {
  const query = useInfiniteQuery({
    queryKey: ['funds', 'records'],
    queryFn: ({ pageParam, signal }) =>
      request(listLedgerRecords, { page: pageParam }, { signal, isSilent: true }),
    initialPageParam: 1,
    // Finished when the loaded rows are at least the total.
    getNextPageParam: (last, pages) => (pages.length * PAGE_ROWS < last.total ? pages.length + 1 : undefined),
    staleTime: 0,
  })
  const records: readonly LedgerRecord[] | undefined = query.data?.pages.flatMap((page) => page.records)
  return { ...query, records }
}
