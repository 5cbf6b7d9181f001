import type { InstrumentListing } from '@fairlot/contract'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useDayDirection } from '../../live/quotes.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { useIsSeen } from '../../ui/use-is-seen.ts'
import { useRecentCloses } from './queries.ts'

/** The last 60 bars as a small area chart, fetched when the row comes into sight. */
export function RowChart({ instrument }: { instrument: InstrumentListing }) {
  const t = useTranslations('market')
  const box = useRef<HTMLSpanElement>(null)
  const closes = useRecentCloses(instrument.id, useIsSeen(box))
  const tone = useDayDirection(instrument.id)
  return (
    <span ref={box} className="block h-8 @max-[17rem]:hidden">
      {closes && closes.length > 1 && (
        <Sparkline values={closes} tone={tone} label={t('chartOf', { code: instrument.showCode })} />
      )}
    </span>
  )
}
