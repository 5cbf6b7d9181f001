import { CalendarClock, ChevronRight } from 'lucide-react'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { useTranslations } from 'use-intl'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { asName, withNames } from '@fairlot/ui/figures/names.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { marketNow } from '../../../live/market/market-clock.ts'
import { useTermsChangesOf } from '../../../live/market/terms-changes.ts'

/** Link to the next announced change of an instrument's terms, with its time. */
export function AnnouncedLine({ instrumentId }: { instrumentId: number }) {
  const t = useTranslations('terms')
  const { moments } = useLocale()
  const changes = useTermsChangesOf(instrumentId).filter(({ withdrawnAt }) => withdrawnAt === null)
  const waiting = changes.filter(({ isInForce }) => !isInForce)
  const [next = changes.find(({ isUrgent }) => isUrgent)] = waiting
  if (!next) return null
  const time = asName(moments.soon(next.effectiveAt, marketNow()))
  return (
    <Link
      to="/mine/terms"
      className="flex min-h-11 items-center gap-2 rounded-field bg-brass-tint px-3 py-2 text-note"
    >
      <Icon of={CalendarClock} size={16} />
      <span className="min-w-0 flex-1">
        {withNames(next.isInForce ? t('lineChanged', { time }) : t('line', { count: waiting.length, time }))}
      </span>
      <Icon of={ChevronRight} size={16} />
    </Link>
  )
}
