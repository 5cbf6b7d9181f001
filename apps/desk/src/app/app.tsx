import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { Button } from '@fairlot/ui/button.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { Toaster } from '@fairlot/ui/toaster.tsx'
import { useWebFont } from '@fairlot/ui/use-web-font.ts'
import { QueryClientProvider } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { HashRouter, Route, Routes } from 'react-router'
import { EnrolScreen } from '../features/auth/enrol-screen.tsx'
import { JoinScreen } from '../features/auth/join-screen.tsx'
import { LoginScreen } from '../features/auth/login-screen.tsx'
import { queryClient } from '../live/query-client.ts'
import { logOut, useSelfQuery } from '../live/session.ts'
import { useSession } from '../live/token.ts'
import { Shell } from './shell.tsx'

/** The whole desk. */
export function App() {
  useWebFont()
  return (
    <QueryClientProvider client={queryClient}>
      <HashRouter>
        <Routes>
          <Route path="/join" element={<JoinScreen />} />
          <Route path="*" element={<Door />} />
        </Routes>
      </HashRouter>
      <Toaster closeLabel="Close" isAboveFloors />
    </QueryClientProvider>
  )
}

/** Nobody passes without a log-in, and nobody without a second factor. */
function Door() {
  const isLoggedIn = useSession(({ token }) => token !== null)
  const { data: self, problem, retry } = useSelfQuery()
  if (!isLoggedIn) return <LoginScreen />
  if (self) return self.needsSecondFactor ? <EnrolScreen /> : <Shell />
  return problem === null ? <Opening /> : <Closed problem={problem} onRetry={retry} />
}

const Opening = () => (
  <div role="status" aria-label="Loading the desk" className="flex h-dvh flex-col gap-4 p-6">
    <Skeleton shape="h-8 w-40" />
    <Skeleton shape="h-64 w-full" />
  </div>
)

const Closed = ({ problem, onRetry }: { problem: string; onRetry: () => void }) => (
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
