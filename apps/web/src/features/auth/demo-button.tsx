import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { startDemo, useHasDemo } from '../../live/auth/session.ts'
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
  const start = useMutation({
    mutationFn: (_isAgain: boolean) => startDemo(),
    ...(onStarted && { onSuccess: onStarted }),
  })
  const isAgain = start.isPending ? start.variables : hasDemo
  return (
    <Button {...{ isWide, size, tone }} isBusy={start.isPending} onClick={() => start.mutate(hasDemo)}>
      {t(isAgain ? 'openDemoAgain' : 'tryDemo')}
    </Button>
  )
}

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
