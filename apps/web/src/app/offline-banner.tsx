import { WifiOff } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useSpeech } from '../i18n/provider.tsx'
import { useConnection } from '../live/connection.ts'
import { Banner } from '../ui/banner.tsx'

/** Says that prices stand still, and since when. */
export function OfflineBanner() {
  const t = useTranslations('app')
  const { moments } = useSpeech()
  const { isOffline, lostAt } = useConnection()
  if (!isOffline) return null
  return (
    <Banner icon={WifiOff}>
      {lostAt === null ? t('offlineNever') : t('offline', { time: moments.time(lostAt) })}
    </Banner>
  )
}
