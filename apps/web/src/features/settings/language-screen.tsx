import { Check, SpellCheck } from 'lucide-react'
import { useTranslations } from 'use-intl'
import { Icon } from '@fairlot/ui/graphics/icon.tsx'
import { ListLink } from '@fairlot/ui/navigation/list-link.tsx'
import { directionOf, LANGUAGE_CODES, LANGUAGES, tagOf } from '../../i18n/language.ts'
import type { Language } from '../../i18n/language.ts'
import { textLanguage } from '../../i18n/message-catalogue.ts'
import { setLanguage, useLanguage } from '../../live/device/language.ts'

/** The 15 languages, each by its own name, and the way to report a text that reads wrongly. */
export function LanguageScreen() {
  const t = useTranslations()
  const chosen = useLanguage()
  return (
    <div className="mx-auto max-w-2xl divide-y divide-line px-4 pb-6">
      <ul aria-label={t('settings.language')} className="divide-y divide-line">
        {LANGUAGE_CODES.map((code) => (
          <li key={code}>
            <LanguageRow code={code} isChosen={code === chosen} />
          </li>
        ))}
      </ul>
      <ListLink icon={SpellCheck} to="/mine/text" title={t('screens.reportText')} />
    </div>
  )
}

type LanguageRowProps = { code: Language; isChosen: boolean }

function LanguageRow({ code, isChosen }: LanguageRowProps) {
  const t = useTranslations('settings')
  return (
    <button
      type="button"
      aria-pressed={isChosen}
      onClick={() => setLanguage(code)}
      className="flex min-h-14 w-full items-center justify-between gap-4 py-2 text-start"
    >
      <span>
        <bdi lang={tagOf(code)} dir={directionOf(code)} className="font-bold">
          {LANGUAGES[code].name}
        </bdi>
        {textLanguage(code) !== code && <span className="block text-note text-second">{t('partial')}</span>}
      </span>
      {isChosen && (
        <span className="text-brass">
          <Icon of={Check} />
        </span>
      )}
    </button>
  )
}
