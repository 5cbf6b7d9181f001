import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { FailedState } from './failed-state.tsx'

type LoadedProps<Data> = {
  query: { data: Data | undefined; error: Error | null; refetch: () => unknown }
  children: (data: Data) => ReactNode
}

/** Renders a query's data once it is loaded; until then a placeholder, or the failure with a button to try again. */
export function Loaded<Data>({ query: { data, error, refetch }, children }: LoadedProps<Data>) {
  const t = useTranslations()
  if (data !== undefined) return children(data)
  if (!error) return <Skeleton shape="h-32 w-full" />
  return (
    <FailedState
      title={t('payments.failed')}
      text={t('payments.failedText')}
      error={error}
      onRetry={() => void refetch()}
    />
  )
}
