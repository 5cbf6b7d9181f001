import { useTranslations } from 'use-intl'
import { useUnreadNotices } from '../live/notices.ts'
import { Ringing } from './round-link.tsx'

/** Leads to what the user is told of. */
export function NoticesLink() {
  const t = useTranslations()
  const hasUnread = useUnreadNotices() > 0
  const label = hasUnread ? t('app.noticesUnread') : t('screens.notices')
  return <Ringing to="/mine/notices" label={label} hasUnread={hasUnread} />
}
