import { Button } from '@fairlot/ui/controls/button.tsx'
import { type Failure, ScreenBoundary } from '@fairlot/ui/feedback/boundary.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

/** Confines a failure to its screen, which then offers to try again, or to reload the page for a part that is missing. */
export const ErrorBoundary = ({ children }: { children: ReactNode }) => (
  <ScreenBoundary instead={(failure, retry) => <Failed failure={failure} onRetry={retry} />}>
    {children}
  </ScreenBoundary>
)

const Failed = ({ failure, onRetry }: { failure: Failure; onRetry: () => void }) => (
  <div role="alert">
    {failure === 'part' ? (
      <EmptyState
        icon={CircleAlert}
        title="This screen could not be loaded"
        text="The connection may be weak, or a new version was released. Reload the page."
        // A lazy part that failed to load stays failed until the page is reloaded.
        action={<Button onClick={() => location.reload()}>Reload</Button>}
      />
    ) : (
      <EmptyState
        icon={CircleAlert}
        title="This screen has stopped working"
        text="If it happens again, tell the server administrator what you did."
        action={<Button onClick={onRetry}>Try again</Button>}
      />
    )}
  </div>
)
