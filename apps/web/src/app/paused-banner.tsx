import { CirclePause } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { useIsCancelOnly } from '../live/account.ts'
import { Banner } from '../ui/banner.tsx'

/** Says on every screen that an operator has paused trading. */
export function PausedBanner() {
  const t = useTranslations('market')
  return useIsCancelOnly() && <Banner icon={CirclePause}>{t('paused')}</Banner>
}
