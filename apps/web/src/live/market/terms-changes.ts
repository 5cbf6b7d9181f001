import { listTermsChanges, type TermsChange } from '@fairlot/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { TERMS_CHANGES } from './instruments.ts'
import { request } from '../requests/request.ts'

const STALE_MS = 5 * 60_000

export type TermsChanges = {
  /** By date, the next one first; undefined before the first response. */
  readonly changes: readonly TermsChange[] | undefined
  readonly isFailed: boolean
  readonly refetch: () => unknown
}

/** Every change of terms that is announced and not in force yet. */
export function useTermsChanges(): TermsChanges {
  const { data, isError, refetch } = useQuery({
    queryKey: TERMS_CHANGES,
    queryFn: ({ signal }) => request(listTermsChanges, null, { signal, isSilent: true }),
    staleTime: STALE_MS,
  })
  return { changes: data, isFailed: isError && !data, refetch }
}

/** Announced changes that concern an instrument, including those of the settings. */
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
