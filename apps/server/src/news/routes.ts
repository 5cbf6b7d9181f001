import { getNews, listNews, NEWS_PAGE_ROWS, type NewsCategory } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { ContentItemTable } from '../database/content-schema.ts'
import type { Api } from '../http/api.ts'
import { refuse } from '../http/refusal.ts'
import { currentTexts, wholeTexts } from './content-texts.ts'
import { shownText } from '../i18n/shown-text.ts'

/** News and announcements, for anybody. `now`: real time, epoch ms; a schedule needs nobody to carry it out. */
export function registerNews(api: Api, queries: Queries, now: () => number): void {
  api.visitor(listNews, async ({ input: { category, page }, language }) => {
    const shown = rowsOf(queries, category, BigInt(now()))
    const { total } = await shown
      .select((select) => select.fn.countAll().as('total'))
      .executeTakeFirstOrThrow()
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
      return text ? [{ ...headOf(row), title: text.title, summary: text.summary }] : []
    })
    return { items, total: Number(total) }
  })

  api.visitor(getNews, async ({ input: { id }, language }) => {
    const row = await queries
      .selectFrom('content_item')
      .selectAll()
      .where('id', '=', BigInt(id))
      .where('state', '=', 'live')
      .where('publish_at', '<=', BigInt(now()))
      .executeTakeFirst()
    const text = row ? shownText(await wholeTexts(queries, row.id), language) : null
    if (!row || !text) return refuse('contentNotFound')
    return { ...headOf(row), title: text.title, summary: text.summary, content: text.body }
  })
}

const headOf = ({ id, picture, publish_at }: ContentItemTable) => ({
  ...{ id: Number(id), publishedAt: Number(publish_at) },
  picture: picture === null ? '' : `/files/${picture}`,
})

function rowsOf(queries: Queries, category: NewsCategory, at: bigint) {
  const shown = queries.selectFrom('content_item').where('state', '=', 'live').where('publish_at', '<=', at)
  if (category === 'announcements') return shown.where('kind', '=', 'announcement')
  const news = shown.where('kind', '=', 'news')
  return category === 'news' ? news : news.where('category', '=', category)
}
