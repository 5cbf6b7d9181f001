import type { LanguageCode } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { ContentTextTable } from '../database/content-schema.ts'

/** A text of an item in one language, as it stands now. */
export type CurrentText = Pick<ContentTextTable, 'title' | 'summary'> & {
  readonly itemId: number
  readonly language: LanguageCode
}

/** Those of several items without their bodies, for lists; languages that were taken out are not among them. */
export async function currentTexts(queries: Queries, itemIds: readonly bigint[]): Promise<CurrentText[]> {
  if (itemIds.length === 0) return []
  const rows = await currentRows(queries)
    .select(['item_id', 'language', 'title', 'summary'])
    .where('item_id', 'in', itemIds)
    .execute()
  return rows.map(({ item_id, language, title, summary }) => ({
    ...{ itemId: Number(item_id), language: language as LanguageCode, title, summary },
  }))
}

/** Those of one item, whole. */
export async function wholeTexts(
  queries: Queries,
  itemId: bigint,
): Promise<(Omit<CurrentText, 'itemId'> & { readonly body: string })[]> {
  const rows = await currentRows(queries)
    .select(['language', 'title', 'summary', 'body'])
    .where('item_id', '=', itemId)
    .execute()
  return rows.map((row) => ({ ...row, language: row.language as LanguageCode }))
}

/** The latest wording of each language, where it has one. */
export const currentRows = (queries: Queries) =>
  queries
    .selectFrom('content_text')
    .where('content_text.title', '<>', '')
    .where(({ eb, selectFrom }) =>
      eb(
        'content_text.version',
        '=',
        selectFrom('content_text as later')
          .select(({ fn }) => fn.max('later.version').as('latest'))
          .whereRef('later.item_id', '=', 'content_text.item_id')
          .whereRef('later.language', '=', 'content_text.language'),
      ),
    )
