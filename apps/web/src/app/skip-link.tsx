import { useTranslations } from 'use-intl'

/** Lets the keyboard jump over the head to the screen. A button, because the hash belongs to the router. */
export function SkipLink() {
  const t = useTranslations('app')
  return (
    <button
      type="button"
      onClick={focusScreen}
      className="sr-only z-50 rounded-button bg-ink px-4 py-3 text-on-ink focus:not-sr-only focus:fixed focus:start-2 focus:top-2"
    >
      {t('skip')}
    </button>
  )
}

/** Screens that are kept stay in the page unseen; the one that is seen takes the focus. */
function focusScreen(): void {
  const screens = [...document.querySelectorAll<HTMLElement>('main')]
  screens.find((screen) => screen.checkVisibility())?.focus()
}
