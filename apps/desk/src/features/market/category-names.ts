import { listDeskCategories, type DeskCategory } from '@fairlot/contract/desk'
import { useDeskQuery } from '../../live/queries.ts'

/** A category with its code and names. */
export type NamedCategory = Pick<DeskCategory, 'code' | 'names'>

/** The English name, then the Chinese, then any other; the code when there is none. */
export const deskNameOf = ({ code, names }: NamedCategory): string =>
  (['en', 'hk'] as const)
    .map((language) => names.find((each) => each.language === language)?.name)
    .find((name) => name !== undefined) ??
  names[0]?.name ??
  code

/** The categories of instruments in their order; none while loading. */
export const useCategories = (): readonly DeskCategory[] =>
  useDeskQuery(listDeskCategories, null).data?.categories ?? []

/** The name of a category by its code. */
export const nameOfCategory = (categories: readonly NamedCategory[], code: string): string =>
  deskNameOf(categories.find((each) => each.code === code) ?? { code, names: [] })
