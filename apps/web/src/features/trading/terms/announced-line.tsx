import { CalendarClock, ChevronRight } from 'lucide-react'
import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { Icon } from '@fairlot/ui/icon.tsx'
import { useLocale } from '../../../i18n/locale-provider.tsx'
import { marketNow } from '../../../live/market/market-clock.ts'
import { useTermsChangesOf } from '../../../live/market/terms-changes.ts'

/** That terms of an instrument are going to change, and from when; leads to what changes. */
export function AnnouncedLine({ instrumentId }: { instrumentId: number }) {
  const t = useTranslations('terms')
  const { moments } = useLocale()
  const changes = useTermsChangesOf(instrumentId)
  const [next] = changes
  if (!next) return null
  const time = moments.soon(next.effectiveAt, marketNow())
  return (
    <Link
      to="/mine/terms"
      className="flex min-h-11 items-center gap-2 rounded-field bg-brass-tint px-3 py-2 text-note"
    >
      <Icon of={CalendarClock} size={16} />
      <span className="min-w-0 flex-1">{t('line', { count: changes.length, time })}</span>
      <Icon of={ChevronRight} size={16} />
    </Link>
  )
}
