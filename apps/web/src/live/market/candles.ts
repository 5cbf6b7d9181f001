import { candlesChannel, listCandles, topicOf } from '@fairlot/contract'
import type { Candle, CandleUpdate, Period, QuoteSource } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { onServerMessage, subscribeTopic } from '../connection/server-connection.ts'
import { request } from '../requests/request.ts'

export type CandlesState = {
  /** Ascending by time; the last one is still changing. Undefined before the first response. */
  candles: readonly Candle[] | undefined
  isFailed: boolean
  refetch: () => unknown
}

/** The newest bars of an instrument; later changes of the last bar come through `onCandle`. */
export function useCandles(
  instrumentId: number | undefined,
  period: Period,
  /** Each source has its own bars. */
  source: QuoteSource | null,
): CandlesState {
  const { data, isError, refetch } = useQuery({
    queryKey: ['candles', instrumentId, period, source],
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

type CandleSubscription = { code: string; period: Period }

/** Calls back with every change of the last bar of an instrument and period until the returned function is called. */
export function onCandle(
  { code, period }: CandleSubscription,
  listener: (bar: CandleUpdate['bar']) => void,
): () => void {
  const leave = subscribeTopic(topicOf(candlesChannel, code))
  const stopListening = onServerMessage('candle', (update) => {
    if (update.code === code && update.bar.period === period) listener(update.bar)
  })
  return () => {
    leave()
    stopListening()
  }
}
