import type { NewsRow } from '@fairlot/contract'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { LANGUAGES } from '../../i18n/language.ts'
import { useLocale } from '../../i18n/locale-provider.tsx'

/** What it is about, since when, and in which language where that is not the reader's. */
export function NewsFacts({ item }: { item: NewsRow }) {
  const t = useTranslations('news')
  const { language, moments } = useLocale()
  // As of its first sight: a date does not have to move.
  const [now] = useState(() => Date.now())
  const name = LANGUAGES.find(({ code }) => code === item.language)?.name ?? ''
  return (
    <span className="flex flex-wrap gap-x-1.5 text-note text-second">
      <span>{t(`category.${item.category}`)}</span>
      <span aria-hidden>·</span>
      <bdi>{moments.soon(item.publishedAt, now)}</bdi>
      {item.language !== language && (
        <>
          <span aria-hidden>·</span>
          <span>{t('inLanguage', { language: name })}</span>
        </>
      )}
    </span>
  )
}
