import type { Infer } from '../protocol/codec.ts'
import { id, listOf, nothing, nullable, text, int } from '../protocol/field.ts'
import { language, version } from './content.ts'
import { defineDeskEndpoint } from './desk-endpoint.ts'
import { reason, record } from './record.ts'

/** Maximum length of a category's code and name, and the maximum number of categories: a row of chips on a phone. */
export const CATEGORY_LENGTH = 40
export const CATEGORIES_MAX = 100

const categoryName = record({ language, name: text })
export type CategoryName = Infer<typeof categoryName>

const category = record({
  id,
  version,
  /** Never changes: terms of instruments refer to it. */
  code: text,
  names: listOf(categoryName),
  /** Its instruments, also by announced changes; disabled ones too. */
  instruments: int(),
})
/** A category of instruments. */
export type DeskCategory = Infer<typeof category>

export const listDeskCategories = defineDeskEndpoint({
  name: 'listDeskCategories',
  method: 'GET',
  path: '/desk/api/market/categories',
  permission: 'viewMarket',
  request: nothing,
  response: record({ categories: listOf(category) }),
  summary: 'The categories of instruments in their order, the empty ones too, with their names',
})

export const saveCategory = defineDeskEndpoint({
  name: 'saveCategory',
  method: 'POST',
  path: '/desk/api/market/categories/save',
  permission: 'editCategories',
  request: record({
    /** Null for a new one, whose version is 0. */
    id: nullable(id),
    version,
    code: text,
    /** All names: a language that is left out has none. */
    names: listOf(categoryName),
    /** The category before it; null for the first place. */
    behind: nullable(id),
    reason,
  }),
  response: record({ id, version }),
  summary: 'Makes a category, renames it or puts it in another place; traders see it at once',
})

export const removeCategory = defineDeskEndpoint({
  name: 'removeCategory',
  method: 'POST',
  path: '/desk/api/market/categories/remove',
  permission: 'editCategories',
  request: record({ id, version, reason }),
  response: nothing,
  summary: 'Removes a category that no instrument is in',
})
