import { LANGUAGE_CODES, type LanguageCode } from '@fairlot/contract'

/** The text for a reader of a language: their own, else English, else Traditional Chinese, else any there is; null for none. */
export function shownText<T extends { readonly language: string }>(
  texts: readonly T[],
  language: LanguageCode,
): T | null {
  const order = [language, 'en', 'hk', ...LANGUAGE_CODES]
  for (const code of order) {
    const found = texts.find((text) => text.language === code)
    if (found) return found
  }
  return null
}
