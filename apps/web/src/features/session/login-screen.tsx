import { useTranslations } from 'use-intl'
import { useSpeech } from '../../i18n/provider.tsx'
import { useBasicInfo } from '../../live/account.ts'
import { useUser } from '../../live/session.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DemoButton } from './demo-button.tsx'

type LoginScreenProps = {
  /** Name of the screen the visitor was on the way to, or null. */
  wanted: string | null
  onLoggedIn: () => void
}

/** The demo with one tap. The form for real accounts comes with them, and says so. */
export function LoginScreen({ wanted, onLoggedIn }: LoginScreenProps) {
  const t = useTranslations('session')
  const user = useUser()
  return (
    <div className="mx-auto flex max-w-md flex-col gap-3 px-4 pb-6">
      {wanted !== null && !user && (
        <p className="text-body text-second">{t('required', { screen: wanted })}</p>
      )}
      {user ? <Already name={user.uid} onGoOn={onLoggedIn} /> : <DemoCard onStarted={onLoggedIn} />}
      <Card>
        <h2 className="font-bold">{t('formTitle')}</h2>
        <p className="mt-1 text-note text-second">{t('formText')}</p>
      </Card>
    </div>
  )
}

function DemoCard({ onStarted }: { onStarted: () => void }) {
  const t = useTranslations('session')
  const { figures } = useSpeech()
  const info = useBasicInfo()
  return (
    <Card>
      <h2 className="text-title font-bold">{t('demoTitle')}</h2>
      <p className="mt-1 mb-4 text-note text-second">
        {info
          ? t('demoText', { amount: `${figures.money(info.demoBalance)} ${info.currency}` })
          : t('demoTextPlain')}
      </p>
      <DemoButton isWide onStarted={onStarted} />
      <p className="mt-3 text-center text-tiny text-second">{t('demoNote')}</p>
    </Card>
  )
}

function Already({ name, onGoOn }: { name: string; onGoOn: () => void }) {
  const t = useTranslations('session')
  return (
    <Card>
      <p className="mb-4">{t('already', { name })}</p>
      <Button isWide onClick={onGoOn}>
        {t('goOn')}
      </Button>
    </Card>
  )
}
