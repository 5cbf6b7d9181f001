import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { MarketList } from '../../features/market/market-list.tsx'
import { useIsLoggedIn } from '../../live/token.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { ScreenSkeleton } from '../screen-skeleton.tsx'

const Positions = lazy(async () => ({
  default: (await import('../../features/trading/orders/positions-panel.tsx')).PositionsPanel,
}))

/** Market list, chart over positions, ticket: each in its own scroll box. */
export const Workspace = () => (
  <div className="grid h-full grid-cols-[18rem_minmax(0,1fr)_19.5rem]">
    <aside className="min-h-0 border-e border-line">
      <Pane>
        <MarketList />
      </Pane>
    </aside>
    <main id="content" tabIndex={-1} className="flex min-h-0 flex-col outline-none">
      <div className="min-h-0 flex-1">
        <Pane>chart</Pane>
      </div>
      <LoggedIn>
        <section className="h-72 min-h-0 border-t border-line">
          <Pane>
            <Positions />
          </Pane>
        </section>
      </LoggedIn>
    </main>
    <aside className="min-h-0 border-s border-line">
      <Pane>ticket</Pane>
    </aside>
  </div>
)

const LoggedIn = ({ children }: { children: ReactNode }) => useIsLoggedIn() && children

const Pane = ({ children }: { children: ReactNode }) => (
  <ScrollBox>
    <ErrorBoundary>
      <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
    </ErrorBoundary>
  </ScrollBox>
)
