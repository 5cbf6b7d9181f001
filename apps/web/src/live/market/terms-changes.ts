import { listTermsChanges, type TermsChange } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { onServerMessage } from '../connection/server-connection.ts'
import { fetchAgain } from '../requests/query-client.ts'
import { request } from '../requests/request.ts'

const KEY = ['termsChanges']
const STALE_MS = 5 * 60_000

export type TermsChanges = {
  /** The next one first; undefined before the first answer. */
  readonly changes: readonly TermsChange[] | undefined
  readonly isFailed: boolean
  readonly refetch: () => unknown
}

/** Every change of terms that is announced and not in force yet. */
export function useTermsChanges(): TermsChanges {
  const { data, isError, refetch } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => request(listTermsChanges, null, { signal, isSilent: true }),
    staleTime: STALE_MS,
  })
  return { changes: data, isFailed: isError && !data, refetch }
}

/** Those that concern an instrument, settings among them. */
export function useTermsChangesOf(instrumentId: number): readonly TermsChange[] {
  const { changes } = useTermsChanges()
  return useMemo(
    () =>
      changes?.filter(
        ({ kind, instrumentIds }) => kind === 'settings' || instrumentIds.includes(instrumentId),
      ) ?? [],
    [changes, instrumentId],
  )
}

/** Asks again whenever terms are announced, taken back or take effect; called once at the start of the app. */
export function startTermsUpdates(): void {
  onServerMessage('marketState', ({ changedTerms }) => {
    if (changedTerms.length > 0) void fetchAgain({ queryKey: KEY })
  })
}
