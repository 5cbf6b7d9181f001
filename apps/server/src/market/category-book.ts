/** The categories of instruments: names and order. The category of an instrument is one of its terms. */
import { LANGUAGE_CODES, type LanguageCode } from '@fairlot/contract'
import type { State } from '@fairlot/core'
import type { InstrumentCategoryTable } from '../platform/database/market-schema.ts'
import type { Queries } from '../platform/database/open.ts'
import { createEmitter, type Subscribe } from '../platform/emitter.ts'
import { createMutex } from '../platform/concurrency.ts'
import { languageOf, shownText, translatorFor } from '../platform/i18n/translate.ts'
import { CATEGORIES } from '../seed/seed.ts'

export type CategoryName = { readonly language: LanguageCode; readonly name: string }
export type Category = {
  readonly id: number
  /** The code by which terms name it. */
  readonly code: string
  /** Null for the app's own names. */
  readonly names: readonly CategoryName[] | null
  readonly version: number
}

export type CategoryBook = {
  /** All categories in order; the same array until one changes. */
  all(): readonly Category[]
  /** Adds a row for each category that terms name and that has none. */
  adopt(state: Pick<State, 'listings'>): Promise<void>
  /** Reads the categories again after a change of this one. */
  refresh(code: string): Promise<void>
  /** Emits the code of each changed category. */
  readonly onChanged: Subscribe<string>
}

export async function openCategories(
  queries: Queries,
  onError: (error: unknown, doing: string) => void,
): Promise<CategoryBook> {
  let categories = await readCategories(queries)
  const exclusively = createMutex()
  const changed = createEmitter<string>((error) => onError(error, 'publishing a category'))
  return {
    all: () => categories,
    adopt: async ({ listings }) => {
      const used = [...listings].toSorted(([a], [b]) => a - b).map(([, { category }]) => category)
      const known = new Set(categories.map(({ code }) => code))
      // Seeded categories are added at the first start only, as they may be removed later.
      const wanted = new Set([...(categories.length === 0 ? CATEGORIES : []), ...used])
      const missing = [...wanted].filter((code) => !known.has(code))
      if (missing.length === 0) return
      const first = freeId(categories)
      const rows = missing.map((code, index) => ({
        id: BigInt(first + index),
        code,
        names: null,
        version: 1n,
        place: BigInt(categories.length + index + 1),
      }))
      await queries.insertInto('instrument_category').values(rows).execute()
      categories = await readCategories(queries)
    },
    refresh: async (code) => {
      await exclusively(async () => {
        categories = await readCategories(queries)
      })
      changed.emit(code)
    },
    onChanged: changed.subscribe,
  }
}

/** All categories in the tables, in order. */
export async function readCategories(queries: Queries): Promise<readonly Category[]> {
  const rows = await queries
    .selectFrom('instrument_category')
    .selectAll()
    .orderBy('place')
    .orderBy('id')
    .execute()
  return rows.map(categoryOf)
}

const categoryOf = ({ id, code, names, version }: InstrumentCategoryTable): Category => ({
  id: Number(id),
  code,
  version: Number(version),
  names: names === null ? null : (JSON.parse(names) as CategoryName[]),
})

/** The next unused id. */
export const freeId = (categories: readonly Category[]): number =>
  Math.max(0, ...categories.map(({ id }) => id)) + 1

const SEEDED: ReadonlySet<string> = new Set(CATEGORIES)

/** The app's own names of a category, by language; empty for an unknown category. */
export const appNamesOf = (code: string): readonly CategoryName[] =>
  SEEDED.has(code)
    ? LANGUAGE_CODES.flatMap((language) => {
        const appLanguage = languageOf(language)
        return appLanguage === language
          ? { language, name: translatorFor(appLanguage)(`category.${code}`) }
          : []
      })
    : []

/** The names of a category by language. */
export const namesOf = ({ code, names }: Pick<Category, 'code' | 'names'>): readonly CategoryName[] =>
  names ?? appNamesOf(code)

/** The name shown to a reader of a language: in that language, else English, else Chinese, else any; the code if it has none. */
export const nameOf = (category: Pick<Category, 'code' | 'names'>, language: LanguageCode): string =>
  shownText(namesOf(category), language)?.name ?? category.code
