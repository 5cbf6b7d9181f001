import type { InstrumentListing, OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { useIsCancelOnly } from '../../../live/basic-info.ts'
import { marketNow } from '../../../live/market/market-clock.ts'
import { useInstrument } from '../../../live/market/instruments.ts'
import { useStaleSeconds } from '../../../live/market/quotes.ts'

type CloseBlock = 'halted' | 'closed' | 'paused' | 'stalePrice'

type Around = { isCancelOnly: boolean; isStale: boolean }

/** Why positions of a market cannot be closed now, in the order in which the server refuses: the longest lasting reason first. */
export function closeBlockOf(
  { haltReason, isOpen }: Pick<InstrumentListing, 'haltReason' | 'isOpen'>,
  { isCancelOnly, isStale }: Around,
): CloseBlock | null {
  if (haltReason !== null) return 'halted'
  if (!isOpen) return 'closed'
  if (isCancelOnly) return 'paused'
  return isStale ? 'stalePrice' : null
}

/** Why a position cannot be closed now, in words, or null: not even at a loss. */
export function useCloseBlock({
  instrument,
  status,
}: Pick<OrderView, 'instrument' | 'status'>): string | null {
  const t = useTranslations('order')
  const halt = useTranslations('halt')
  const { moments } = useLocale()
  const isCancelOnly = useIsCancelOnly()
  const listing = useInstrument(instrument.id)
  const staleSeconds = useStaleSeconds({
    id: instrument.id,
    isOpen: listing?.isOpen ?? false,
    freshnessMs: listing?.freshnessMs ?? 0,
  })
  if (status !== 'holding' || !listing) return null
  const bar = closeBlockOf(listing, { isCancelOnly, isStale: staleSeconds !== null })
  if (bar === null) return null
  if (bar === 'halted') return halt('notice', { reason: listing.haltReason ?? '' })
  if (bar !== 'closed') return t(bar)
  return listing.nextOpenAt === null
    ? t('marketClosedNow')
    : t('marketClosed', { time: moments.soon(listing.nextOpenAt, marketNow()) })
}
