import { createContext, use, useEffect, useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import { IntlProvider } from 'use-intl'
import { loadMessages, textLanguage } from './message-catalogue.ts'
import type { Messages } from './message-catalogue.ts'
import { figureFormat, numberTag } from './number-format.ts'
import type { FigureFormat } from './number-format.ts'
import { directionOf, tagOf } from './language.ts'
import type { Language } from './language.ts'
import { momentFormat } from './date-format.ts'
import type { MomentFormat } from './date-format.ts'

export type Locale = {
  /** The language the reader chose; texts may still be English until its catalogue exists. */
  language: Language
  /** BCP 47 tag of the texts and figures shown. */
  tag: string
  figures: FigureFormat
  moments: MomentFormat
}

const LocaleContext = createContext<Locale | null>(null)

/** The reader's language with its figures and moments. */
export function useLocale(): Locale {
  const locale = use(LocaleContext)
  if (!locale) throw new Error('useLocale needs a LocaleProvider above it')
  return locale
}

/** The first texts of one language. */
export type Texts = { language: Language; messages: Partial<Messages> }

type LocaleProviderProps = {
  language: Language
  first: Texts
  /** Shows no amount of the account. */
  isMoneyHidden: boolean
  children: ReactNode
}

/** Shows everything below in `language`. The old texts stay until the new ones are here. */
export function LocaleProvider({ language, first, isMoneyHidden, children }: LocaleProviderProps) {
  const [texts, setTexts] = useState(first)
  useEffect(() => {
    let isCurrent = true
    if (language === texts.language) return
    void loadMessages(language, 'first').then((messages) => isCurrent && setTexts({ language, messages }))
    return () => {
      isCurrent = false
    }
  }, [language, texts.language])

  const shown = textLanguage(texts.language)
  const tag = tagOf(shown)
  useEffect(() => {
    document.documentElement.lang = tag
    document.documentElement.dir = directionOf(shown)
  }, [tag, shown])
  const locale = useMemo(
    () => ({
      language: texts.language,
      tag,
      figures: figureFormat(tag, isMoneyHidden),
      moments: momentFormat(tag),
    }),
    [texts.language, tag, isMoneyHidden],
  )
  return (
    <LocaleContext value={locale}>
      <IntlProvider locale={numberTag(tag)} messages={texts.messages as Messages} timeZone={zone}>
        {children}
      </IntlProvider>
    </LocaleContext>
  )
}

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
