import { createContext, type ReactNode, use, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { IntlProvider, useMessages, useTranslations } from 'use-intl'
import { NumberWritingContext } from '@fairlot/ui/forms/use-typed-number.ts'
import { momentFormat, type MomentFormat } from './date-format.ts'
import { directionOf, formatTag, type Language, regionalTag, tagOf } from './language.ts'
import { areEnglishInstead, loadMessages, type Messages, textLanguage } from './message-catalogue.ts'
import { PSEUDO_LANGUAGE } from './pseudo-language.ts'
import type { MessagePart as Part } from './message-parts.ts'
import { decimalPoint, figureFormat, type FigureFormat } from './number-format.ts'

export type Locale = {
  /** The language the user chose; its texts are in English until its catalogue exists. */
  language: Language
  /** BCP 47 tag of the texts and figures shown. */
  tag: string
  figures: FigureFormat
  moments: MomentFormat
}

const LocaleContext = createContext<Locale | null>(null)

/** The user's language with its number and date formats. */
export function useLocale(): Locale {
  const locale = use(LocaleContext)
  if (!locale) throw new Error('useLocale needs a LocaleProvider above it')
  return locale
}

/** The first texts of one language. */
export type Texts = { language: Language; messages: Partial<Messages> }

/** None on the server, which renders one page for all users. */
const browserLanguages = (): readonly string[] => (typeof window === 'undefined' ? [] : navigator.languages)

/**
 * Has the browser load its data of a language, which takes it long the first time, in pieces between which it can answer taps:
 * otherwise the first render would do it in one.
 */
export async function prepareFormats(language: Language, pause: () => Promise<void>): Promise<void> {
  const tag = tagOf(textLanguage(language))
  figureFormat(tag)
  await pause()
  momentFormat(regionalTag(tag, browserLanguages()))
  await pause()
  timeZone()
}

type LocaleProviderProps = {
  language: Language
  first: Texts
  /** Hides all amounts of the account. */
  isMoneyHidden: boolean
  children: ReactNode
}

/** Provides texts and formats of `language`. The previous language stays until the new texts are loaded. */
export function LocaleProvider({ language, first, isMoneyHidden, children }: LocaleProviderProps) {
  const [texts, setTexts] = useState(first)
  useEffect(() => {
    let isCurrent = true
    if (language === texts.language) return
    // Where not even English can be loaded, the window says that a part is missing, and the texts stay as they are.
    void loadMessages(language, 'first').then(
      (messages) => isCurrent && setTexts({ language, messages }),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [language, texts.language])

  const shown = areEnglishInstead(texts.messages) ? 'en' : textLanguage(texts.language)
  const tag = tagOf(shown)
  useEffect(() => {
    document.documentElement.lang = PSEUDO_LANGUAGE ?? tag
    document.documentElement.dir = PSEUDO_LANGUAGE === 'en-XB' ? 'rtl' : directionOf(shown)
  }, [tag, shown])
  const locale = useMemo(
    () => ({
      language: texts.language,
      tag,
      figures: figureFormat(tag, isMoneyHidden),
      moments: momentFormat(regionalTag(tag, browserLanguages())),
    }),
    [texts.language, tag, isMoneyHidden],
  )
  return (
    <LocaleContext value={locale}>
      <IntlProvider locale={formatTag(tag)} messages={texts.messages as Messages} timeZone={timeZone()}>
        <NumberWriting tag={tag}>{children}</NumberWriting>
      </IntlProvider>
    </LocaleContext>
  )
}

/** Number fields read and write numbers as the language of the texts does. */
function NumberWriting({ tag, children }: { tag: string; children: ReactNode }) {
  const t = useTranslations('app')
  const writing = useMemo(
    () => ({
      point: decimalPoint(tag),
      ask: (thousands: string, decimals: string) => t('whichNumber', { thousands, decimals }),
    }),
    [tag, t],
  )
  return <NumberWritingContext value={writing}>{children}</NumberWritingContext>
}

// Computed when first needed: at the start of the app it would lengthen a task that blocks a slow phone.
let zone: string | undefined
const timeZone = (): string => (zone ??= Intl.DateTimeFormat().resolvedOptions().timeZone)

/** Provides a further part of the texts. The previous language stays until the part is loaded in the new one. */
export function MessagePart({ part, children }: { part: Part; children: ReactNode }) {
  const { language, tag } = useLocale()
  const known = useMessages()
  const more = use(loadMessages(useDeferredValue(language), part))
  const messages = useMemo(() => ({ ...known, ...more }) as Messages, [known, more])
  return (
    <IntlProvider locale={formatTag(tag)} messages={messages}>
      {children}
    </IntlProvider>
  )
}
