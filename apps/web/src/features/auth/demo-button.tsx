import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { Button, buttonClass } from '@fairlot/ui/controls/button.tsx'
import { Card } from '@fairlot/ui/layout/card.tsx'
import { Link } from '@fairlot/ui/navigation/router.tsx'
import { useHasDemo } from '../../live/session/user.ts'

type DemoButtonProps = {
  isWide?: boolean
  size?: 'small' | 'medium'
  tone?: 'ink' | 'outline'
  onStarted?: () => void
}

/** Opens a demo account with one tap and logs in to it; a demo account that this device already has is opened again. */
export function DemoButton({ isWide = false, size = 'medium', tone = 'ink', onStarted }: DemoButtonProps) {
  const t = useTranslations('account')
  const hasDemo = useHasDemo()
  // Keeps the label until the log-in is done: the device knows the new demo account before that.
  const [started, setStarted] = useState<{ isAgain: boolean } | null>(null)
  const start = () => {
    setStarted({ isAgain: hasDemo })
    enterDemo()
      .then(onStarted, () => undefined)
      .finally(() => setStarted(null))
  }
  const { isAgain } = started ?? { isAgain: hasDemo }
  return (
    <Button isWide={isWide} size={size} tone={tone} isBusy={started !== null} onClick={start}>
      {t(isAgain ? 'openDemoAgain' : 'tryDemo')}
    </Button>
  )
}

/** Rejects when the server rejects it; the message has been shown by then. */
const enterDemo = async (): Promise<void> => (await import('../../live/session/session.ts')).startDemo()

/** Invites visitors to try the demo or to log in. */
export function DemoInvitation() {
  const t = useTranslations('account')
  return (
    <Card>
      <h2 className="text-title font-bold text-balance">{t('visitorTitle')}</h2>
      <p className="mt-1 text-note text-second">{t('visitorText')}</p>
      <div className="mt-4 flex flex-wrap gap-2 *:grow">
        <span className="basis-[10rem]">
          <DemoButton isWide />
        </span>
        <Link to="/login" className={buttonClass('outline')}>
          {t('logIn')}
        </Link>
      </div>
    </Card>
  )
}
