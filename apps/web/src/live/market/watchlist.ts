import { getWatchList, setWatched } from '@fairlot/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { create } from 'zustand'
import { currentToken, useIsLoggedIn } from '../device/token.ts'
import { readStored, writeStored } from '../device/storage.ts'
import { queryClient } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'

type Ids = readonly number[]

/** Instrument ids from their stored text; invalid ones are dropped. */
export const readIds = (text: string | null): Ids =>
  (text ?? '')
    .split(',')
    .map(Number)
    .filter((id) => Number.isSafeInteger(id) && id > 0)

/** A visitor's watchlist, stored on this device. */
const useDeviceList = create<{ ids: Ids }>(() => ({ ids: readIds(readStored('watched')) }))

function keepOnDevice(ids: Ids): void {
  writeStored('watched', ids.length === 0 ? null : ids.join(','))
  useDeviceList.setState({ ids })
}

const watchedQuery = queryOptions({
  queryKey: ['watched'],
  queryFn: async ({ signal }): Promise<Ids> =>
    (await request(getWatchList, null, { signal, isSilent: true })).instrumentIds,
})

const toSet = (ids: Ids): ReadonlySet<number> => new Set(ids)
const NONE = toSet([])

/** Ids of the instruments on the watchlist: the account's, or this device's for a visitor. */
export function useWatched(): ReadonlySet<number> {
  const isLoggedIn = useIsLoggedIn()
  const onDevice = useDeviceList(({ ids }) => ids)
  // Checked again when it fetches: a screen kept from before a log-out comes back as it was rendered.
  const enabled = isLoggedIn && (() => currentToken() !== null)
  const { data = NONE } = useQuery({ ...watchedQuery, select: toSet, enabled })
  const kept = useMemo(() => toSet(onDevice), [onDevice])
  return isLoggedIn ? data : kept
}

/** The list with an instrument added or removed. */
export const withWatched = (ids: Ids, id: number, isWatched: boolean): Ids => [
  ...ids.filter((one) => one !== id),
  ...(isWatched ? [id] : []),
]

/** Adds an instrument to the watchlist or removes it, at once; a rejection is shown and undoes it. */
export async function watch(instrumentId: number, isWatched: boolean): Promise<void> {
  if (currentToken() === null)
    return keepOnDevice(withWatched(useDeviceList.getState().ids, instrumentId, isWatched))
  await queryClient.cancelQueries(watchedQuery)
  queryClient.setQueryData(watchedQuery.queryKey, (ids = []) => withWatched(ids, instrumentId, isWatched))
  await send([instrumentId], isWatched).catch(() => queryClient.invalidateQueries(watchedQuery))
}

/** The watchlist as currently shown. */
export const shownWatched = (): Ids =>
  currentToken() === null
    ? useDeviceList.getState().ids
    : (queryClient.getQueryData(watchedQuery.queryKey) ?? [])

/** Adds a list to the account's after a log-in and clears the one on this device. */
export async function addToAccountList(ids: Ids): Promise<void> {
  if (ids.length === 0) return
  await send(ids, true, true)
  keepOnDevice([])
}

async function send(instrumentIds: Ids, isWatched: boolean, isSilent = false): Promise<void> {
  const answer = await request(setWatched, { instrumentIds, isWatched }, { isSilent })
  // A list fetched meanwhile may be the one of before, and would replace this one.
  await queryClient.cancelQueries(watchedQuery)
  queryClient.setQueryData(watchedQuery.queryKey, answer.instrumentIds)
}
