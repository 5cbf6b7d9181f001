import { Link } from 'react-router'
import { useTranslations } from 'use-intl'
import { useUser } from '../../live/session.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Already } from './already.tsx'
import { DemoCard } from './demo-card.tsx'
import { LoginForm } from './login-form.tsx'
import { useRegistrationMode } from './queries.ts'

type LoginScreenProps = {
  /** Name of the screen the visitor was on the way to, or null. */
  wanted: string | null
  registerPath: string
  forgotPath: string
  onLoggedIn: () => void
}

/** The form for real accounts, the way to open one, and the demo with one tap. A demo user may log in to a real account. */
export function LoginScreen({ wanted, registerPath, forgotPath, onLoggedIn }: LoginScreenProps) {
  const t = useTranslations('session')
  const user = useUser()
  const mode = useRegistrationMode()
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      {wanted !== null && !user && (
        <p className="text-body text-second">{t('required', { screen: wanted })}</p>
      )}
      {user && <Already user={user} onGoOn={onLoggedIn} />}
      {(!user || user.isDemo) && (
        <Card>
          {mode.isFetched ? (
            // Without an answer it begins with e-mail, and an answer that comes later leaves what was typed.
            <LoginForm
              first={mode.data === 'mobile' ? 'mobile' : 'email'}
              forgotPath={forgotPath}
              onLoggedIn={onLoggedIn}
            />
          ) : (
            <Skeleton shape="h-72 w-full" />
          )}
          <div className="mt-4 flex flex-wrap items-center justify-between gap-x-3 gap-y-2 border-t border-line pt-4">
            <p className="text-note text-second">{t('noAccount')}</p>
            <Link to={registerPath} className={buttonClass('outline', 'small')}>
              {t('register')}
            </Link>
          </div>
        </Card>
      )}
      {!user && <DemoCard onStarted={onLoggedIn} />}
    </div>
  )
}
