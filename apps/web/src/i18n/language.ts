import {
  knownLanguage,
  type LanguageCode as Language,
  languageOfCode,
  languageOfTag,
} from '@fairlot/contract'

export { directionOf, formatTag, LANGUAGE_CODES, LANGUAGES, languageOfTag, tagOf } from '@fairlot/contract'
export type { Language }

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

/**
 * Whether users of the language expect rising prices in red, as the houses of Japan, Korea and Taiwan show them. Those of
 * Hong Kong show a rise in green.
 */
export const isRedUp = (language: Language, isTaiwan: boolean): boolean =>
  language === 'jp' || language === 'kr' || (language === 'hk' && isTaiwan)

/** Whether traditional Chinese was asked for as Taiwan's: by the code `tw`, or by the browser where no code was given. */
export const isRequestedAsTaiwan = ({ linked, chosen, browser }: LanguageSources): boolean => {
  const code = [linked, chosen].find((each) => knownLanguage(each) !== null)
  return code === undefined ? browser.some((tag) => localeOf(tag)?.region === 'TW') : code === 'tw'
}
