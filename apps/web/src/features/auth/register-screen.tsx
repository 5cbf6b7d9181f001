import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { useBasicInfoAnswer } from '../../live/basic-info.ts'
import { useUser } from '../../live/auth/user.ts'
import { buttonClass } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { AlreadyLoggedIn } from './login-screen.tsx'
import { useCountries, useRegistrationMode } from './queries.ts'
import { RegisterForm } from './register-form.tsx'
import { RiskLine } from './risk-line.tsx'
import { FailedState } from '../../ui/failed-state.tsx'

type RegisterScreenProps = {
  /** Of the link that led here. */
  inviteCode: string
  loginPath: string
  onRegistered: () => void
}

/** Opens a real account. A demo user keeps the demo. */
export function RegisterScreen({ inviteCode, loginPath, onRegistered }: RegisterScreenProps) {
  const t = useTranslations('auth')
  const user = useUser()
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      {user && <AlreadyLoggedIn user={user} onGoOn={onRegistered} />}
      {(!user || user.isDemo) && (
        <>
          <Card>
            <WhenKnown inviteCode={inviteCode} onRegistered={onRegistered} />
          </Card>
          <BlockedCountries />
          <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2 px-4">
            <p className="text-note text-second">{t('haveAccount')}</p>
            <Link to={loginPath} className={buttonClass('outline', 'small')}>
              {t('logIn')}
            </Link>
          </div>
          <RiskLine />
        </>
      )}
    </div>
  )
}

/** The form, once it is known what it asks for. */
function WhenKnown({ inviteCode, onRegistered }: Pick<RegisterScreenProps, 'inviteCode' | 'onRegistered'>) {
  const t = useTranslations()
  const info = useBasicInfoAnswer()
  const mode = useRegistrationMode()
  const failed = [info, mode].filter(({ isError, data }) => isError && !data)
  if (failed.length > 0)
    return (
      <FailedState
        title={t('auth.registerFailed')}
        onRetry={() => failed.forEach(({ refetch }) => void refetch())}
      />
    )
  if (!mode.data || !info.data) return <Skeleton shape="h-120 w-full" />
  return (
    <RegisterForm
      mode={mode.data}
      isCaptcha={info.data.registrationCheck === 'captcha'}
      inviteCode={inviteCode}
      onRegistered={onRegistered}
    />
  )
}

/** Where nobody is served, said before anybody has filled in a form. */
function BlockedCountries() {
  const t = useTranslations()
  const { data: areas } = useCountries()
  const names = (areas ?? []).filter(({ isBlocked }) => isBlocked).map(({ name }) => name)
  if (names.length === 0) return null
  return (
    <p className="px-4 text-note text-second">
      {t('auth.policy', { areas: names.join(t('app.listComma')) })}
    </p>
  )
}
