import type { OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { marketNow } from '../../../live/clock.ts'
import { useInstrument } from '../../../live/instruments.ts'
import { useStaleSeconds } from '../../../live/quotes.ts'

/** Why a position cannot be closed now, in words, or null: not even at a loss. */
export function useCloseBar({ instrument, status }: Pick<OrderView, 'instrument' | 'status'>): string | null {
  const t = useTranslations('order')
  const { moments } = useSpeech()
  const listing = useInstrument(instrument.id)
  const staleSeconds = useStaleSeconds({
    id: instrument.id,
    isOpen: listing?.isOpen ?? false,
    freshnessMs: listing?.freshnessMs ?? 0,
  })
  if (status !== 'holding' || !listing) return null
  if (listing.haltReason !== null) return t('marketHalted', { reason: listing.haltReason })
  if (listing.isOpen) return staleSeconds === null ? null : t('stalePrice')
  return listing.nextOpenAt === null
    ? t('marketClosedNow')
    : t('marketClosed', { time: moments.soon(listing.nextOpenAt, marketNow()) })
}
