import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode, Suspense } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { useAppVersion } from '../live/device/app-version.ts'
import { forgetFailedLoads } from './lazy-with-messages.tsx'

type Failure = 'none' | 'code' | 'chunk'

/** Whether a lazy part's file failed to load; each browser has another message, as has the bundler's preload event. */
const isChunkError = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|Unable to preload/i.test(error.message)

type ErrorBoundaryProps = {
  children: ReactNode
  /** Shown in place of a part without room for a message. The banner above all screens then offers the reload. */
  instead?: ReactNode
}

/** Confines a failure to its screen: the rest of the app keeps working, and the screen offers to try again. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { failure: Failure }> {
  override state: { failure: Failure } = { failure: 'none' }

  static getDerivedStateFromError(error: unknown): { failure: Failure } {
    return { failure: isChunkError(error) ? 'chunk' : 'code' }
  }

  override componentDidCatch(): void {
    if (this.#isSmall()) useAppVersion.setState({ isPartMissing: true })
    // The screen itself offers the reload.
    else if (this.state.failure === 'chunk') useAppVersion.setState({ isPartMissing: false })
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === 'none') return this.props.children
    if (this.#isSmall()) return this.props.instead
    return <Failed failure={failure} onRetry={this.#retry} />
  }

  readonly #isSmall = (): boolean => this.props.instead !== undefined

  readonly #retry = (): void => {
    forgetFailedLoads()
    this.setState({ failure: 'none' })
  }
}

function Failed({ failure, onRetry }: { failure: Exclude<Failure, 'none'>; onRetry: () => void }) {
  const t = useTranslations('app')
  const isChunk = failure === 'chunk'
  return (
    <EmptyState
      icon={TriangleAlert}
      title={t(isChunk ? 'chunkFailed' : 'screenFailed')}
      text={t(isChunk ? 'chunkFailedText' : 'screenFailedText')}
      action={
        // A lazy part that failed to load stays failed until the page is reloaded.
        <Button onClick={isChunk ? () => location.reload() : onRetry}>
          {t(isChunk ? 'reload' : 'retry')}
        </Button>
      }
    />
  )
}

type SmallPartProps = {
  children: ReactNode
  /** Shown while the part loads. */
  loading?: ReactNode
  /** Shown when the part cannot be loaded or fails; nothing by default. */
  instead?: ReactNode
}

/** A lazy part beside or above a screen. Without it everything else keeps working, and a banner offers the reload. */
export const SmallPart = ({ children, loading = null, instead = null }: SmallPartProps) => (
  <ErrorBoundary instead={instead}>
    <Suspense fallback={loading}>{children}</Suspense>
  </ErrorBoundary>
)

/** Placeholder of a screen whose code is still loading. */
export const ScreenSkeleton = () => (
  <div className="mx-auto flex max-w-2xl flex-col gap-4 p-4">
    <Skeleton shape="h-8 w-40" />
    <Skeleton shape="h-28 w-full" />
    <Skeleton shape="h-11 w-full" />
    <Skeleton shape="h-64 w-full" />
  </div>
)
