import { lazy, Suspense } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { MarketList } from '../../features/market/market-list.tsx'
import { MarginNotice } from '../../features/trading/account/margin-notice.tsx'
import { useIsLoggedIn } from '../../live/token.ts'
import { ScrollBox } from '../../ui/scroll-box.tsx'
import { ErrorBoundary } from '../error-boundary.tsx'
import { ScreenSkeleton } from '../screen-skeleton.tsx'

const ChartPane = lazy(async () => ({ default: (await import('./trade-panes.tsx')).ChartPane }))
const TicketPane = lazy(async () => ({ default: (await import('./trade-panes.tsx')).TicketPane }))
const Positions = lazy(async () => ({
  default: (await import('../../features/trading/orders/positions-panel.tsx')).PositionsPanel,
}))

/** Market list, chart over positions, ticket: each in its own scroll box. */
export function Workspace() {
  const t = useTranslations('screens')
  const isLoggedIn = useIsLoggedIn()
  return (
    <div className="grid h-full grid-cols-[20rem_minmax(0,1fr)_20rem]">
      <aside aria-label={t('home')} className="min-h-0 border-e border-line">
        <Pane>
          <MarketList hotkey="/" />
        </Pane>
      </aside>
      <main tabIndex={-1} className="flex min-h-0 flex-col outline-none">
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
          <section aria-label={t('order')} className="h-2/5 max-h-80 min-h-0 border-t border-line">
            <Pane>
              <Positions />
            </Pane>
          </section>
        )}
      </main>
      <aside aria-label={t('trade')} className="min-h-0 border-s border-line">
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
