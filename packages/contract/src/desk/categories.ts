import type { Inside } from '../codec.ts'
import { id, listOf, nothing, orNull, text, whole } from '../field.ts'
import { language, version } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record } from './record.ts'

/** Characters of a code or a name of a category, and how many categories there may be: a row of chips on a phone. */
export const CATEGORY_LENGTH = 40
export const CATEGORIES_MOST = 100

const categoryName = record({ language, name: text })
export type CategoryName = Inside<typeof categoryName>

const category = record({
  ...{ id, version },
  /** For ever the same: what terms of instruments name it by. */
  code: text,
  names: listOf(categoryName),
  /** Those that are in it, or will be by what is announced; those switched off too. */
  instruments: whole(),
})
/** A category of instruments as traders read it. */
export type DeskCategory = Inside<typeof category>

export const listDeskCategories = defineDeskEndpoint({
  name: 'listDeskCategories',
  method: 'GET',
  path: '/desk/api/market/categories',
  act: 'viewMarket',
  request: nothing,
  response: record({ categories: listOf(category) }),
  summary: 'The categories of instruments in their order, the empty ones too, with their names',
})

export const saveCategory = defineDeskEndpoint({
  name: 'saveCategory',
  method: 'POST',
  path: '/desk/api/market/categories/save',
  act: 'editCategories',
  request: record({
    /** Null for a new one, whose version is 0. */
    id: orNull(id),
    ...{ version, code: text },
    /** All of them: a language that is left out has none. */
    names: listOf(categoryName),
    /** The category that it stands behind; null for the first place. */
    behind: orNull(id),
    reason,
  }),
  response: record({ id, version }),
  summary: 'Makes a category, renames it or puts it in another place; traders see it at once',
})

export const removeCategory = defineDeskEndpoint({
  name: 'removeCategory',
  method: 'POST',
  path: '/desk/api/market/categories/remove',
  act: 'editCategories',
  request: record({ id, version, reason }),
  response: nothing,
  summary: 'Removes a category that no instrument is in',
})
