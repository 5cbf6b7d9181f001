import { useTranslations } from 'use-intl'
import { TextButton } from '@fairlot/ui/controls/text-button.tsx'

/** Shown in place of a part of a screen that failed to load, with a button to try again. */
export function FailedLine({ text, onRetry }: { text: string; onRetry: () => unknown }) {
  const t = useTranslations('app')
  return (
    <p className="flex grow flex-wrap items-center justify-center gap-x-3 text-note text-second">
      <span>{text}</span>
      <TextButton onClick={() => void onRetry()}>{t('retry')}</TextButton>
    </p>
  )
}
