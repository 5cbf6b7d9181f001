import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { useMediaQuery } from '@fairlot/ui/use-media-query.ts'
import { SearchX } from 'lucide-react'
import { Suspense, useEffect } from 'react'
import { Navigate, Route, Routes, useLocation } from 'react-router'
import { useIdleCountdown } from '../live/idle.ts'
import { useSelf } from '../live/session.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { PhoneBar } from './phone-bar.tsx'
import { Rail } from './rail.tsx'
import { sectionsFor } from './sections.tsx'

/** The desk around its screens: the rail beside them, on a phone a bar above. */
export function Shell() {
  const self = useSelf()
  const minutesLeft = useIdleCountdown(self)
  const isWide = useMediaQuery('(min-width: 48rem)')
  const sections = sectionsFor(self.role)
  const frame = { self, sections, minutesLeft }
  return (
    <div className="flex h-dvh flex-col tablet:flex-row">
      <PageTitle />
      {isWide ? <Rail {...frame} /> : <PhoneBar {...frame} />}
      <main className="min-h-0 min-w-0 flex-1">
        <Suspense fallback={<Loading />}>
          <Routes>
            <Route index element={<Navigate to={`/${sections[0]?.path ?? ''}`} replace />} />
            {sections.map(({ path, Screen }) => (
              <Route
                key={path}
                path={`${path}/*`}
                element={
                  <ErrorBoundary key={path}>
                    <Screen />
                  </ErrorBoundary>
                }
              />
            ))}
            <Route path="*" element={<NotHere />} />
          </Routes>
        </Suspense>
      </main>
    </div>
  )
}

function PageTitle() {
  const { pathname } = useLocation()
  const { role } = useSelf()
  const section = sectionsFor(role).find(({ path }) => pathname.startsWith(`/${path}`))
  useEffect(() => {
    document.title = section ? `${section.title} · Fairlot desk` : 'Fairlot desk'
  }, [section])
  return null
}

const Loading = () => (
  <div role="status" aria-label="Loading" className="flex flex-col gap-4 p-5">
    <Skeleton shape="h-8 w-40" />
    <Skeleton shape="h-64 w-full" />
  </div>
)

const NotHere = () => (
  <EmptyState icon={SearchX} title="There is nothing here" text="Or your role does not see it." />
)
