/**
 * The languages of the product by their code on the wire: the BCP 47 tag, and the language's own name. The only table of them.
 */
export const LANGUAGES = {
  hk: { tag: 'zh-HK', name: '繁體中文' },
  en: { tag: 'en', name: 'English' },
  jp: { tag: 'ja', name: '日本語' },
  kr: { tag: 'ko', name: '한국어' },
  th: { tag: 'th', name: 'ไทย' },
  vn: { tag: 'vi', name: 'Tiếng Việt' },
  fr: { tag: 'fr', name: 'Français' },
  de: { tag: 'de', name: 'Deutsch' },
  ru: { tag: 'ru', name: 'Русский' },
  spa: { tag: 'es', name: 'Español' },
  pt: { tag: 'pt', name: 'Português' },
  ar: { tag: 'ar', name: 'العربية' },
  it: { tag: 'it', name: 'Italiano' },
  tr: { tag: 'tr', name: 'Türkçe' },
  id: { tag: 'id', name: 'Bahasa Indonesia' },
} as const

export type LanguageCode = keyof typeof LANGUAGES

/** The codes, in the order in which languages are offered. */
export const LANGUAGE_CODES = Object.keys(LANGUAGES) as LanguageCode[]

/** The language of a code on the wire or in a link, where `tw` means `hk`; null if it is not one of the 15. */
export function knownLanguage(code: string | null | undefined): LanguageCode | null {
  if (code === 'tw') return 'hk'
  return typeof code === 'string' && Object.hasOwn(LANGUAGES, code) ? (code as LanguageCode) : null
}

/** The same; none and an unknown one mean `hk`, the default. */
export const languageOfCode = (code: string | null | undefined): LanguageCode => knownLanguage(code) ?? 'hk'

/** The BCP 47 tag of a language. */
export const tagOf = (language: LanguageCode): string => LANGUAGES[language].tag

/** Cantonese by its own tag, as Chrome and phones of Hong Kong name it, and the former tag of Indonesian. */
const OTHER_TAGS: Readonly<Record<string, LanguageCode>> = { yue: 'hk', in: 'id' }

/** The language of a browser's tag ("pt-BR", "zh-TW", "yue-Hant-HK"); null if it is not one of the 15. */
export function languageOfTag(tag: string): LanguageCode | null {
  const primary = tag.toLowerCase().split('-')[0] ?? ''
  if (Object.hasOwn(OTHER_TAGS, primary)) return OTHER_TAGS[primary] ?? null
  return LANGUAGE_CODES.find((code) => tagOf(code).split('-')[0] === primary) ?? null
}

/** The tags of an Accept-Language header, the most wanted first (RFC 9110, 12.5.4). */
export const acceptedTags = (header: string): readonly string[] =>
  header
    .split(',')
    .map((part) => ({
      tag: part.split(';')[0]?.trim() ?? '',
      weight: /;\s*q=([\d.]+)/i.exec(part)?.[1] ?? '1',
    }))
    .filter(({ tag, weight }) => tag !== '' && Number(weight) > 0)
    .toSorted((one, other) => Number(other.weight) - Number(one.weight))
    .map(({ tag }) => tag)

/** The tag by which numbers and dates are formatted: Latin digits and the Gregorian calendar in every language. */
export const formatTag = (tag: string): string => `${tag}-u-ca-gregory-nu-latn`

/** A formatted date without the marks of direction that some languages put into it: they would be copied along. */
export const withoutMarks = (text: string): string => text.replace(/[\u200e\u200f\u061c]/g, '')

export const directionOf = (language: LanguageCode): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')
