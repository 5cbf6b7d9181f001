import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl'
import { startDemo } from '../../live/session.ts'
import { Button } from '../../ui/button.tsx'

type DemoButtonProps = { isWide?: boolean; size?: 'small' | 'medium'; onStarted?: () => void }

/** Opens a demo account with one tap and logs in to it. */
export function DemoButton({ isWide = false, size = 'medium', onStarted }: DemoButtonProps) {
  const t = useTranslations('account')
  const start = useMutation({ mutationFn: startDemo, ...(onStarted && { onSuccess: onStarted }) })
  return (
    <Button isWide={isWide} size={size} isBusy={start.isPending} onClick={() => start.mutate()}>
      {t('tryDemo')}
    </Button>
  )
}
