import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { type Failure, ScreenBoundary } from '@fairlot/ui/feedback/boundary.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { forgetFailedLoads } from './lazy-with-messages.tsx'

/** Confines a failure to its screen: the rest of the app keeps working, and the screen offers to try again. */
export const ErrorBoundary = ({ children }: { children: ReactNode }) => (
  <ScreenBoundary instead={(failure, retry) => <Failed failure={failure} onRetry={retry} />}>
    {children}
  </ScreenBoundary>
)

function Failed({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const t = useTranslations('app')
  const isMissing = failure === 'part'
  const retry = () => {
    forgetFailedLoads()
    onRetry()
  }
  return (
    <EmptyState
      icon={TriangleAlert}
      title={t(isMissing ? 'chunkFailed' : 'screenFailed')}
      text={t(isMissing ? 'chunkFailedText' : 'screenFailedText')}
      action={
        // A lazy part that failed to load stays failed until the page is reloaded.
        <Button onClick={isMissing ? () => location.reload() : retry}>
          {t(isMissing ? 'reload' : 'retry')}
        </Button>
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
