import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { useLocation } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { MarketList } from '../../features/market/market-list.tsx'
import { MarginNotice } from '../../features/trading/account/margin.tsx'
import { useIsLoggedIn } from '../../live/auth/token.ts'
import { classNames } from '@fairlot/ui/class-names.ts'
import { ScrollBox, useScrollToTop } from '@fairlot/ui/scroll-box.tsx'
import { ErrorBoundary, ScreenSkeleton } from '../error-boundary.tsx'
import { pathOf, routeOf } from '../routes.ts'

const ChartPane = lazy(async () => ({ default: (await import('./trade-panes.tsx')).ChartPane }))
const TicketPane = lazy(async () => ({ default: (await import('./trade-panes.tsx')).TicketPane }))
const Positions = lazy(async () => ({
  default: (await import('../../features/trading/orders/positions-panel.tsx')).PositionsPanel,
}))

/** Market list, chart over positions, ticket: each in its own scroll box. The list stays where it is: it leads to the others. */
export function Workspace() {
  const t = useTranslations('screens')
  const isLoggedIn = useIsLoggedIn()
  // The same workspace, with more room for what the path is about.
  const isOrders = routeOf(useLocation().pathname)?.name === 'order'
  return (
    <div className="grid h-full grid-cols-[20rem_minmax(0,1fr)_20rem]">
      <aside aria-label={t('home')} className="min-h-0 border-e border-line">
        <Pane>
          <MarketList hotkey="/" searchPath={pathOf('product')} />
        </Pane>
      </aside>
      <main ref={useScrollToTop()} tabIndex={-1} className="flex min-h-0 flex-col outline-none">
        <div className="min-h-0 flex-1 px-5 py-3">
          <Part>
            <ChartPane />
          </Part>
        </div>
        {isLoggedIn && (
          <div className="px-5 pb-3 empty:hidden">
            <MarginNotice />
          </div>
        )}
        {isLoggedIn && (
          <section
            aria-label={t('order')}
            className={classNames('min-h-0 border-t border-line', isOrders ? 'h-3/5' : 'h-2/5 max-h-80')}
          >
            <Pane>
              <Positions />
            </Pane>
          </section>
        )}
      </main>
      <aside ref={useScrollToTop()} aria-label={t('trade')} className="min-h-0 border-s border-line">
        <Pane>
          <TicketPane />
        </Pane>
      </aside>
    </div>
  )
}

const Pane = ({ children }: { children: ReactNode }) => (
  <ScrollBox>
    <Part>{children}</Part>
  </ScrollBox>
)

const Part = ({ children }: { children: ReactNode }) => (
  <ErrorBoundary>
    <Suspense fallback={<ScreenSkeleton />}>{children}</Suspense>
  </ErrorBoundary>
)
