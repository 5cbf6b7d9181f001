import { Sheet } from '@fairlot/ui/sheet.tsx'
import { useTranslations } from 'use-intl'
import { useOrder } from '../../../live/account/orders.ts'
import { OrdersFailed } from './order-list.tsx'
import { OrderSheet } from './order-sheet.tsx'

type OrderOfProps = { orderId: number; onClose: () => void }

/** One order in full, from wherever it was named. */
export function OrderOf({ orderId, onClose }: OrderOfProps) {
  const t = useTranslations()
  const { order, isFailed, refetch } = useOrder(orderId)
  if (!isFailed) return <OrderSheet order={order} isOpen={order !== undefined} onClose={onClose} />
  return (
    <Sheet isOpen title={t('order.number', { id: orderId })} closeLabel={t('app.close')} onClose={onClose}>
      <OrdersFailed onRetry={refetch} />
    </Sheet>
  )
}
