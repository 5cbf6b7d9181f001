import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { CloudOff } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { refusalText } from '../live/requests/failure-text.ts'

type FailedStateProps = {
  title: string
  text?: string
  /** What went wrong; where the server refuses, its own sentence stands in place of the text. */
  error?: unknown
  onRetry: () => unknown
}

/** What could not be had, and a way to ask once more. */
export function FailedState({ title, text, error, onRetry }: FailedStateProps) {
  const told = refusalText(error) ?? text
  const t = useTranslations('app')
  return (
    <EmptyState
      icon={CloudOff}
      title={title}
      {...(told !== undefined && { text: told })}
      action={
        <Button tone="outline" onClick={() => void onRetry()}>
          {t('retry')}
        </Button>
      }
    />
  )
}
