import {
  countUnreadNotices,
  getNoticeChoices,
  type InputOf,
  type LanguageCode,
  listNotices,
  type NoticeGroup,
  type NoticePage,
  type NoticeRow,
  type OrderView,
  PAGE_ROWS,
  readNotices,
  switchNotices,
  type NoticeWay,
} from '@fairlot/contract'
import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'
import { factOfRow, GROUP_OF, storedKindsOf } from '../engine/projection/notice-facts.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Api } from '../platform/http/api.ts'
import type { Translate } from '../platform/i18n/translate.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'
import { GROUPS, isSwitchable, switchedOff, switchNotice } from './notice-choices.ts'
import { noticeIn, type NoticeSubjects } from './notice-text.ts'

export type NoticeSources = {
  readonly queries: Queries
  /** Real time, epoch ms. */
  readonly now: () => number
  readonly ordersOf: (userId: number, orderIds: readonly number[]) => Promise<ReadonlyMap<number, OrderView>>
  readonly codeOf: NoticeSubjects['codeOf']
  /** Stores that a user has seen the news published up to a moment, epoch ms. */
  readonly saveNewsSeen: (userId: number, at: number) => Promise<void>
  /** Titles of news by their id, in a language. */
  readonly newsOf: (
    ids: readonly number[],
    language: LanguageCode,
  ) => Promise<ReadonlyMap<number, { readonly title: string; readonly summary: string }>>
}

type Reader = { readonly userId: number; readonly language: LanguageCode; readonly translate: Translate }
type Source = 'own' | 'news'
type Place = { readonly source: Source; readonly key: string; readonly at: bigint }

/** Unread notices are counted up to this number only. */
const COUNTED = 99

/** Where a notice stands in the list, as answers name it: "moment key". */
const placeText = ({ at, key }: Place): string => `${at} ${key}`

function readPlace(text: string): Pick<Place, 'at' | 'key'> | null {
  const [, at, key] = /^(\d{1,15}) (\S{1,100})$/.exec(text) ?? []
  return at === undefined || key === undefined ? null : { at: BigInt(at), key }
}

/** A user's notices, newest first: events of the account, and news published since it was opened. */
async function listNoticesOf(
  sources: NoticeSources,
  reader: Reader,
  { page, before }: InputOf<typeof listNotices>,
): Promise<NoticePage | Refusal> {
  const after = before === null ? null : readPlace(before)
  if (before !== null && !after) return refuse('notUnderstood', { field: 'before' })
  const { queries } = sources
  const all = await placesOf(sources, reader.userId)
  const { total } = await queries
    .selectFrom(all.as('place'))
    .select(({ fn }) => fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  const read = await queries
    .selectFrom(all.as('place'))
    .select(['source', 'key', 'at'])
    .$if(after !== null, (rows) =>
      rows.where(({ eb, and, or }) =>
        or([
          eb('at', '<', after?.at ?? 0n),
          and([eb('at', '=', after?.at ?? 0n), eb('key', '<', after?.key ?? '')]),
        ]),
      ),
    )
    .orderBy('at', 'desc')
    .orderBy('key', 'desc')
    // One more than a page, to see whether any follow.
    .limit(PAGE_ROWS + 1)
    .offset(after ? 0 : (page - 1) * PAGE_ROWS)
    .execute()
  const places = read.slice(0, PAGE_ROWS)
  const last = read.length > PAGE_ROWS ? places.at(-1) : undefined
  const found = new Map([
    ...(await ownRows(sources, reader, places)),
    ...(await newsRows(sources, reader, places)),
  ])
  return {
    notices: places.flatMap(({ source, key }) => found.get(`${source} ${key}`) ?? []),
    total: Number(total),
    next: last ? placeText(last) : null,
  }
}

/** The number of a user's unread notices. */
async function countUnread(sources: NoticeSources, userId: number): Promise<number> {
  const { queries } = sources
  const unread = await placesOf(sources, userId, await newsSeenAt(queries, userId))
  const { count } = await queries
    .selectFrom(unread.limit(COUNTED).as('place'))
    .select(({ fn }) => fn.countAll<bigint>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Marks notices up to a moment (epoch ms) as read. News share this with the list of news. */
async function markRead(
  { queries, now, saveNewsSeen }: NoticeSources,
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
  // News that are yet to be published cannot have been seen.
  await saveNewsSeen(userId, Math.min(upTo, now()))
}

/** Source, key and time of each notice; with `unreadSince`, the time of the latest news seen, of the unread ones only. */
async function placesOf({ queries, now }: NoticeSources, userId: number, unreadSince?: bigint) {
  const off = await switchedOff(queries, userId)
  const id = BigInt(userId)
  const isUnread = unreadSince !== undefined
  const shown = (group: NoticeGroup) => !off.has(`${group}.app`)
  const own = queries
    .selectFrom('notice')
    .select([sql<Source>`'own'`.as('source'), 'id as key', 'at'])
    .where('user_id', '=', id)
    .where('kind', 'in', storedKindsOf(GROUPS.filter(shown)))
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
  { queries, ordersOf, codeOf }: NoticeSources,
  { userId, translate }: Reader,
  places: readonly Place[],
): Promise<Read> {
  const ids = places.filter(({ source }) => source === 'own').map(({ key }) => key)
  if (ids.length === 0) return []
  const rows = await queries.selectFrom('notice').selectAll().where('id', 'in', ids).execute()
  const notices = rows.map((row) => ({ row, fact: factOfRow(row) }))
  const orders = await ordersOf(
    userId,
    notices.flatMap(({ fact }) => ('orderId' in fact ? fact.orderId : [])),
  )
  return notices.map(({ row, fact }) => [
    `own ${row.id}`,
    {
      kind: fact.kind,
      group: GROUP_OF[fact.kind],
      ...noticeIn(translate, fact, { orders, codeOf }),
      time: Number(row.at),
      isRead: row.read_at !== null,
      orderId: 'orderId' in fact ? fact.orderId : null,
      newsId: null,
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
    return [
      `news ${key}`,
      {
        kind: 'news',
        group: 'news',
        title,
        text,
        time: Number(at),
        isRead: at <= seen,
        orderId: null,
        newsId: Number(key),
      },
    ]
  })
}

type NoticeOptions = NoticeSources & { readonly engine: Pick<Engine, 'caughtUp'> }

/** The list of notices, and users' choices which to receive. */
export function registerNotices(api: Api, { engine, ...sources }: NoticeOptions): void {
  const { queries } = sources

  api.user(listNotices, async ({ user, input, language, translate }) => {
    await engine.caughtUp()
    return listNoticesOf(sources, { userId: user.id, language, translate }, input)
  })

  api.user(countUnreadNotices, async ({ user }) => {
    await engine.caughtUp()
    return { count: await countUnread(sources, user.id) }
  })

  api.user(readNotices, async ({ user, input: { upTo } }) => {
    await markRead(sources, user.id, upTo)
    return null
  })

  api.user(getNoticeChoices, async ({ user }) => {
    const off = await switchedOff(queries, user.id)
    const choices = GROUPS.map((group) => {
      const isOn = (way: NoticeWay) => (isSwitchable(group, way) ? !off.has(`${group}.${way}`) : null)
      return { group, app: isOn('app'), mail: isOn('mail'), push: isOn('push') }
    })
    return { choices }
  })

  api.user(switchNotices, async ({ user, input }) => {
    if (!isSwitchable(input.group, input.way)) return refuse('noticeStaysOn', { group: input.group })
    await switchNotice(queries, user.id, input)
    return null
  })
}
