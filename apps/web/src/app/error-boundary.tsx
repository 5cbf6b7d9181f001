import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { type Failure, ScreenBoundary } from '@fairlot/ui/feedback/boundary.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useAppVersion } from '../live/device/app-version.ts'
import { forgetFailedLoads } from './lazy-with-messages.tsx'

type ErrorBoundaryProps = {
  children: ReactNode
  /** What fails is a box of a given size within a screen. */
  isBox?: boolean
}

/** Confines a failure to its screen: the rest of the app keeps working, and the screen offers to try again. */
export const ErrorBoundary = ({ children, isBox = false }: ErrorBoundaryProps) => (
  <ScreenBoundary instead={(failure, retry) => <Failed failure={failure} isInBox={isBox} onRetry={retry} />}>
    {children}
  </ScreenBoundary>
)

type FailedProps = { failure: Failure; isInBox: boolean; onRetry: () => void }

function Failed({ failure, isInBox, onRetry }: FailedProps) {
  const t = useTranslations('app')
  const reload = useAppVersion((state) => state.reload)
  const isMissing = failure === 'part'
  const retry = () => {
    forgetFailedLoads()
    onRetry()
  }
  return (
    <EmptyState
      isInBox={isInBox}
      icon={TriangleAlert}
      title={t(isMissing ? 'chunkFailed' : 'screenFailed')}
      text={t(isMissing ? 'chunkFailedText' : 'screenFailedText')}
      action={
        // A lazy part that failed to load stays failed until the page is reloaded.
        <Button onClick={isMissing ? reload : retry}>{t(isMissing ? 'reload' : 'retry')}</Button>
      }
    />
  )
}

/** Placeholder of a screen whose code is still loading. */
export const ScreenSkeleton = () => (
  <div className="mx-auto flex max-w-2xl flex-col gap-4 p-4">
    <Skeleton shape="h-8 w-40" />
    <Skeleton shape="h-28 w-full" />
    <Skeleton shape="h-11 w-full" />
    <Skeleton shape="h-64 w-full" />
  </div>
)
