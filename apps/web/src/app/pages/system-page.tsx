import { useTranslations } from 'use-intl'
import { PasskeysCard } from '../../features/auth/security/passkeys-card.tsx'
import { RecoveryCodesCard } from '../../features/auth/security/recovery-codes.tsx'
import { SecondFactorCard } from '../../features/auth/security/second-factor-card.tsx'
import { SessionsCard } from '../../features/auth/security/sessions-card.tsx'
import { SystemScreen } from '../../features/user/system-screen.tsx'
import { useUser } from '../../live/session/user.ts'
import { BackHeader } from '../back-header.tsx'

export function SystemPage() {
  const t = useTranslations('screens')
  const user = useUser()
  return (
    <>
      <BackHeader title={t('system')} />
      <SystemScreen
        secondFactor={
          user && (
            <>
              <PasskeysCard user={user} />
              <SecondFactorCard />
              <RecoveryCodesCard user={user} />
            </>
          )
        }
        sessions={<SessionsCard isDemo={user?.isDemo ?? false} />}
      />
    </>
  )
}
