import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { CircleAlert } from 'lucide-react'
import { Component, type ReactNode } from 'react'

/** A screen that fails leaves the rest of the desk standing. */
export class ErrorBoundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError = () => ({ hasFailed: true })

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <div role="alert">
        <EmptyState
          icon={CircleAlert}
          title="This screen has failed"
          text="The rest of the desk still works. If it happens again, tell whoever runs the server what you did."
          action={<Button onClick={() => this.setState({ hasFailed: false })}>Try again</Button>}
        />
      </div>
    )
  }
}
