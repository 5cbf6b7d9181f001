import type { OrderView } from '@fairlot/contract'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { useInstrument } from '../../../live/market/instruments.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { CancelAction } from './cancel-action.tsx'
import { useCloseBlock } from './close-blocked.ts'
import { CloseAction } from './close-action.tsx'
import { partOf, partRange, useLotRule } from './partial-close.ts'
import { ReverseAction } from './reverse-action.tsx'

type OrderActionsProps = { order: OrderView; onGo: (view: SheetView) => void; onDone: () => void }

const HALF = 50

/** Acts side by side, each as wide as it needs to be and more where there is room. */
const Acts = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap gap-2 *:grow">{children}</div>
)

/** What is done most about an order that lives. */
export function OrderActions({ order, onGo, onDone }: OrderActionsProps) {
  const t = useTranslations('order')
  const bar = useCloseBlock(order)
  const half = partOf(order.lots, HALF, useLotRule(order))
  return (
    <>
      {bar !== null && <p className="pb-2 text-note text-second">{bar}</p>}
      <Acts>
        <Button tone="outline" onClick={() => onGo('stops')}>
          {t('setStops')}
        </Button>
        {order.status === 'pending' && <CancelAction order={order} onDone={onDone} />}
        {order.status === 'holding' && half !== null && (
          <CloseAction order={order} part={half} isDisabled={bar !== null} onDone={() => undefined} />
        )}
        {order.status === 'holding' && (
          <CloseAction order={order} part={null} isDisabled={bar !== null} onDone={onDone} />
        )}
      </Acts>
    </>
  )
}

/** What else can be done about a position. */
export function PositionActions({ order, onGo, onDone }: OrderActionsProps) {
  const t = useTranslations('order')
  const isBlocked = useCloseBlock(order) !== null
  const listing = useInstrument(order.instrument.id)
  const hasParts = partRange(order.lots, useLotRule(order)) !== null
  return (
    <Acts>
      {hasParts && (
        <Button tone="outline" size="small" disabled={isBlocked} onClick={() => onGo('part')}>
          {t('closePart')}
        </Button>
      )}
      {listing && (
        <ReverseAction
          order={order}
          listing={listing}
          isDisabled={isBlocked || !listing.isTradable}
          onDone={onDone}
        />
      )}
      {listing && (
        <Button tone="outline" size="small" onClick={() => onGo('trailing')}>
          {t('trailing')}
        </Button>
      )}
    </Acts>
  )
}

/** What a sheet shows of its order. */
export type SheetView = 'detail' | 'stops' | 'part' | 'trailing' | 'parent'
