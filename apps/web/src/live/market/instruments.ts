import { accept, encode, listInstruments } from '@fairlot/contract'
import type { InstrumentListing } from '@fairlot/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { marketNow } from './market-clock.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { firstData } from '../first-data.ts'
import { areHaltsOther, takeMarketState, untilNextTurn, useMarketState, withHalts } from './market-state.ts'
import { queryClient } from '../requests/query-client.ts'
import { receiveListing } from './quotes.ts'
import { onRefused, request } from '../requests/request.ts'
import { useSelectedCode } from './selected-instrument.ts'
import { readVisit, writeVisit } from '../device/storage.ts'

const CACHE = 'tradeList'

type Cached = { at: number; rows: unknown }

function cachedList(): readonly InstrumentListing[] | null {
  const cached = readVisit(CACHE) as Cached | null
  if (cached === null || typeof cached.at !== 'number') return null
  const acceptd = accept(listInstruments.response, cached.rows)
  return acceptd.ok ? take(acceptd.value, cached.at) : null
}

function take(instruments: readonly InstrumentListing[], receivedAt: number): readonly InstrumentListing[] {
  for (const instrument of instruments) receiveListing(instrument, receivedAt)
  return instruments
}

async function fetchList(signal: AbortSignal): Promise<readonly InstrumentListing[]> {
  const instruments = await request(listInstruments, { search: null }, { signal })
  writeVisit(CACHE, { at: Date.now(), rows: encode(listInstruments.response, instruments) } satisfies Cached)
  return take(instruments, Date.now())
}

/** The list that came with the page; its prices are as old as the page. */
function listOfPage(): readonly InstrumentListing[] | null {
  const acceptd = firstData && accept(listInstruments.response, firstData.instruments)
  return acceptd?.ok ? take(acceptd.value, Date.now()) : null
}

const first = listOfPage() ?? cachedList()

/** Every instrument. The list of the page or of the last load of this visit is shown at once while the new one is on its way. */
const instrumentsQuery = queryOptions({
  queryKey: ['instruments'],
  queryFn: ({ signal }) => fetchList(signal),
  // Markets open and close by the clock; the list says when.
  refetchInterval: ({ state: { data } }) => data !== undefined && untilNextTurn(data, marketNow()),
  ...(first && { initialData: first, initialDataUpdatedAt: 0 }),
})

export type InstrumentsState = {
  /** Undefined before the first answer. */
  instruments: readonly InstrumentListing[] | undefined
  isFailed: boolean
  refetch: () => unknown
}

/** The list of instruments, in the server's order. Prices inside are those of the fetch; use useQuote for now. */
export function useInstruments(): InstrumentsState {
  const { data, isError, refetch } = useQuery(instrumentsQuery)
  const halts = useMarketState()?.halts
  const instruments = useMemo(() => (data && halts ? withHalts(data, halts) : data), [data, halts])
  return { instruments, isFailed: isError && !data, refetch }
}

/** One instrument by its id; undefined while loading, and when it is no longer listed. */
export const useInstrument = (instrumentId: number): InstrumentListing | undefined =>
  useInstruments().instruments?.find(({ id }) => id === instrumentId)

/** The instrument the reader looks at: the picked one, else the first that is open. Undefined while loading. */
export function useSelectedInstrument(): InstrumentListing | undefined {
  const { instruments } = useInstruments()
  const code = useSelectedCode()
  return useMemo(
    () =>
      instruments?.find((instrument) => instrument.code === code) ??
      instruments?.find((instrument) => instrument.isOpen) ??
      instruments?.[0],
    [instruments, code],
  )
}

/** Fetches the list and the trading mode again: on every way to the markets and the trade screen. */
export function refreshInstruments(): void {
  void queryClient.fetchQuery({ ...instrumentsQuery, staleTime: 0 }).catch(() => undefined)
  void queryClient.invalidateQueries({ queryKey: ['basicInfo'] })
}

/** Refusals that say that the list shows a market otherwise than it is. */
const OUT_OF_DATE = new Set<string>(['instrumentDisabled', 'marketClosed', 'marketHalted', 'cancelOnly'])

/** Keeps the list up to date with refusals and pushed market states; called once at the start of the app. */
export function startInstrumentUpdates(): void {
  onRefused((reason) => OUT_OF_DATE.has(reason) && refreshInstruments())
  onServerMessage('marketState', (state) => {
    takeMarketState(state)
    const listed = queryClient.getQueryData(instrumentsQuery.queryKey)
    const isOld = listed !== undefined && areHaltsOther(listed, state.halts)
    // A list that is on its way may have been written before.
    // What is new may be in another category, or its category be called otherwise.
    if (state.changedTerms.length > 0) void queryClient.invalidateQueries({ queryKey: ['categories'] })
    if (isOld || state.changedTerms.length > 0)
      void queryClient.cancelQueries({ queryKey: instrumentsQuery.queryKey }).then(refreshInstruments)
  })
}
