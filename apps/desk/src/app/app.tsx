import { Button } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { Skeleton } from '@fairlot/ui/feedback/skeleton.tsx'
import { Toaster } from '@fairlot/ui/feedback/toaster.tsx'
import { useWebFont } from '@fairlot/ui/theme/use-web-font.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { HashRouter, Route, Routes } from 'react-router'
import { JoinScreen, LoginScreen } from '../features/auth/log-in.tsx'
import { EnrolScreen, FactorPrompt } from '../features/auth/second-factor.tsx'
import { queryClient } from '../live/queries.ts'
import { logOut, useSelfQuery } from '../live/session.ts'
import { useSession } from '../live/token.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { Shell } from './shell.tsx'

/** The operators' desk. */
export function App() {
  useWebFont({ isDue: true })
  return (
    <QueryClientProvider client={queryClient}>
      <ErrorBoundary>
        <HashRouter>
          <Routes>
            <Route path="/join" element={<JoinScreen />} />
            <Route path="*" element={<AuthenticatedDesk />} />
          </Routes>
        </HashRouter>
        <FactorPrompt />
      </ErrorBoundary>
      <Toaster closeLabel="Close" avoidsObstaclesOnDesktop />
    </QueryClientProvider>
  )
}

/** Requires a log-in and a second factor before the desk. */
function AuthenticatedDesk() {
  const isLoggedIn = useSession(({ token }) => token !== null)
  const { data: self, problem, retry } = useSelfQuery()
  if (!isLoggedIn) return <LoginScreen />
  if (self) return self.needsSecondFactor ? <EnrolScreen /> : <Shell />
  return problem === null ? <Loading /> : <LoadError problem={problem} onRetry={retry} />
}

const Loading = () => (
  <div role="status" aria-label="Loading the desk" className="flex h-dvh flex-col gap-4 p-6">
    <Skeleton shape="h-8 w-40" />
    <Skeleton shape="h-64 w-full" />
  </div>
)

const LoadError = ({ problem, onRetry }: { problem: string; onRetry: () => void }) => (
  <main role="alert" className="grid h-dvh place-items-center">
    <EmptyState
      icon={CircleAlert}
      title="The desk could not be opened"
      text={problem}
      action={
        <div className="flex gap-2">
          <Button tone="outline" onClick={() => void logOut()}>
            Log out
          </Button>
          <Button onClick={onRetry}>Try again</Button>
        </div>
      }
    />
  </main>
)
