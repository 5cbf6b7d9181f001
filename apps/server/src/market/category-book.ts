/** The categories of instruments: how they are called, and their order. Which one an instrument is in is one of its terms. */
import { LANGUAGE_CODES, type LanguageCode } from '@fairlot/contract'
import type { State } from '@fairlot/core'
import type { InstrumentCategoryTable } from '../database/market-schema.ts'
import type { Queries } from '../database/open.ts'
import { createSignal, type Subscribe } from '../engine/signal.ts'
import { createTurns } from '../http/turns.ts'
import { shownText } from '../i18n/shown-text.ts'
import { languageOf, translatorFor } from '../i18n/translate.ts'
import { CATEGORIES } from '../seed/instrument-seed.ts'

export type CategoryName = { readonly language: LanguageCode; readonly name: string }
export type Category = {
  readonly id: number
  /** What terms name it by. */
  readonly code: string
  /** Null where it is called as the app calls it. */
  readonly names: readonly CategoryName[] | null
  readonly version: number
}

export type CategoryBook = {
  /** In their order; the same list until one changes. */
  all(): readonly Category[]
  /** Gives a row to each category that terms name and that has none. */
  adopt(state: Pick<State, 'listings'>): Promise<void>
  /** Reads them anew after a change of this one. */
  refresh(code: string): Promise<void>
  /** Told the code of each category that was changed. */
  readonly onChanged: Subscribe<string>
}

export async function openCategories(
  queries: Queries,
  onError: (error: unknown, doing: string) => void,
): Promise<CategoryBook> {
  let categories = await readCategories(queries)
  const inTurn = createTurns()
  const changed = createSignal<string>((error) => onError(error, 'telling of a category'))
  return {
    all: () => categories,
    adopt: async ({ listings }) => {
      const used = [...listings].toSorted(([a], [b]) => a - b).map(([, { category }]) => category)
      const known = new Set(categories.map(({ code }) => code))
      // The seeded ones are there from the first start on, and may be removed afterwards.
      const wanted = new Set([...(categories.length === 0 ? CATEGORIES : []), ...used])
      const missing = [...wanted].filter((code) => !known.has(code))
      if (missing.length === 0) return
      const first = freeId(categories)
      const rows = missing.map((code, index) => ({
        ...{ id: BigInt(first + index), code, names: null, version: 1n },
        place: BigInt(categories.length + index + 1),
      }))
      await queries.insertInto('instrument_category').values(rows).execute()
      categories = await readCategories(queries)
    },
    refresh: async (code) => {
      await inTurn(async () => {
        categories = await readCategories(queries)
      })
      changed.emit(code)
    },
    onChanged: changed.subscribe,
  }
}

/** Every category as the tables have it, in its order. */
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
  ...{ id: Number(id), code, version: Number(version) },
  names: names === null ? null : (JSON.parse(names) as CategoryName[]),
})

/** The first number above those that are taken. */
export const freeId = (categories: readonly Category[]): number =>
  Math.max(0, ...categories.map(({ id }) => id)) + 1

const SEEDED: ReadonlySet<string> = new Set(CATEGORIES)

/** The app's own words for a category, by language; none for one that it does not know. */
export const appNamesOf = (code: string): readonly CategoryName[] =>
  SEEDED.has(code)
    ? LANGUAGE_CODES.flatMap((language) => {
        const spoken = languageOf(language)
        return spoken === language ? { language, name: translatorFor(spoken)(`category.${code}`) } : []
      })
    : []

/** What a category is called, by language. */
export const namesOf = ({ code, names }: Pick<Category, 'code' | 'names'>): readonly CategoryName[] =>
  names ?? appNamesOf(code)

/** What a reader of a language reads: their own name of it, else English, else Chinese, else any; its code where it has none. */
export const nameOf = (category: Pick<Category, 'code' | 'names'>, language: LanguageCode): string =>
  shownText(namesOf(category), language)?.name ?? category.code
