import { type InstrumentListing, listInstruments } from '@fairlot/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { marketNow } from './market-clock.ts'
import { onServerMessage } from '../connection/server-connection.ts'
import { answerOfPage, PAGE_REQUESTED_AT } from '../requests/page-data.ts'
import {
  haveHaltsChanged,
  msUntilNextSession,
  setMarketState,
  useMarketState,
  withHalts,
} from './market-state.ts'
import { fetchAgain, queryClient } from '../requests/query-client.ts'
import { receiveListing } from './quotes.ts'
import { onRequestFailed, request } from '../requests/request.ts'
import { useSelectedCode } from './selected-instrument.ts'

function receive(
  instruments: readonly InstrumentListing[],
  receivedAt: number,
): readonly InstrumentListing[] {
  for (const instrument of instruments) receiveListing(instrument, receivedAt)
  return instruments
}

async function fetchList(signal: AbortSignal): Promise<readonly InstrumentListing[]> {
  const instruments = await request(listInstruments, { search: null }, { signal })
  return receive(instruments, Date.now())
}

/** The list that came with the page; its prices are as old as the page. */
const listOfPage = once(() => answerOfPage('instruments', listInstruments.response))

/** Whether the list came with the page. */
export const isListOfPage = (): boolean => listOfPage() !== undefined

/** The list that came with the page, shown until the first response. Decoding it takes long on a slow phone, so the start of the app does it separately. */
export const readFirstList = once((): readonly InstrumentListing[] | undefined => {
  const listed = listOfPage()
  return listed && receive(listed, PAGE_REQUESTED_AT)
})

function once<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | undefined
  return () => (known ??= { value: read() }).value
}

/** Every instrument. The list of the page is shown until the new one arrives. */
const instrumentsQuery = queryOptions({
  queryKey: ['instruments'],
  queryFn: ({ signal }) => fetchList(signal),
  // Markets open and close by the clock, without a push; the list names the times.
  refetchInterval: ({ state: { data } }) => data !== undefined && msUntilNextSession(data, marketNow()),
  initialData: readFirstList,
  initialDataUpdatedAt: PAGE_REQUESTED_AT,
  structuralSharing: (before, next) =>
    keepRows(before as readonly InstrumentListing[] | undefined, next as readonly InstrumentListing[]),
})

export type InstrumentsState = {
  /** Undefined before the first response. */
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

/** The selected instrument, else the first that is open. Undefined while loading. */
export function useSelectedInstrument(): InstrumentListing | undefined {
  const { instruments } = useInstruments()
  const code = useSelectedCode()
  return useMemo(() => instruments && firstOf(instruments, code), [instruments, code])
}

/** The instrument with a code, else the first that is open. */
export const firstOf = (
  instruments: readonly InstrumentListing[],
  code: string | null,
): InstrumentListing | undefined =>
  instruments.find((instrument) => instrument.code === code) ??
  instruments.find((instrument) => instrument.isOpen) ??
  instruments[0]

/** Fetches the list and the trading mode again. */
export function refreshInstruments(): void {
  void queryClient.fetchQuery({ ...instrumentsQuery, staleTime: 0 }).catch(() => undefined)
  void queryClient.invalidateQueries({ queryKey: ['basicInfo'] })
}

/** The query key of the announced changes of terms. */
export const TERMS_CHANGES = ['termsChanges']

/** Reasons of rejections that mean that the list is out of date. */
const OUT_OF_DATE = new Set<string>(['instrumentDisabled', 'marketClosed', 'marketHalted', 'cancelOnly'])

/** Updates the list after such rejections and pushed market states. Called once. */
export function startInstrumentUpdates(): void {
  onRequestFailed((reason) => OUT_OF_DATE.has(reason) && refreshInstruments())
  onServerMessage('marketState', (state) => {
    setMarketState(state)
    const listed = queryClient.getQueryData(instrumentsQuery.queryKey)
    const isOld = listed !== undefined && haveHaltsChanged(listed, state.halts)
    if (state.changedTerms.length > 0) {
      void fetchAgain({ queryKey: TERMS_CHANGES })
      // A new instrument may be in another category, or its category have another name.
      void queryClient.invalidateQueries({ queryKey: ['categories'] })
    }
    // A response in progress may be older than this change.
    if (isOld || state.changedTerms.length > 0)
      void queryClient.cancelQueries({ queryKey: instrumentsQuery.queryKey }).then(refreshInstruments)
  })
}

/** Fields that the socket updates after the list was fetched. */
const MOVING: ReadonlySet<string> = new Set([
  'lastPrice',
  'day',
  'bid',
  'ask',
  'quoteTime',
  'quoteSeq',
  'quoteAgeMs',
])

/** Keeps the old object of a row in which only the price has changed, so that it need not render again. */
export function keepRows(
  before: readonly InstrumentListing[] | undefined,
  next: readonly InstrumentListing[],
): readonly InstrumentListing[] {
  const known = new Map(before?.map((row) => [row.id, row]))
  const rows = next.map((row) => {
    const before = known.get(row.id)
    return before && isSameListing(before, row) ? before : row
  })
  return before?.length === rows.length && rows.every((row, at) => row === before[at]) ? before : rows
}

const isSameListing = (was: InstrumentListing, row: InstrumentListing): boolean =>
  (was.quoteTime === null) === (row.quoteTime === null) &&
  Object.entries(row).every(([name, value]) => {
    const before: unknown = was[name as keyof InstrumentListing]
    return MOVING.has(name) || before === value || (Array.isArray(value) && String(before) === String(value))
  })
