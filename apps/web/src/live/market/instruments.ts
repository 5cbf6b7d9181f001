import { accept, encode, listInstruments } from '@fairlot/contract'
import type { InstrumentListing } from '@fairlot/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { keepRows } from './keep-rows.ts'
import { marketNow } from './market-clock.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { answerOfPage, PAGE_ASKED_AT } from '../first-data.ts'
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
  const read = accept(listInstruments.response, cached.rows)
  return read.ok ? take(read.value, cached.at) : null
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
const listOfPage = once(() => answerOfPage('instruments', listInstruments.response))

/** Whether the list came with the page. */
export const isListOfPage = (): boolean => listOfPage() !== undefined

/** What is shown until the list is fetched. Reading it takes a slow phone a while, so the start of the app does it by itself. */
export const readFirstList = once((): readonly InstrumentListing[] | undefined => {
  const listed = listOfPage()
  return listed ? take(listed, Date.now()) : (cachedList() ?? undefined)
})

function once<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | undefined
  return () => (known ??= { value: read() }).value
}

/** Every instrument. The list of the page or of the last load of this visit is shown at once while the new one is on its way. */
const instrumentsQuery = queryOptions({
  queryKey: ['instruments'],
  queryFn: ({ signal }) => fetchList(signal),
  // Markets open and close by the clock; the list says when.
  refetchInterval: ({ state: { data } }) => data !== undefined && untilNextTurn(data, marketNow()),
  initialData: readFirstList,
  // A list of the last load is as old as that was.
  initialDataUpdatedAt: () => (listOfPage() ? PAGE_ASKED_AT : 0),
  structuralSharing: (before, next) =>
    keepRows(before as readonly InstrumentListing[] | undefined, next as readonly InstrumentListing[]),
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
  return useMemo(() => instruments && firstOf(instruments, code), [instruments, code])
}

/** The instrument of a code, else the first that is open. */
export const firstOf = (
  instruments: readonly InstrumentListing[],
  code: string | null,
): InstrumentListing | undefined =>
  instruments.find((instrument) => instrument.code === code) ??
  instruments.find((instrument) => instrument.isOpen) ??
  instruments[0]

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
