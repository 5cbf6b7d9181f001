import { useTranslations } from 'use-intl'
import { SecondFactorCard } from '../../features/auth/security/second-factor-card.tsx'
import { SessionsCard } from '../../features/auth/security/sessions-card.tsx'
import { SystemScreen } from '../../features/user/system-screen.tsx'
import { useUser } from '../../live/auth/user.ts'
import { BackHeader } from '../back-header.tsx'

export function SystemPage() {
  const t = useTranslations('screens')
  const isDemo = useUser()?.isDemo ?? false
  return (
    <>
      <BackHeader title={t('system')} />
      <SystemScreen secondFactor={<SecondFactorCard />} sessions={<SessionsCard isDemo={isDemo} />} />
    </>
  )
}
