import { CirclePause, Lock, WifiOff } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useLocale } from '../i18n/locale-provider.tsx'
import { useConnection } from '../live/connection/connection-state.ts'
import { Banner } from '@fairlot/ui/banner.tsx'
import { useIsCancelOnly } from '../live/basic-info.ts'
import { useUser } from '../live/auth/user.ts'

/** Says that prices stand still, and since when. */
export function OfflineBanner() {
  const t = useTranslations('app')
  const { moments } = useLocale()
  const { isOffline, lostAt } = useConnection()
  if (!isOffline) return null
  return (
    <Banner icon={WifiOff}>
      {lostAt === null ? t('offlineNever') : t('offline', { time: moments.time(lostAt) })}
    </Banner>
  )
}

/** Says on every screen that an operator has paused trading. */
export function PausedBanner() {
  const t = useTranslations('market')
  return useIsCancelOnly() && <Banner icon={CirclePause}>{t('paused')}</Banner>
}

/** Says on every screen what an operator has restricted the account to, and why. */
export function RestrictedBanner() {
  const t = useTranslations('account')
  const restriction = useUser()?.restriction
  return (
    restriction && <Banner icon={Lock}>{t(`restricted.${restriction.status}`, { ...restriction })}</Banner>
  )
}
