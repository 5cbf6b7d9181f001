import type { InstrumentListing } from '@fairlot/contract'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../../i18n/provider.tsx'
import { marketNow } from '../../live/clock.ts'

/** Says that a market is closed, and when it opens. */
export function OpensLabel({ instrument }: { instrument: Pick<InstrumentListing, 'nextOpenAt'> }) {
  const t = useTranslations('market')
  const { moments } = useSpeech()
  const { nextOpenAt } = instrument
  return (
    <span className="text-tiny text-second">
      {nextOpenAt === null ? t('closed') : t('opens', { time: moments.soon(nextOpenAt, marketNow()) })}
    </span>
  )
}
