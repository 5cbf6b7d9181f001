import type { OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { Button } from '../../../ui/button.tsx'
import { ButtonRow } from '../../../ui/button-row.tsx'
import { CancelAction } from './cancel-action.tsx'
import { CloseAction } from './close-action.tsx'

type OrderActionsProps = { order: OrderView; onSetStops: () => void; onDone: () => void }

/** What can be done about an order that lives. */
export function OrderActions({ order, onSetStops, onDone }: OrderActionsProps) {
  const t = useTranslations('order')
  return (
    <ButtonRow>
      <Button tone="outline" onClick={onSetStops}>
        {t('setStops')}
      </Button>
      {order.status === 'holding' ? (
        <CloseAction order={order} onDone={onDone} />
      ) : (
        <CancelAction order={order} onDone={onDone} />
      )}
    </ButtonRow>
  )
}
