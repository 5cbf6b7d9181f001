import type { InstrumentListing, OrderView } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../../i18n/provider.tsx'
import { useIsCancelOnly } from '../../../live/account.ts'
import { marketNow } from '../../../live/clock.ts'
import { useInstrument } from '../../../live/instruments.ts'
import { useStaleSeconds } from '../../../live/quotes.ts'

type CloseBar = 'halted' | 'closed' | 'paused' | 'stalePrice'

type Around = { isCancelOnly: boolean; isStale: boolean }

/** Why nothing closes on a market now: what the server refuses for, what lasts longest first. */
export function closeBarOf(
  { haltReason, isOpen }: Pick<InstrumentListing, 'haltReason' | 'isOpen'>,
  { isCancelOnly, isStale }: Around,
): CloseBar | null {
  if (haltReason !== null) return 'halted'
  if (!isOpen) return 'closed'
  if (isCancelOnly) return 'paused'
  return isStale ? 'stalePrice' : null
}

/** Why a position cannot be closed now, in words, or null: not even at a loss. */
export function useCloseBar({ instrument, status }: Pick<OrderView, 'instrument' | 'status'>): string | null {
  const t = useTranslations('order')
  const { moments } = useSpeech()
  const isCancelOnly = useIsCancelOnly()
  const listing = useInstrument(instrument.id)
  const staleSeconds = useStaleSeconds({
    id: instrument.id,
    isOpen: listing?.isOpen ?? false,
    freshnessMs: listing?.freshnessMs ?? 0,
  })
  if (status !== 'holding' || !listing) return null
  const bar = closeBarOf(listing, { isCancelOnly, isStale: staleSeconds !== null })
  if (bar === null) return null
  if (bar === 'halted') return t('marketHalted', { reason: listing.haltReason ?? '' })
  if (bar !== 'closed') return t(bar)
  return listing.nextOpenAt === null
    ? t('marketClosedNow')
    : t('marketClosed', { time: moments.soon(listing.nextOpenAt, marketNow()) })
}
