import type { LanguageCode } from '@fairlot/contract'
import { TRADER_WORDS } from '@fairlot/contract/words'
import { createTranslator } from 'use-intl/core'
import en from './en.json' with { type: 'json' }
import hk from './hk.json' with { type: 'json' }

/** The catalogues that exist, with the words of the traders' app; the other languages of the product fall back to English until theirs are written. */
const CATALOGUES = { en: { ...en, ...TRADER_WORDS.en }, hk: { ...hk, ...TRADER_WORDS.hk } }

/** The languages of the product by their code on the wire, with BCP 47 tags for ICU. */
const TAGS = {
  ...{ hk: 'zh-HK', en: 'en', jp: 'ja', kr: 'ko', th: 'th', vn: 'vi', fr: 'fr', de: 'de' },
  ...{ ru: 'ru', spa: 'es', pt: 'pt', ar: 'ar', it: 'it', tr: 'tr', id: 'id' },
} as const satisfies Record<LanguageCode, string>

export type { LanguageCode }

/** The language that a `lang` header asks for: `tw` means `hk`; without one the default of the product. */
export function languageCodeOf(header: string | readonly string[] | undefined): LanguageCode {
  const code = typeof header === 'object' ? header[0] : header
  if (code === undefined || code === '' || code === 'tw') return 'hk'
  return Object.hasOwn(TAGS, code) ? (code as LanguageCode) : 'en'
}

/** The BCP 47 tag of a language. */
export const tagOf = (code: LanguageCode): string => TAGS[code]

export type Language = keyof typeof CATALOGUES
/** The languages that there is a catalogue of. */
export const LANGUAGES = Object.keys(CATALOGUES) as readonly Language[]
/** Translates a message key into one language. */
export type Translate = (key: string, values?: Record<string, string | number>) => string

const isLanguage = (code: string): code is Language => Object.hasOwn(CATALOGUES, code)

/** The catalogue that a `lang` header gets. */
export function languageOf(header: string | readonly string[] | undefined): Language {
  const code = languageCodeOf(header)
  return isLanguage(code) ? code : 'en'
}

const createTranslate = (language: Language): Translate => {
  const translate = createTranslator<(typeof CATALOGUES)['en']>({
    locale: TAGS[language],
    messages: CATALOGUES[language],
  })
  return (key, values) => translate(key as never, values as never)
}

const TRANSLATORS: Record<Language, Translate> = { en: createTranslate('en'), hk: createTranslate('hk') }

/** The words of a language. */
export const translatorFor = (language: Language): Translate => TRANSLATORS[language]
