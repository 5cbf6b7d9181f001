import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { useHasDemo } from '../../live/demo.ts'
import { startDemo } from '../../live/session.ts'
import { Button } from '../../ui/button.tsx'

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
  const start = useMutation({ mutationFn: startDemo, ...(onStarted && { onSuccess: onStarted }) })
  return (
    <Button isWide={isWide} size={size} tone={tone} isBusy={start.isPending} onClick={() => start.mutate()}>
      {t(hasDemo ? 'openDemoAgain' : 'tryDemo')}
    </Button>
  )
}
