import {
  knownLanguage,
  LANGUAGE_CODES,
  type LanguageCode as Language,
  languageOfCode,
  tagOf,
} from '@fairlot/contract'

export { directionOf, formatTag, LANGUAGE_CODES, LANGUAGES, tagOf } from '@fairlot/contract'
export type { Language }

/** The language of a browser's tag ("pt-BR", "zh-TW"); null if it is not one of the 15. */
export function languageOfTag(tag: string): Language | null {
  const primary = tag.toLowerCase().split('-')[0]
  return LANGUAGE_CODES.find((code) => tagOf(code).split('-')[0] === primary) ?? null
}

type LanguageSources = {
  /** The `lang` query. */
  linked: string | null
  /** The saved choice on this device. */
  chosen: string | null
  /** The browser's languages, best first. */
  browser: readonly string[]
}

/** The `lang` query, else the saved choice, else the browser's if it is one of the 15, else traditional Chinese. */
export const chooseLanguage = ({ linked, chosen, browser }: LanguageSources): Language =>
  knownLanguage(linked) ??
  knownLanguage(chosen) ??
  browser.map(languageOfTag).find((language) => language !== null) ??
  languageOfCode(null)

/**
 * The tag for dates and times: with the region that the browser has for the chosen language, so that British users see British
 * dates. A language with a fixed region keeps it.
 */
export function regionalTag(tag: string, browser: readonly string[]): string {
  const { language, region } = new Intl.Locale(tag)
  if (region !== undefined) return tag
  const own = browser.map(localeOf).find((locale) => locale?.language === language && locale.region)
  return own?.region === undefined ? tag : `${tag}-${own.region}`
}

/** Null for an invalid tag. */
function localeOf(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag)
  } catch {
    return null
  }
}

/** Whether users of the language expect rising prices in red. */
export const isRedUp = (language: Language): boolean => ['hk', 'jp', 'kr'].includes(language)
