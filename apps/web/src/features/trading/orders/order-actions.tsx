import type { OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { marketNow } from '../../../live/clock.ts'
import { useInstrument } from '../../../live/instruments.ts'
import { Button } from '../../../ui/button.tsx'
import { ButtonRow } from '../../../ui/button-row.tsx'
import { CancelAction } from './cancel-action.tsx'
import { CloseAction } from './close-action.tsx'

type OrderActionsProps = { order: OrderView; onSetStops: () => void; onDone: () => void }

/** What can be done about an order that lives. */
export function OrderActions({ order, onSetStops, onDone }: OrderActionsProps) {
  const t = useTranslations('order')
  const closedNote = useClosedNote(order)
  return (
    <>
      {closedNote && <p className="pb-2 text-note text-second">{closedNote}</p>}
      <ButtonRow>
        <Button tone="outline" onClick={onSetStops}>
          {t('setStops')}
        </Button>
        {order.status === 'holding' ? (
          <CloseAction order={order} isDisabled={closedNote !== null} onDone={onDone} />
        ) : (
          <CancelAction order={order} onDone={onDone} />
        )}
      </ButtonRow>
    </>
  )
}

/** Why a position cannot be closed now, or null: a closed market closes nothing, also not at a loss. */
function useClosedNote({ instrument, status }: OrderView): string | null {
  const t = useTranslations('order')
  const { moments } = useSpeech()
  const listing = useInstrument(instrument.id)
  if (status !== 'holding' || !listing || listing.isOpen) return null
  return listing.nextOpenAt === null
    ? t('marketClosedNow')
    : t('marketClosed', { time: moments.soon(listing.nextOpenAt, marketNow()) })
}
