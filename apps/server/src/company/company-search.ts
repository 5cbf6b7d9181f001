import type { Queries } from '../database/open.ts'

/** How a name is searched by: in small letters, wide ones as the others. */
export const keyOf = (name: string): string => name.normalize('NFKC').trim().toLowerCase()

/** Signs with a meaning of their own for the database. */
const SIGNS = /[%_\\\0]/g

/** The companies with these words in their name; all of them without a word. */
export function fittingCompanies(queries: Queries, search: string) {
  const rows = queries.selectFrom('company')
  const words = keyOf(search).replace(SIGNS, '')
  return words === '' ? rows : rows.where('name_key', 'like', `%${words}%`)
}
