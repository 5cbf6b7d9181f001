import {
  PAGE_ROWS,
  type LanguageCode,
  type NoticeGroup,
  type NoticePage,
  type NoticeRow,
  type OrderView,
} from '@fairlot/contract'
import { sql } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { Translate } from '../i18n/translate.ts'
import { GROUPS, switchedOff } from '../notifications/notice-choices.ts'
import { GROUP_OF } from '../notifications/notice-fact.ts'
import { kindsOf } from '../notifications/notice-mails.ts'
import { factOfRow } from '../notifications/notice-row.ts'
import { noticeIn } from '../notifications/notice-words.ts'

export type NoticeSources = {
  readonly queries: Queries
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly ordersOf: (userId: number, orderIds: readonly number[]) => Promise<ReadonlyMap<number, OrderView>>
  /** Remembers that a user has seen the news up to a moment of publishing, epoch ms. */
  readonly rememberNewsSeen: (userId: number, at: number) => Promise<void>
  /** Titles of news by their id, in a language. */
  readonly newsOf: (
    ids: readonly number[],
    language: LanguageCode,
  ) => Promise<ReadonlyMap<number, { readonly title: string; readonly summary: string }>>
}

type Reader = { readonly userId: number; readonly language: LanguageCode; readonly translate: Translate }
type Source = 'own' | 'news'
type Place = { readonly source: Source; readonly key: string; readonly at: bigint }

/** More unread ones are not counted. */
const COUNTED = 99

/** What a user is told of, newest first: what happened to the account, and what was published since there is one. */
export async function listNoticesOf(
  sources: NoticeSources,
  reader: Reader,
  page: number,
): Promise<NoticePage> {
  const { queries } = sources
  const all = await placesOf(sources, reader.userId)
  const { total } = await queries
    .selectFrom(all.as('place'))
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  const places = await queries
    .selectFrom(all.as('place'))
    .select(['source', 'key', 'at'])
    .orderBy('at', 'desc')
    .orderBy('key', 'desc')
    .limit(PAGE_ROWS)
    .offset((page - 1) * PAGE_ROWS)
    .execute()
  const found = new Map([
    ...(await ownRows(sources, reader, places)),
    ...(await newsRows(sources, reader, places)),
  ])
  return {
    notices: places.flatMap(({ source, key }) => found.get(`${source} ${key}`) ?? []),
    total: Number(total),
  }
}

/** How many a user has not read. */
export async function countUnread(sources: NoticeSources, userId: number): Promise<number> {
  const { queries } = sources
  const unread = await placesOf(sources, userId, await newsSeenAt(queries, userId))
  const { count } = await queries
    .selectFrom(unread.limit(COUNTED).as('place'))
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Marks what a user was told up to a moment, epoch ms, as read: of news there is one mark, which their own list sets as well. */
export async function markRead(
  { queries, now, rememberNewsSeen }: NoticeSources,
  userId: number,
  upTo: number,
): Promise<void> {
  await queries
    .updateTable('notice')
    .set({ read_at: BigInt(Math.floor(now())) })
    .where('user_id', '=', BigInt(userId))
    .where('read_at', 'is', null)
    .where('at', '<=', BigInt(upTo))
    .execute()
  // Nobody has seen what is yet to come.
  await rememberNewsSeen(userId, Math.min(upTo, now()))
}

/** Where each of them stands, with its time; those that are unread where the mark of the news is given. */
async function placesOf({ queries, now }: NoticeSources, userId: number, unreadSince?: bigint) {
  const off = await switchedOff(queries, userId)
  const id = BigInt(userId)
  const isUnread = unreadSince !== undefined
  const shown = (group: NoticeGroup) => !off.has(`${group}.app`)
  const own = queries
    .selectFrom('notice')
    .select([sql<Source>`'own'`.as('source'), 'id as key', 'at'])
    .where('user_id', '=', id)
    .where('kind', 'in', kindsOf(GROUPS.filter(shown)))
    .$if(isUnread, (rows) => rows.where('read_at', 'is', null))
  const news = queries
    .selectFrom('content_item')
    .select([
      sql<Source>`'news'`.as('source'),
      sql<string>`cast(id as text)`.as('key'),
      sql<bigint>`publish_at`.as('at'),
    ])
    .where('state', '=', 'live')
    .where('publish_at', '<=', BigInt(Math.floor(now())))
    .where('publish_at', '>=', ({ selectFrom }) =>
      selectFrom('app_user').select('created_at').where('id', '=', id),
    )
    .$if(isUnread, (rows) => rows.where('publish_at', '>', unreadSince ?? 0n))
  return shown('news') ? own.unionAll(news) : own
}

async function newsSeenAt(queries: Queries, userId: number): Promise<bigint> {
  const seen = queries.selectFrom('news_seen').select('at').where('user_id', '=', BigInt(userId))
  return (await seen.executeTakeFirst())?.at ?? 0n
}

type Read = readonly (readonly [place: string, row: NoticeRow])[]

async function ownRows(
  { queries, ordersOf }: NoticeSources,
  { userId, translate }: Reader,
  places: readonly Place[],
): Promise<Read> {
  const ids = places.filter(({ source }) => source === 'own').map(({ key }) => key)
  if (ids.length === 0) return []
  const rows = await queries.selectFrom('notice').selectAll().where('id', 'in', ids).execute()
  const told = rows.map((row) => ({ row, fact: factOfRow(row) }))
  const orders = await ordersOf(
    userId,
    told.flatMap(({ fact }) => ('orderId' in fact ? fact.orderId : [])),
  )
  return told.map(({ row, fact }) => [
    `own ${row.id}`,
    {
      ...{ kind: fact.kind, group: GROUP_OF[fact.kind], ...noticeIn(translate, fact, orders) },
      ...{ time: Number(row.at), isRead: row.read_at !== null },
      ...{ orderId: 'orderId' in fact ? fact.orderId : null, newsId: null },
    },
  ])
}

async function newsRows(
  { queries, newsOf }: NoticeSources,
  { userId, language }: Reader,
  places: readonly Place[],
): Promise<Read> {
  const rows = places.filter(({ source }) => source === 'news')
  if (rows.length === 0) return []
  const seen = await newsSeenAt(queries, userId)
  const texts = await newsOf(
    rows.map(({ key }) => Number(key)),
    language,
  )
  return rows.map(({ key, at }) => {
    const { title, summary: text } = texts.get(Number(key)) ?? { title: '', summary: '' }
    const about = { orderId: null, newsId: Number(key) }
    return [
      `news ${key}`,
      { kind: 'news', group: 'news', title, text, time: Number(at), isRead: at <= seen, ...about },
    ]
  })
}
