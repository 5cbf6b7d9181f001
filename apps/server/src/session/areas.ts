import { getCountries, getCountryCallingCode, type CountryCode } from 'libphonenumber-js/max'
import type { Area } from '@fairlot/contract'
import { tagOf, type LanguageCode } from '../plugins/words.ts'

/** The area that the deployment preselects, and those it does not serve, as ISO 3166-1 alpha-2. */
export type AreaSettings = { readonly mainArea: string; readonly blockedAreas: readonly string[] }

/** Every country, and which of them are served. */
export type Areas = {
  /** In the language's own order, but for the second: it is the one that clients preselect. */
  list(language: LanguageCode): readonly Area[]
  /** The country of an id; null when there is none. */
  byId(id: number | null): CountryCode | null
  isBlocked(code: CountryCode): boolean
  nameOf(code: CountryCode, language: LanguageCode): string
}

const LETTERS = 26
const FIRST_LETTER = 'A'.charCodeAt(0)

/** An id that stays the same whatever countries come and go. */
const idOf = (code: string): number =>
  (code.charCodeAt(0) - FIRST_LETTER) * LETTERS + (code.charCodeAt(1) - FIRST_LETTER) + 1

/** Throws an Error for a setting that names no country. */
export function createAreas({ mainArea, blockedAreas }: AreaSettings): Areas {
  const countries = getCountries()
  const known = new Set<string>(countries)
  const wrong = [mainArea, ...blockedAreas].find((code) => !known.has(code))
  if (wrong !== undefined)
    throw new Error(`There is no country "${wrong}": see SETTING_MAIN_AREA and SETTING_BLOCKED_AREAS.`)
  const blocked = new Set(blockedAreas)
  const byId = new Map(countries.map((code) => [idOf(code), code]))
  const lists = new Map<LanguageCode, readonly Area[]>()

  const make = (language: LanguageCode): readonly Area[] => {
    const names = new Intl.DisplayNames([tagOf(language)], { type: 'region' })
    const all = countries.map((code) => ({
      ...{ id: idOf(code), code, callingCode: getCountryCallingCode(code) },
      ...{ name: names.of(code) ?? code, isBlocked: blocked.has(code) },
    }))
    const { compare } = new Intl.Collator(tagOf(language))
    const sorted = all.toSorted((one, other) => compare(one.name, other.name))
    const main = sorted.filter(({ code }) => code === mainArea)
    const others = sorted.filter(({ code }) => code !== mainArea)
    return [...others.slice(0, 1), ...main, ...others.slice(1)]
  }

  const list = (language: LanguageCode): readonly Area[] => {
    const made = lists.get(language) ?? make(language)
    lists.set(language, made)
    return made
  }
  return {
    list,
    byId: (id) => (id === null ? null : (byId.get(id) ?? null)),
    isBlocked: (code) => blocked.has(code),
    nameOf: (code, language) => list(language).find((area) => area.code === code)?.name ?? code,
  }
}
