import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { CloudOff } from 'lucide-react'
import { useTranslations } from 'use-intl'

type FailedStateProps = { title: string; text?: string; onRetry: () => unknown }

/** What could not be had, and a way to ask once more. */
export function FailedState({ title, text, onRetry }: FailedStateProps) {
  const t = useTranslations('app')
  return (
    <EmptyState
      icon={CloudOff}
      title={title}
      {...(text !== undefined && { text })}
      action={
        <Button tone="outline" onClick={() => void onRetry()}>
          {t('retry')}
        </Button>
      }
    />
  )
}
