import type { OrderView } from '@fairlot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useInstrument } from '../../../live/market/instruments.ts'
import { useOnClosed, useOrder } from '../../../live/account/orders.ts'
import { Button } from '@fairlot/ui/button.tsx'
import { Sheet } from '@fairlot/ui/sheet.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { partRange, useLotRule } from './partial-close.ts'
import { OrderDetail } from './order-detail.tsx'
import { OrdersFailed } from './order-list.tsx'
import { PartialCloseForm } from './partial-close-form.tsx'
import type { SheetView } from './order-actions.tsx'
import { StopsForm } from './stops-form.tsx'
import { TrailingForm } from './trailing-form.tsx'

type OrderSheetProps = { order: OrderView | undefined; isOpen: boolean; onClose: () => void }

/** An order in full, with what can be done about it. Closes itself when the position ends. */
export function OrderSheet({ order, isOpen, onClose }: OrderSheetProps) {
  const t = useTranslations('app')
  // The sheet slides away with what it showed, even when the order has left the list.
  const [shown, setShown] = useState(order)
  if (order !== undefined && order !== shown) setShown(order)
  useOnClosed(shown?.status === 'holding' ? shown.id : null, onClose)
  if (!shown) return null
  return (
    <Sheet
      isOpen={isOpen}
      onClose={onClose}
      title={shown.instrument.showCode}
      isTitleHidden
      closeLabel={t('close')}
    >
      <SheetContent key={shown.id} order={shown} onDone={onClose} />
    </Sheet>
  )
}

type SheetContentProps = { order: OrderView; onDone: () => void }

function SheetContent({ order, onDone }: SheetContentProps) {
  const [view, setView] = useState<SheetView>('detail')
  const listing = useInstrument(order.instrument.id)
  const range = partRange(order.lots, useLotRule(order))
  const back = () => setView('detail')
  if (view === 'stops') return <StopsForm order={order} onDone={back} />
  if (view === 'part' && range) return <PartialCloseForm order={order} range={range} onDone={back} />
  if (view === 'trailing' && listing) return <TrailingForm order={order} listing={listing} onDone={back} />
  if (view === 'parent' && order.parentId !== null)
    return <Parent parentId={order.parentId} onBack={back} onDone={onDone} />
  return <OrderDetail order={order} onGo={setView} onDone={onDone} />
}

type ParentProps = { parentId: number; onBack: () => void; onDone: () => void }

/** The position that a closed part was cut from, with a way back to the part. */
function Parent({ parentId, onBack, onDone }: ParentProps) {
  const t = useTranslations('order')
  const { order, isFailed, refetch } = useOrder(parentId)
  return (
    <div className="flex flex-col">
      <div className="pt-3">
        <Button tone="outline" size="small" onClick={onBack}>
          {t('backToPart')}
        </Button>
      </div>
      {order && <SheetContent order={order} onDone={onDone} />}
      {!order && (isFailed ? <OrdersFailed onRetry={refetch} /> : <ParentLoading />)}
    </div>
  )
}

const ParentLoading = () => (
  <div className="flex flex-col gap-3 py-4">
    <Skeleton shape="h-5 w-48" />
    <Skeleton shape="h-64 w-full" />
  </div>
)
