import { Button } from '@fairlot/ui/button.tsx'
import { EmptyState } from '@fairlot/ui/empty-state.tsx'
import { CloudOff } from 'lucide-react'
import { useTranslations } from 'use-intl'

/** What could not be loaded, and the way to try again. */
export function Failed({ onRetry }: { onRetry: () => void }) {
  const t = useTranslations()
  return (
    <EmptyState
      icon={CloudOff}
      title={t('support.failed')}
      action={
        <Button tone="outline" onClick={onRetry}>
          {t('app.retry')}
        </Button>
      }
    />
  )
}
