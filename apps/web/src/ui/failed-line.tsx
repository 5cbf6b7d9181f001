import { TextButton } from '@fairlot/ui/text-button.tsx'
import { useTranslations } from 'use-intl'

/** In place of a part of a screen: that it could not be had, and a way to ask once more. */
export function FailedLine({ text, onRetry }: { text: string; onRetry: () => unknown }) {
  const t = useTranslations('app')
  return (
    <p className="flex grow flex-wrap items-center justify-center gap-x-3 text-note text-second">
      <span>{text}</span>
      <TextButton onClick={() => void onRetry()}>{t('retry')}</TextButton>
    </p>
  )
}
