import { candlesChannel, listCandles, topicOf } from '@fairlot/contract'
import type { Candle, CandleUpdate, Period } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { onLive, wantTopic } from './door.ts'
import { request } from './request.ts'

export type CandlesState = {
  /** Ascending by time, the last one still moving. Undefined before the first answer. */
  candles: readonly Candle[] | undefined
  isFailed: boolean
  refetch: () => unknown
}

/** The newest bars of an instrument. The moving bar afterwards comes through onCandle. */
export function useCandles(instrumentId: number | undefined, period: Period): CandlesState {
  const { data, isError, refetch } = useQuery({
    queryKey: ['candles', instrumentId, period],
    queryFn: ({ signal }) =>
      request(
        listCandles,
        { instrumentId: instrumentId ?? 0, period, before: null, limit: null },
        { signal, isSilent: true },
      ),
    enabled: instrumentId !== undefined,
    staleTime: 0,
  })
  return { candles: data, isFailed: isError && !data, refetch }
}

/** Bars before a moment (epoch ms), ascending; empty when there are none. */
export const loadOlderCandles = (
  instrumentId: number,
  period: Period,
  before: number,
): Promise<readonly Candle[]> =>
  request(listCandles, { instrumentId, period, before, limit: null }, { isSilent: true })

type Wanted = { code: string; period: Period }

/** Calls back with every change of the moving bar of an instrument and period until the returned function is called. */
export function onCandle({ code, period }: Wanted, listener: (bar: CandleUpdate['bar']) => void): () => void {
  const leave = wantTopic(topicOf(candlesChannel, code))
  const silence = onLive('candle', (update) => {
    if (update.code === code && update.bar.period === period) listener(update.bar)
  })
  return () => {
    leave()
    silence()
  }
}
