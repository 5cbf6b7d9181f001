import {
  getLatestNews,
  getNews,
  getNewsSeen,
  type LanguageCode,
  listNews,
  NEWS_PAGE_ROWS,
  type NewsCategory,
  type NewsItem,
  type NewsPage,
  reportNewsSeen,
} from '@fairlot/contract'
import type { ContentItemTable, ContentTextTable } from '../../platform/database/content-schema.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Api } from '../../platform/http/api.ts'
import { shownText } from '../../platform/i18n/translate.ts'
import { refuse } from '../../platform/refusal.ts'

/** Who reads, and when. `at`: real time, epoch ms, which decides what is published. */
type Reading = { readonly language: LanguageCode; readonly at: number }

/** A page of the published items, pinned items first, then the latest. */
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

/** A published item with its content; null for an unknown or unpublished one. */
async function newsItemOf(queries: Queries, id: number, { language, at }: Reading): Promise<NewsItem | null> {
  const row = await shownRows(queries, at).selectAll().where('id', '=', BigInt(id)).executeTakeFirst()
  const text = row ? shownText(await fullTexts(queries, row.id), language) : null
  if (!row || !text) return null
  const { title, summary, body: content } = text
  return { ...headOf(row), title, summary, content, language: text.language }
}

/** Titles of items by id, in the requested language where they have it. */
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

/** When the latest item was published, epoch ms; null if there is none. */
async function latestNewsAt(queries: Queries, at: number): Promise<number | null> {
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
  id: Number(id),
  publishedAt: Number(publish_at),
  isPinned: is_pinned === 1n,
  category: kind === 'announcement' ? ('announcements' as const) : (category as NewsItem['category']),
  picture: picture === null ? '' : `/files/${picture}`,
})

/** The current text of an item in one language. */
export type CurrentText = Pick<ContentTextTable, 'title' | 'summary'> & {
  readonly itemId: number
  readonly language: LanguageCode
}

/** The current texts of several items, without removed languages and without bodies, for lists. */
export async function currentTexts(queries: Queries, itemIds: readonly bigint[]): Promise<CurrentText[]> {
  if (itemIds.length === 0) return []
  const rows = await currentRows(queries)
    .select(['item_id', 'language', 'title', 'summary'])
    .where('item_id', 'in', itemIds)
    .execute()
  return rows.map(({ item_id, language, title, summary }) => ({
    itemId: Number(item_id),
    language: language as LanguageCode,
    title,
    summary,
  }))
}

/** The current texts of an item, with bodies. */
export async function fullTexts(
  queries: Queries,
  itemId: bigint,
): Promise<(Omit<CurrentText, 'itemId'> & { readonly body: string })[]> {
  const rows = await currentRows(queries)
    .select(['language', 'title', 'summary', 'body'])
    .where('item_id', '=', itemId)
    .execute()
  return rows.map((row) => ({ ...row, language: row.language as LanguageCode }))
}

/** The latest version of each language, unless it was removed. */
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

/** The publication time (epoch ms) up to which a user has seen the news; null for never. */
async function newsSeenBy(queries: Queries, userId: number): Promise<number | null> {
  const seen = queries.selectFrom('news_seen').select('at').where('user_id', '=', BigInt(userId))
  const row = await seen.executeTakeFirst()
  return row ? Number(row.at) : null
}

/** Never moves back: of two devices the one that has seen more counts. */
export async function saveNewsSeen(queries: Queries, userId: number, at: number): Promise<void> {
  await queries
    .insertInto('news_seen')
    .values({ user_id: BigInt(userId), at: BigInt(at) })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet(({ ref }) => ({ at: ref('excluded.at') }))
        .whereRef('news_seen.at', '<', 'excluded.at'),
    )
    .execute()
}

/** News and announcements for anybody, and for users what they have seen. `now`: real time, epoch ms. */
export function registerNews(api: Api, queries: Queries, now: () => number): void {
  api.visitor(listNews, ({ input, language }) => newsPageOf(queries, input, { language, at: now() }))

  api.visitor(
    getNews,
    async ({ input: { id }, language }) =>
      (await newsItemOf(queries, id, { language, at: now() })) ?? refuse('contentNotFound'),
  )

  api.visitor(getLatestNews, async () => ({ at: await latestNewsAt(queries, now()) }))

  api.user(getNewsSeen, async ({ user }) => ({ at: await newsSeenBy(queries, user.id) }))

  api.user(reportNewsSeen, async ({ user, input: { at } }) => {
    // Future news cannot have been seen.
    await saveNewsSeen(queries, user.id, Math.min(at, now()))
    return null
  })
}
