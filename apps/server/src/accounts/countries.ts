import type { Country } from '@fairlot/contract'
import type { CountryCode } from 'libphonenumber-js/max'
import { tagOf, type LanguageCode } from '../platform/i18n/translate.ts'
import { callingCodes } from '../platform/lazy-packages.ts'

/** The preselected country and those that are not served, as ISO 3166-1 alpha-2 codes. */
export type CountrySettings = { readonly mainArea: string; readonly blockedAreas: readonly string[] }

/** Every country, and which of them are served. */
export type Countries = {
  /** In the order of the language, except that the second one is the one that clients preselect. */
  list(language: LanguageCode): readonly Country[]
  /** The country with an id; null for an unknown id. */
  byId(id: number | null): CountryCode | null
  isBlocked(code: CountryCode): boolean
  nameOf(code: CountryCode, language: LanguageCode): string
}

/** Cached lists: one per language and combination of settings. */
const LISTS_MAX = 40
const LETTERS = 26
const FIRST_LETTER = 'A'.charCodeAt(0)

const CALLING_CODES = callingCodes()

/** An id that depends on the code alone, so it stays the same when the list of countries changes. */
const idOf = (code: string): number =>
  (code.charCodeAt(0) - FIRST_LETTER) * LETTERS + (code.charCodeAt(1) - FIRST_LETTER) + 1

/** The first unknown country code in the settings; null if there is none. */
export function unknownCountryOf({ mainArea, blockedAreas }: CountrySettings): string | null {
  return [mainArea, ...blockedAreas].find((code) => !CALLING_CODES.has(code as CountryCode)) ?? null
}

/** Reads the settings again on each call. Throws an Error if they name an unknown country. */
export function createCountries(settings: CountrySettings): Countries {
  const countries = [...CALLING_CODES.keys()]
  const unknown = unknownCountryOf(settings)
  if (unknown !== null)
    throw new Error(`There is no country "${unknown}": see SETTING_MAIN_AREA and SETTING_BLOCKED_AREAS.`)
  const isBlocked = (code: string) => settings.blockedAreas.includes(code)
  const byId = new Map(countries.map((code) => [idOf(code), code]))
  const lists = new Map<string, readonly Country[]>()

  const build = (language: LanguageCode): readonly Country[] => {
    const names = new Intl.DisplayNames([tagOf(language)], { type: 'region' })
    const all = countries.map((code) => ({
      id: idOf(code),
      code,
      callingCode: CALLING_CODES.get(code) ?? '',
      name: names.of(code) ?? code,
      isBlocked: isBlocked(code),
    }))
    const { compare } = new Intl.Collator(tagOf(language))
    const sorted = all.toSorted((one, other) => compare(one.name, other.name))
    const main = sorted.filter(({ code }) => code === settings.mainArea)
    const others = sorted.filter(({ code }) => code !== settings.mainArea)
    return [...others.slice(0, 1), ...main, ...others.slice(1)]
  }

  const list = (language: LanguageCode): readonly Country[] => {
    const key = [language, settings.mainArea, ...settings.blockedAreas].join()
    const cached = lists.get(key)
    if (cached) return cached
    // Lists for earlier settings are not needed again.
    if (lists.size > LISTS_MAX) lists.clear()
    const list = build(language)
    lists.set(key, list)
    return list
  }
  return {
    list,
    byId: (id) => (id === null ? null : (byId.get(id) ?? null)),
    isBlocked,
    nameOf: (code, language) => list(language).find((area) => area.code === code)?.name ?? code,
  }
}
