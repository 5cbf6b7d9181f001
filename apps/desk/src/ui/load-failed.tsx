import { Button } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { CircleAlert } from 'lucide-react'

type LoadFailedProps = { problem: string; onRetry?: (() => void) | undefined }

/** Shown in place of data that could not be loaded. */
export const LoadFailed = ({ problem, onRetry }: LoadFailedProps) => (
  <div role="alert">
    <EmptyState
      icon={CircleAlert}
      title="This could not be loaded"
      text={problem}
      action={
        onRetry && (
          <Button tone="outline" onClick={onRetry}>
            Try again
          </Button>
        )
      }
    />
  </div>
)
