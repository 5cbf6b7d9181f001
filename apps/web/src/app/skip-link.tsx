import { useTranslations } from 'use-intl'

/** Lets the keyboard jump over the head to the screen. A button, because the hash belongs to the router. */
export function SkipLink() {
  const t = useTranslations('app')
  return (
    <button
      type="button"
      onClick={() => document.getElementById('content')?.focus()}
      className="sr-only z-50 rounded-button bg-ink px-4 py-3 text-on-ink focus:not-sr-only focus:fixed focus:start-2 focus:top-2"
    >
      {t('skip')}
    </button>
  )
}
