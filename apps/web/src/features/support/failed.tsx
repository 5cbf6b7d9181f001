import { useTranslations } from 'use-intl'
import { FailedState } from '../../ui/failed-state.tsx'

/** What could not be loaded, and the way to try again. */
export function Failed({ error, onRetry }: { error: Error | null; onRetry: () => void }) {
  const t = useTranslations()
  return <FailedState title={t('support.failed')} error={error} onRetry={onRetry} />
}
