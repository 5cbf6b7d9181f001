import { listCategories, listRecentCandles } from '@fairlot/contract'
import type { Category } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { request } from '../../live/request.ts'
import { createBatch } from './batch.ts'

const DAY_MS = 86_400_000
const CLOSES_STALE_MS = 5 * 60_000
const AT_ONCE = 4

/** The categories of instruments, named in the reader's language; undefined before the first answer. */
export const useCategories = (): readonly Category[] | undefined =>
  useQuery({
    queryKey: ['categories'],
    queryFn: ({ signal }) => request(listCategories, {}, { signal, isSilent: true }),
    staleTime: DAY_MS,
  }).data

const inTurn = createBatch(AT_ONCE)

/** The closes of the last 60 bars of 15 minutes, fetched once wanted, a few instruments at a time. */
export const useRecentCloses = (instrumentId: number, isWanted: boolean): readonly number[] | undefined =>
  useQuery({
    queryKey: ['recentCloses', instrumentId],
    queryFn: ({ signal }) =>
      inTurn(async () => {
        const input = { instrumentId, period: '15min' } as const
        const candles = await request(listRecentCandles, input, { signal, isSilent: true })
        return candles.map(({ close }) => Number(close))
      }),
    enabled: isWanted,
    staleTime: CLOSES_STALE_MS,
  }).data
