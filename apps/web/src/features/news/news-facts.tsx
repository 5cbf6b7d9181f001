import { useState } from 'react'
import { useTranslations } from 'use-intl'
import type { NewsRow } from '@fairlot/contract'
import { Name } from '@fairlot/ui/figures/names.tsx'
import { LANGUAGES, tagOf } from '../../i18n/language.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'
import { FailedState } from '../../ui/failed-state.tsx'

/** Category, date, and the language where it differs from the reader's. */
export function NewsFacts({ item }: { item: NewsRow }) {
  const t = useTranslations('news')
  const { language, tag, moments } = useLocale()
  // Fixed at the first render: the date need not be updated while it is shown.
  const [now] = useState(() => Date.now())
  // In the reader's own words: "auf Englisch".
  const names = new Intl.DisplayNames([tag], { type: 'language' })
  const [primary = ''] = tagOf(item.language).split('-')
  const name = names.of(primary) ?? LANGUAGES[item.language].name
  return (
    <span className="flex flex-wrap gap-x-1.5 text-note text-second">
      <span>{t(`category.${item.category}`)}</span>
      <span aria-hidden>·</span>
      <Name>{moments.soon(item.publishedAt, now)}</Name>
      {item.language !== language && (
        <>
          <span aria-hidden>·</span>
          <span>{t('inLanguage', { language: name })}</span>
        </>
      )}
    </span>
  )
}

/** Shown when news could not be loaded, with a button to try again. */
export function NewsFailed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useTranslations('news')
  return <FailedState title={t('failed')} text={t('failedText')} error={error} onRetry={onRetry} />
}
