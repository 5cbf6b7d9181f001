import type { LanguageCode } from '@fairlot/contract'
import {
  DESK_PAGE_ROWS,
  type ContentItem,
  type ContentRow,
  type ContentVersion,
} from '@fairlot/contract/desk'
import type { Queries } from '../../database/open.ts'
import type { ContentItemTable } from '../../database/content-schema.ts'
import { currentRows, currentTexts, wholeTexts } from '../../news/content-texts.ts'
import { shownText } from '../../i18n/shown-text.ts'

type Filter = {
  readonly kind: string | null
  readonly status: ContentRow['status'] | null
  readonly search: string
}

/** What is shown from when is worked out of the moment: no timer has to turn an item on. `at`: epoch ms. */
export function statusOf({ state, publish_at }: ContentItemTable, at: number): ContentRow['status'] {
  if (state !== 'live') return state === 'draft' ? 'draft' : 'withdrawn'
  return Number(publish_at) > at ? 'scheduled' : 'published'
}

/** One page of the items that fit, the latest change first. */
export async function listContentRows(
  queries: Queries,
  filter: Filter & { readonly page: number },
  at: number,
  limit = DESK_PAGE_ROWS,
): Promise<{ items: ContentRow[]; total: number }> {
  const fitting = fittingRows(queries, filter, BigInt(at))
  const { total } = await fitting
    .select((select) => select.fn.countAll().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await fitting
    .selectAll()
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset((filter.page - 1) * limit)
    .execute()
  const texts = await currentTexts(
    queries,
    rows.map(({ id }) => id),
  )
  const items = rows.map((row) => {
    const own = texts.filter(({ itemId }) => itemId === Number(row.id))
    const title = shownText(own, 'en')?.title ?? ''
    return { ...headOf(row, at), title, languages: own.map(({ language }) => language) }
  })
  return { items, total: Number(total) }
}

export async function findContent(queries: Queries, id: number): Promise<ContentItemTable | null> {
  const found = queries.selectFrom('content_item').selectAll().where('id', '=', BigInt(id))
  return (await found.executeTakeFirst()) ?? null
}

/** An item with all its texts. */
export const wholeContent = async (
  queries: Queries,
  row: ContentItemTable,
  at: number,
): Promise<ContentItem> => ({ ...headOf(row, at), texts: await wholeTexts(queries, row.id) })

/** How a language of an item has read, the latest first. */
export async function versionsOf(
  queries: Queries,
  id: number,
  language: LanguageCode,
): Promise<ContentVersion[]> {
  const rows = await queries
    .selectFrom('content_text')
    .selectAll()
    .where('item_id', '=', BigInt(id))
    .where('language', '=', language)
    .orderBy('version', 'desc')
    .limit(DESK_PAGE_ROWS)
    .execute()
  return rows.map(({ version, at, author, title, summary, body }) => ({
    ...{ version: Number(version), at: Number(at), author, title, summary, body },
  }))
}

const headOf = (row: ContentItemTable, at: number): Omit<ContentItem, 'texts'> => ({
  ...{ id: Number(row.id), kind: row.kind as ContentItem['kind'], status: statusOf(row, at) },
  ...{ category: row.category as ContentItem['category'], version: Number(row.version) },
  publishAt: row.publish_at === null ? null : Number(row.publish_at),
  ...{ isPinned: row.is_pinned === 1n, picture: row.picture },
  ...{ changedAt: Number(row.changed_at), changedBy: row.changed_by },
})

function fittingRows(queries: Queries, { kind, status, search }: Filter, at: bigint) {
  let rows = queries.selectFrom('content_item')
  if (kind !== null) rows = rows.where('kind', '=', kind)
  if (status === 'draft' || status === 'withdrawn') rows = rows.where('state', '=', status)
  if (status === 'scheduled') rows = rows.where('state', '=', 'live').where('publish_at', '>', at)
  if (status === 'published') rows = rows.where('state', '=', 'live').where('publish_at', '<=', at)
  const words = search.trim().toLowerCase()
  if (words === '') return rows
  const found = currentRows(queries)
    .select('item_id')
    .where(({ eb, fn }) =>
      eb(fn<string>('lower', ['content_text.title']), 'like', `%${words.replace(/[%_\\]/g, '')}%`),
    )
  return rows.where('content_item.id', 'in', found)
}
