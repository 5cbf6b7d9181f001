import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { classNames } from '@fairlot/ui/theme/class-names.ts'
import { useLocation } from '@fairlot/ui/navigation/router.tsx'
import { ScrollBox, useScrollToTop } from '@fairlot/ui/navigation/scroll-box.tsx'
import { MarketList } from '../../features/market/market-list.tsx'
import { MarginNotice } from '../../features/trading/account/account-figures.tsx'
import { useIsLoggedIn } from '../../live/device/token.ts'
import { CopiedOrders } from '../copied-orders.tsx'
import { ErrorBoundary, ScreenSkeleton } from '../error-boundary.tsx'
import { pathOf, routeOf } from '../routes.ts'

const ChartPane = lazy(async () => ({ default: (await import('./trade-panes.tsx')).ChartPane }))
const TicketPane = lazy(async () => ({ default: (await import('./trade-panes.tsx')).TicketPane }))
const Positions = lazy(async () => ({
  default: (await import('../../features/trading/orders/positions-panel.tsx')).PositionsPanel,
}))

/** Market list, chart above positions, ticket, each scrolling on its own. The list keeps its scroll position on navigation. */
export function Workspace() {
  const t = useTranslations('screens')
  const isLoggedIn = useIsLoggedIn()
  // On the orders path the positions get more height.
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
              <Positions copied={<CopiedOrders />} />
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
