import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useHasDemo } from '../../live/auth/user.ts'
import { Button, buttonClass } from '@fairlot/ui/button.tsx'
import { Card } from '@fairlot/ui/card.tsx'
import { Link } from '@fairlot/ui/router.tsx'

type DemoButtonProps = {
  isWide?: boolean
  size?: 'small' | 'medium'
  tone?: 'ink' | 'outline'
  onStarted?: () => void
}

/** Opens a demo account with one tap and logs in to it: the one of this device, if there is one. */
export function DemoButton({ isWide = false, size = 'medium', tone = 'ink', onStarted }: DemoButtonProps) {
  const t = useTranslations('account')
  const hasDemo = useHasDemo()
  // What the reader tapped stays there until it is done: the demo is known to the device before it is logged in to.
  const [started, setStarted] = useState<{ isAgain: boolean } | null>(null)
  const start = () => {
    setStarted({ isAgain: hasDemo })
    enterDemo()
      .then(onStarted, () => undefined)
      .finally(() => setStarted(null))
  }
  const { isAgain } = started ?? { isAgain: hasDemo }
  return (
    <Button {...{ isWide, size, tone }} isBusy={started !== null} onClick={start}>
      {t(isAgain ? 'openDemoAgain' : 'tryDemo')}
    </Button>
  )
}

/** Rejects when it is refused, which was shown then. */
const enterDemo = async (): Promise<void> => (await import('../../live/auth/session.ts')).startDemo()

/** One sentence and one act for visitors. */
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
