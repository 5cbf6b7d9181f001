import type { InstrumentListing } from '@fairlot/contract'
import { Star } from 'lucide-react'
import { memo } from 'react'
import { useTranslations } from 'use-intl'
import { watch } from '../../live/market/watch-list.ts'
import { classNames } from '@fairlot/ui/class-names.ts'

type WatchStarProps = {
  instrument: Pick<InstrumentListing, 'id' | 'showCode'>
  isWatched: boolean
  width: 'full' | 'narrow'
}

/** For a thumb, and for a mouse. */
const WIDTHS = { full: 'w-11', narrow: 'w-8' }

/** Puts an instrument on the own list, or takes it off. */
export const WatchStar = memo(function WatchStar({ instrument, isWatched, width }: WatchStarProps) {
  const t = useTranslations('market')
  const label = t('watch', { code: instrument.showCode })
  return (
    <button
      type="button"
      aria-pressed={isWatched}
      aria-label={label}
      title={label}
      onClick={() => void watch(instrument.id, !isWatched)}
      className={classNames(
        'grid min-h-11 shrink-0 place-items-center transition-[scale] active:scale-90',
        WIDTHS[width],
        isWatched ? 'text-brass' : 'text-third',
      )}
    >
      <Star aria-hidden size={18} strokeWidth={1.75} fill={isWatched ? 'currentColor' : 'none'} />
    </button>
  )
})
