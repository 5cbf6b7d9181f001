import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getBalanceHistory, getFunds, getStatement, listLedgerRecords } from '@fairlot/contract'
import type {
  BalanceHistory,
  FundsBalance,
  LedgerGroup,
  LedgerRecord,
  StatementQuery,
} from '@fairlot/contract'
import { marketNow } from '../../live/market/market-clock.ts'
import { fetchFile, saveAs } from '../../live/requests/files.ts'
import { FIRST_PAGE, rowsAfter } from '../../live/requests/paged-rows.ts'
import { request } from '../../live/requests/request.ts'

const DAY_MS = 86_400_000

/** Available and frozen funds. */
export const useFunds = () =>
  useQuery({
    queryKey: ['funds', 'balance'],
    queryFn: ({ signal }) => request(getFunds, null, { signal, isSilent: true }),
    staleTime: 0,
  })

/** The group of bookings shown. */
export type RecordFilter = LedgerGroup | 'all'

/** The user's bookings of a group, newest first, page by page. */
export function useLedgerRecords(filter: RecordFilter) {
  const group = filter === 'all' ? null : filter
  const query = useInfiniteQuery({
    queryKey: ['funds', 'records', filter],
    queryFn: ({ pageParam, signal }) =>
      request(listLedgerRecords, { page: 1, before: pageParam, group }, { signal, isSilent: true }),
    initialPageParam: FIRST_PAGE,
    getNextPageParam: (_last, pages) => rowsAfter(pages, (page) => page.records),
    staleTime: 0,
  })
  const records: readonly LedgerRecord[] | undefined = query.data?.pages.flatMap((page) => page.records)
  return { ...query, records }
}

/** The balance of the last days, oldest first, ending with the current one. */
export function useBalanceHistory(days: number) {
  const { data: funds } = useFunds()
  const query = useQuery({
    queryKey: ['funds', 'history', days],
    queryFn: ({ signal }) =>
      request(getBalanceHistory, { from: marketNow() - days * DAY_MS }, { signal, isSilent: true }),
    staleTime: 0,
  })
  return { ...query, points: query.data && pointsUpTo(query.data.points, funds) }
}

/** The last point is the current balance, which a booking after the response may have changed. */
function pointsUpTo(
  points: BalanceHistory['points'],
  funds: FundsBalance | undefined,
): BalanceHistory['points'] {
  const last = points.at(-1)
  return last && funds ? [...points.slice(0, -1), { ...last, balance: funds.available }] : points
}

/** Downloads a statement and saves it. Returns whether that succeeded; a failure has been shown by then. */
export async function saveStatement(query: StatementQuery): Promise<boolean> {
  try {
    const file = await fetchFile(getStatement, query)
    const [from, to] = [query.from, query.to].map((at) => new Date(at).toISOString().slice(0, 10))
    saveAs(file, `statement-${from}-${to}.${query.format}`)
    return true
  } catch {
    return false
  }
}
