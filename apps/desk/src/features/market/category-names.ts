import { listDeskCategories, type DeskCategory } from '@fairlot/contract/desk'
import { useDeskQuery } from '../../live/use-desk-query.ts'

/** A category as the desk calls it. */
export type NamedCategory = Pick<DeskCategory, 'code' | 'names'>

/** English, else Chinese, else whatever there is; its code where it has no name. */
export const deskNameOf = ({ code, names }: NamedCategory): string =>
  (['en', 'hk'] as const)
    .map((language) => names.find((each) => each.language === language)?.name)
    .find((name) => name !== undefined) ??
  names[0]?.name ??
  code

/** The categories of instruments in their order; none before the first answer. */
export const useCategories = (): readonly DeskCategory[] =>
  useDeskQuery(listDeskCategories, null).data?.categories ?? []

/** What a category that terms name is called. */
export const nameOfCategory = (categories: readonly NamedCategory[], code: string): string =>
  deskNameOf(categories.find((each) => each.code === code) ?? { code, names: [] })
