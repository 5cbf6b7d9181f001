import { CloudOff } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Button } from '@fairlot/ui/controls/button.tsx'
import { EmptyState } from '@fairlot/ui/feedback/empty-state.tsx'
import { rejectionText } from '../live/requests/request.ts'

type FailedStateProps = {
  title: string
  text?: string
  /** What went wrong; if the server rejected the request, its message replaces the text. */
  error?: unknown
  onRetry: () => unknown
}

/** Shown in place of a screen that failed to load, with a button to try again. */
export function FailedState({ title, text, error, onRetry }: FailedStateProps) {
  const shownText = rejectionText(error) ?? text
  const t = useTranslations('app')
  return (
    <EmptyState
      icon={CloudOff}
      title={title}
      {...(shownText !== undefined && { text: shownText })}
      action={
        <Button tone="outline" onClick={() => void onRetry()}>
          {t('retry')}
        </Button>
      }
    />
  )
}
