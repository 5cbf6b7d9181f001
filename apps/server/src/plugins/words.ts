import { createTranslator } from 'use-intl/core'
import en from '../i18n/en.json' with { type: 'json' }
import hk from '../i18n/hk.json' with { type: 'json' }

/** The catalogues that exist; the other languages of the product fall back to English until theirs are written. */
const CATALOGUES = { en, hk }

/** BCP 47 tags for ICU: Latin digits and the Gregorian calendar everywhere. */
const LOCALES = { en: 'en', hk: 'zh-HK' } as const

export type Language = keyof typeof CATALOGUES
/** Says a message of the catalogue in one language. */
export type Say = (key: string, values?: Record<string, string | number>) => string

const isLanguage = (code: string): code is Language => Object.hasOwn(CATALOGUES, code)

/** The language of a `lang` header: `tw` means `hk`; without one the default of the product. */
export function languageOf(header: string | readonly string[] | undefined): Language {
  const code = typeof header === 'object' ? header[0] : header
  if (code === undefined || code === '' || code === 'tw') return 'hk'
  return isLanguage(code) ? code : 'en'
}

const createSay = (language: Language): Say => {
  const translate = createTranslator<typeof en>({ locale: LOCALES[language], messages: CATALOGUES[language] })
  return (key, values) => translate(key as never, values as never)
}

const SAY: Record<Language, Say> = { en: createSay('en'), hk: createSay('hk') }

/** The words of a language. */
export const sayIn = (language: Language): Say => SAY[language]
