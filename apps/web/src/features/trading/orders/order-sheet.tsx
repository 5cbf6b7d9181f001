import type { OrderView } from '@fairlot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useOnClosed } from '../../../live/orders.ts'
import { Sheet } from '../../../ui/sheet.tsx'
import { OrderDetail } from './order-detail.tsx'
import { StopsForm } from './stops-form.tsx'

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

function SheetContent({ order, onDone }: { order: OrderView; onDone: () => void }) {
  const [isSettingStops, setIsSettingStops] = useState(false)
  return isSettingStops ? (
    <StopsForm order={order} onDone={() => setIsSettingStops(false)} />
  ) : (
    <OrderDetail order={order} onSetStops={() => setIsSettingStops(true)} onDone={onDone} />
  )
}
