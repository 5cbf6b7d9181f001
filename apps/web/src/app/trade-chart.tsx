import { type ComponentProps, lazy, useState } from 'react'
import { useOnceTrue } from '@fairlot/ui/hooks/use-once-true.ts'
import type { LineMove } from '../features/market/chart/chart-handles.tsx'
import { ChartPanel } from '../features/market/chart/chart-panel.tsx'
import type { AlertStart } from '../features/trading/alerts/alert-form.tsx'
import type { TradeLine } from '../features/trading/trade-lines.ts'
import { useIsLoggedIn } from '../live/device/token.ts'
import { SmallPart } from '@fairlot/ui/feedback/boundary.tsx'
import { useKeptState } from '../live/session/kept-input.ts'
import { ErrorBoundary } from './error-boundary.tsx'

const AlertSheet = lazy(async () => ({
  default: (await import('../features/trading/alerts/alert-form.tsx')).AlertSheet,
}))
const PriceSheet = lazy(async () => ({
  default: (await import('../features/trading/price-sheet.tsx')).PriceSheet,
}))
const MoveLineSheet = lazy(async () => ({
  default: (await import('../features/trading/orders/move-line-sheet.tsx')).MoveLineSheet,
}))

type TradeChartProps = Omit<ComponentProps<typeof ChartPanel>, 'actions' | 'lines'> & {
  lines: readonly TradeLine[]
}

/**
 * The chart of an instrument, on which a user moves stops and alerts by their lines, and sets an alert, a pending order
 * or a stop at a price tapped on its axis. The chart may fail without taking the rest of the screen with it.
 */
export function TradeChart(props: TradeChartProps) {
  const { listing, lines } = props
  const isLoggedIn = useIsLoggedIn()
  const [alert, setAlert] = useKeptState<AlertStart | null>(`alert on ${listing.id}`, null)
  const [tapped, setTapped] = useState<number | null>(null)
  const [moved, setMoved] = useState<LineMove | null>(null)
  const hasAlert = useOnceTrue(alert !== null)
  const hasPrice = useOnceTrue(tapped !== null)
  const hasMove = useOnceTrue(moved !== null)
  const actions = {
    onAlert: () => setAlert({ side: 'mid', ticks: null }),
    onPriceTapped: setTapped,
    onLineMoved: setMoved,
    proposed: moved,
  }
  return (
    <>
      <ErrorBoundary isBox>
        <ChartPanel {...props} actions={isLoggedIn ? actions : undefined} />
      </ErrorBoundary>
      <SmallPart>
        {hasAlert && (
          <AlertSheet
            listing={listing}
            {...(alert && { start: alert })}
            isOpen={alert !== null}
            onClose={() => setAlert(null)}
          />
        )}
        {hasPrice && (
          <PriceSheet
            listing={listing}
            ticks={tapped}
            lines={lines}
            onClose={() => setTapped(null)}
            onAlert={(ticks) => setAlert({ side: 'mid', ticks })}
            onStop={({ id }, price) => setMoved({ id, price })}
          />
        )}
        {hasMove && (
          <MoveLineSheet
            listing={listing}
            moved={moved && { line: lines.find(({ id }) => id === moved.id), ticks: moved.price }}
            onClose={() => setMoved(null)}
          />
        )}
      </SmallPart>
    </>
  )
}
