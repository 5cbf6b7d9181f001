import {
  NEWS_PAGE_ROWS,
  type LanguageCode,
  type NewsCategory,
  type NewsItem,
  type NewsPage,
} from '@fairlot/contract'
import type { ContentItemTable } from '../database/content-schema.ts'
import type { Queries } from '../database/open.ts'
import { shownText } from '../i18n/shown-text.ts'
import { currentTexts, wholeTexts } from './content-texts.ts'

/** Which items, for whom. `at`: real time, epoch ms; a schedule needs nobody to carry it out. */
type Reading = { readonly language: LanguageCode; readonly at: number }

/** One page of what readers see, pinned items first, then the latest. */
export async function newsPageOf(
  queries: Queries,
  { category, page }: { readonly category: NewsCategory; readonly page: number },
  { language, at }: Reading,
): Promise<NewsPage> {
  const shown = rowsOf(queries, category, at)
  const { total } = await shown.select((select) => select.fn.countAll().as('total')).executeTakeFirstOrThrow()
  const rows = await shown
    .selectAll()
    .orderBy('is_pinned', 'desc')
    .orderBy('publish_at', 'desc')
    .orderBy('id', 'desc')
    .limit(NEWS_PAGE_ROWS)
    .offset((page - 1) * NEWS_PAGE_ROWS)
    .execute()
  const texts = await currentTexts(
    queries,
    rows.map(({ id }) => id),
  )
  const items = rows.flatMap((row) => {
    const own = texts.filter(({ itemId }) => itemId === Number(row.id))
    const text = shownText(own, language)
    return text ? [{ ...headOf(row), title: text.title, summary: text.summary, language: text.language }] : []
  })
  return { items, total: Number(total) }
}

/** One item whole; null when readers see none of this id. */
export async function newsItemOf(
  queries: Queries,
  id: number,
  { language, at }: Reading,
): Promise<NewsItem | null> {
  const row = await shownRows(queries, at).selectAll().where('id', '=', BigInt(id)).executeTakeFirst()
  const text = row ? shownText(await wholeTexts(queries, row.id), language) : null
  if (!row || !text) return null
  const { title, summary, body: content } = text
  return { ...headOf(row), title, summary, content, language: text.language }
}

/** What stands above items in a list, in the language asked for where they have it; by their id. */
export async function newsTitles(
  queries: Queries,
  ids: readonly number[],
  language: LanguageCode,
): Promise<ReadonlyMap<number, { readonly title: string; readonly summary: string }>> {
  const texts = await currentTexts(queries, ids.map(BigInt))
  return new Map(
    ids.flatMap((id) => {
      const text = shownText(
        texts.filter(({ itemId }) => itemId === id),
        language,
      )
      return text ? [[id, { title: text.title, summary: text.summary }]] : []
    }),
  )
}

/** When the latest item was published, epoch ms; null where there is none. */
export async function latestNewsAt(queries: Queries, at: number): Promise<number | null> {
  const { latest } = await shownRows(queries, at)
    .select((select) => select.fn.max('publish_at').as('latest'))
    .executeTakeFirstOrThrow()
  return latest === null ? null : Number(latest)
}

const shownRows = (queries: Queries, at: number) =>
  queries.selectFrom('content_item').where('state', '=', 'live').where('publish_at', '<=', BigInt(at))

function rowsOf(queries: Queries, category: NewsCategory, at: number) {
  const shown = shownRows(queries, at)
  if (category === 'all') return shown
  if (category === 'announcements') return shown.where('kind', '=', 'announcement')
  return shown.where('kind', '=', 'news').where('category', '=', category)
}

const headOf = ({ id, kind, category, picture, publish_at, is_pinned }: ContentItemTable) => ({
  ...{ id: Number(id), publishedAt: Number(publish_at), isPinned: is_pinned === 1n },
  category: kind === 'announcement' ? ('announcements' as const) : (category as NewsItem['category']),
  picture: picture === null ? '' : `/files/${picture}`,
})
