import { TriangleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'

type Failure = 'none' | 'code' | 'chunk'

/** A part whose file did not arrive: browsers word it differently, the bundler's event says it plainly. */
const isChunkError = (error: unknown): boolean =>
  error instanceof Error && /dynamically imported module|module script|Unable to preload/i.test(error.message)

/** Keeps a screen's failure to that screen: the rest of the app goes on, and there is a way to try again. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failure: Failure }> {
  override state: { failure: Failure } = { failure: 'none' }

  static getDerivedStateFromError(error: unknown): { failure: Failure } {
    return { failure: isChunkError(error) ? 'chunk' : 'code' }
  }

  override render(): ReactNode {
    const { failure } = this.state
    if (failure === 'none') return this.props.children
    return <Failed failure={failure} onRetry={() => this.setState({ failure: 'none' })} />
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
        // A lazy part that failed stays failed for this page; only a new page asks for it again.
        <Button onClick={isChunk ? () => location.reload() : onRetry}>
          {t(isChunk ? 'reload' : 'retry')}
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
