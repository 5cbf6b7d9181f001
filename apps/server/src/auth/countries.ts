import type { Country } from '@fairlot/contract'
import type { CountryCode } from 'libphonenumber-js/max'
import { tagOf, type LanguageCode } from '../i18n/translate.ts'
import { callingCodes } from '../load-when-needed.ts'

/** The country that the deployment preselects, and those it does not serve, as ISO 3166-1 alpha-2. */
export type CountrySettings = { readonly mainArea: string; readonly blockedAreas: readonly string[] }

/** Every country, and which of them are served. */
export type Countries = {
  /** In the language's own order, but for the second: it is the one that clients preselect. */
  list(language: LanguageCode): readonly Country[]
  /** The country of an id; null when there is none. */
  byId(id: number | null): CountryCode | null
  isBlocked(code: CountryCode): boolean
  nameOf(code: CountryCode, language: LanguageCode): string
}

/** One for each language, and those of settings that have changed. */
const LISTS_MAX = 40
const LETTERS = 26
const FIRST_LETTER = 'A'.charCodeAt(0)

const CALLING_CODES = callingCodes()

/** An id that stays the same whatever countries come and go. */
const idOf = (code: string): number =>
  (code.charCodeAt(0) - FIRST_LETTER) * LETTERS + (code.charCodeAt(1) - FIRST_LETTER) + 1

/** The first code that is no country's; null when all are. */
export function unknownCountryOf({ mainArea, blockedAreas }: CountrySettings): string | null {
  return [mainArea, ...blockedAreas].find((code) => !CALLING_CODES.has(code as CountryCode)) ?? null
}

/** Settings are asked anew each time. Throws an Error for one that names no country. */
export function createCountries(settings: CountrySettings): Countries {
  const countries = [...CALLING_CODES.keys()]
  const wrong = unknownCountryOf(settings)
  if (wrong !== null)
    throw new Error(`There is no country "${wrong}": see SETTING_MAIN_AREA and SETTING_BLOCKED_AREAS.`)
  const isBlocked = (code: string) => settings.blockedAreas.includes(code)
  const byId = new Map(countries.map((code) => [idOf(code), code]))
  const lists = new Map<string, readonly Country[]>()

  const make = (language: LanguageCode): readonly Country[] => {
    const names = new Intl.DisplayNames([tagOf(language)], { type: 'region' })
    const all = countries.map((code) => ({
      ...{ id: idOf(code), code, callingCode: CALLING_CODES.get(code) ?? '' },
      ...{ name: names.of(code) ?? code, isBlocked: isBlocked(code) },
    }))
    const { compare } = new Intl.Collator(tagOf(language))
    const sorted = all.toSorted((one, other) => compare(one.name, other.name))
    const main = sorted.filter(({ code }) => code === settings.mainArea)
    const others = sorted.filter(({ code }) => code !== settings.mainArea)
    return [...others.slice(0, 1), ...main, ...others.slice(1)]
  }

  const list = (language: LanguageCode): readonly Country[] => {
    const key = [language, settings.mainArea, ...settings.blockedAreas].join()
    const made = lists.get(key)
    if (made) return made
    // Other settings are in force now: nobody asks for the lists of the old ones again.
    if (lists.size > LISTS_MAX) lists.clear()
    const list = make(language)
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
