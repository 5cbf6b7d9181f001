import { Link } from '@fairlot/ui/router.tsx'
import { useTranslations } from 'use-intl'
import { contactOf } from '../../live/auth/session.ts'
import { useHasDemo, useUser } from '../../live/auth/user.ts'
import { Button, buttonClass } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { Skeleton } from '@fairlot/ui/skeleton.tsx'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { useBasicInfo } from '../../live/basic-info.ts'
import { DemoButton } from './demo-button.tsx'
import { LoginForm } from './login-form.tsx'
import { contactsToFind, useRegistrationMode } from './queries.ts'
import { RiskLine } from './risk-line.tsx'
import type { User } from '@fairlot/contract'

type LoginScreenProps = {
  /** Name of the screen the visitor was on the way to, or null. */
  wanted: string | null
  registerPath: string
  forgotPath: string
  onLoggedIn: () => void
}

/** The form for real accounts, the way to open one, and the demo with one tap. A demo user may log in to a real account. */
export function LoginScreen({ wanted, registerPath, forgotPath, onLoggedIn }: LoginScreenProps) {
  const t = useTranslations('auth')
  const user = useUser()
  const mode = useRegistrationMode()
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      {wanted !== null && !user && (
        <p className="text-body text-second">{t('required', { screen: wanted })}</p>
      )}
      {user && <AlreadyLoggedIn user={user} onGoOn={onLoggedIn} />}
      {(!user || user.isDemo) && (
        <Card>
          {mode.isFetched ? (
            // Without an answer it begins with e-mail, and an answer that comes later leaves what was typed.
            <LoginForm contacts={contactsToFind(mode.data)} forgotPath={forgotPath} onLoggedIn={onLoggedIn} />
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
      <RiskLine />
    </div>
  )
}

/** Shows who is logged in already, with a button to go on. A demo user may still register a real account. */
export function AlreadyLoggedIn({ user, onGoOn }: { user: User; onGoOn: () => void }) {
  const t = useTranslations('auth')
  return (
    <Card>
      <p>{t('already', { name: contactOf(user) ?? user.uid })}</p>
      {user.isDemo && <p className="mt-1 text-note text-second">{t('demoStays')}</p>}
      <div className="mt-4">
        <Button isWide tone={user.isDemo ? 'outline' : 'ink'} onClick={onGoOn}>
          {t('goOn')}
        </Button>
      </div>
    </Card>
  )
}

/** What the demo is; or the way back to the one of this device. */
function DemoCard({ onStarted }: { onStarted: () => void }) {
  const t = useTranslations('auth')
  const { figures } = useLocale()
  const info = useBasicInfo()
  const hasDemo = useHasDemo()
  const plain = info
    ? t('demoText', { amount: `${figures.publicMoney(info.demoBalance)} ${info.currency}` })
    : t('demoTextPlain')
  return (
    <Card>
      <h2 className="font-bold">{t(hasDemo ? 'demoAgainTitle' : 'demoTitle')}</h2>
      <p className="mt-1 mb-4 text-note text-second">{hasDemo ? t('demoAgainText') : plain}</p>
      <DemoButton isWide tone="outline" onStarted={onStarted} />
      <p className="mt-3 text-center text-tiny text-second">{t('demoNote')}</p>
    </Card>
  )
}
