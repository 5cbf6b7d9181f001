import { useTranslations } from 'use-intl'
import { useUnreadNotices } from '../live/account/notices.ts'
import { BellIconLink } from './round-link.tsx'

/** The bell of a logged-in user, marked while notices are unread. Loaded lazily: visitors do not need it. */
export function NoticesLink() {
  const t = useTranslations()
  const hasUnread = useUnreadNotices() > 0
  const label = hasUnread ? t('app.noticesUnread') : t('screens.notices')
  return <BellIconLink to="/mine/notices" label={label} hasUnread={hasUnread} />
}
