import { createHash } from 'node:crypto'
import { PUBLIC_PICTURE_PATH, UPLOAD } from '@fairlot/contract'
import {
  type FeedProblem,
  fetchNewsFeed,
  listNewsFeeds,
  type NewsFeed,
  saveNewsFeed,
} from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { AuditLog } from '../../desk/audit-log/audit-log.ts'
import type { DeskServices } from '../../desk/desk-services.ts'
import type { NewsFeedTable } from '../../platform/database/content-schema.ts'
import { nextId } from '../../platform/database/next-id.ts'
import type { Queries } from '../../platform/database/open.ts'
import type { Tables } from '../../platform/database/schema.ts'
import { isRefusal, type Refusal, refuse } from '../../platform/refusal.ts'
import { createFetchPublic, type FetchPublic, mayBeKept } from '../news/import/fetch-public.ts'
import { type FeedItem, feedText, type FeedText, parseFeed, textOfXml } from '../news/import/parse-feed.ts'

const ADDRESS_LENGTH = 500
const NAME_LENGTH = 80

type Form = Pick<NewsFeed, 'address' | 'name' | 'language' | 'category' | 'itemState' | 'isOn'>
type Saved = { readonly id: number; readonly version: number }
type Author = { readonly operatorId: number; readonly at: number }

/** The calls that set up the news feeds from which items are imported. */
export function registerNewsFeeds(
  { api, queries, auditLog, hub, now }: DeskServices,
  importer: Pick<FeedImporter, 'fetch'>,
): void {
  api.operator(listNewsFeeds, async () => {
    const rows = await queries.selectFrom('news_feed').selectAll().orderBy('id').execute()
    return { feeds: rows.map(shown) }
  })

  api.operator(saveNewsFeed, async ({ operator, input: { id, version, reason, ...given } }) => {
    const form = { ...given, address: given.address.trim(), name: given.name.trim() }
    const refusal = await refusalOfFeed(form)
    if (refusal) return refusal
    const before = id === null ? null : await find(queries, id)
    const author = { operatorId: operator.id, at: now() }
    const subject = `news-feed:${id ?? 'new'}`
    const saved = await auditLog.perform(
      { operator, act: 'editFeeds', subject, reason, before: before && formOf(before), after: form },
      (within) =>
        id === null ? insert(within, form, author) : renew(within, { ...form, id, version }, author),
    )
    if (isRefusal(saved)) return saved
    hub.changed('content')
    if (form.isOn) void importer.fetch(saved.id)
    return saved
  })

  api.operator(fetchNewsFeed, async ({ operator, input: { id } }) => {
    const done = await auditLog.performWithoutReason(
      { operator, act: 'editFeeds', subject: `news-feed:${id}` },
      async (within) => ((await find(within, id)) ? { id } : refuse('contentNotFound')),
    )
    // Its result is in the list, so that the operator does not wait for a slow feed.
    if (!isRefusal(done)) void importer.fetch(id)
    return done
  })
}

async function refusalOfFeed({ address, name }: Form): Promise<Refusal | null> {
  if (address.length > ADDRESS_LENGTH || !(await mayBeKept(address)))
    return refuse('feedAddressRefused', { field: 'address' })
  if (name === '') return refuse('contentTextsMissing', { field: 'name' })
  return name.length > NAME_LENGTH ? refuse('contentTooLong', { field: 'name', most: NAME_LENGTH }) : null
}

const find = async (queries: Queries, id: number): Promise<NewsFeedTable | null> =>
  (await queries.selectFrom('news_feed').selectAll().where('id', '=', BigInt(id)).executeTakeFirst()) ?? null

async function insert(within: Transaction<Tables>, form: Form, author: Author): Promise<Saved> {
  const id = await nextId(within, 'news_feed')
  await within
    .insertInto('news_feed')
    .values({ ...rowOf(form, author), id, version: 1n, asked_at: null, problem: '', taken: 0n })
    .execute()
  return { id: Number(id), version: 1 }
}

async function renew(
  within: Transaction<Tables>,
  { id, version, ...form }: Form & Saved,
  author: Author,
): Promise<Saved | Refusal> {
  const { numUpdatedRows } = await within
    .updateTable('news_feed')
    .set({ ...rowOf(form, author), version: BigInt(version + 1) })
    .where('id', '=', BigInt(id))
    .where('version', '=', BigInt(version))
    .executeTakeFirst()
  if (numUpdatedRows === 1n) return { id, version: version + 1 }
  return refuse((await find(within, id)) ? 'formOutdated' : 'contentNotFound')
}

const rowOf = ({ itemState, isOn, ...form }: Form, { operatorId, at }: Author) => ({
  ...form,
  item_state: itemState,
  is_on: isOn ? 1n : 0n,
  operator_id: BigInt(operatorId),
  changed_at: BigInt(at),
})

const formOf = (row: NewsFeedTable): Form => ({
  address: row.address,
  name: row.name,
  isOn: row.is_on === 1n,
  language: row.language as NewsFeed['language'],
  category: row.category as NewsFeed['category'],
  itemState: row.item_state as NewsFeed['itemState'],
})

const shown = (row: NewsFeedTable): NewsFeed => ({
  ...formOf(row),
  id: Number(row.id),
  version: Number(row.version),
  changedAt: Number(row.changed_at),
  taken: Number(row.taken),
  askedAt: row.asked_at === null ? null : Number(row.asked_at),
  problem: row.problem === '' ? null : (row.problem as NewsFeed['problem']),
})

/** Starts the importer, which fetches from public addresses only. */
export function startFeedImporter(services: DeskServices): FeedImporter {
  const { queries, auditLog, hub, now, deployment, shared } = services
  const importer = createFeedImporter({
    queries,
    auditLog,
    now,
    onError: deployment.onError,
    fetchPublic: createFetchPublic(),
    keepPicture: async (operatorId, original) => {
      const kept = await shared.pictures.keepPublic(operatorId, original)
      return isRefusal(kept) ? null : kept.url.slice(PUBLIC_PICTURE_PATH.length)
    },
    onChanged: () => hub.changed('content'),
  })
  importer.start()
  return importer
}

/** How often a feed is fetched, and how often to check for due feeds, ms. */
const FETCH_EVERY_MS = 1_800_000
const CHECK_MS = 300_000

const FEED = {
  accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8',
  bytesMax: 2 * 1024 * 1024,
  withinMs: 15_000,
}
const PICTURE = { accept: UPLOAD.types.join(', '), bytesMax: UPLOAD.bytesMax, withinMs: 15_000 }
/** The most items imported by one fetch; the rest follow with the next. */
const IMPORTED_MAX = 20

export type ImporterOptions = {
  readonly queries: Queries
  readonly auditLog: Pick<AuditLog, 'withoutEntry'>
  readonly fetchPublic: FetchPublic
  /** Re-encodes and stores a public picture; returns its name below /files/, or null if it is not a picture. */
  readonly keepPicture: (operatorId: number, original: Buffer) => Promise<string | null>
  readonly now: () => number
  readonly onChanged: () => void
  readonly onError: (error: unknown, doing: string) => void
}

type FeedImporter = {
  /** Fetches a feed after those in progress; resolves once its items are stored. */
  fetch(id: number): Promise<void>
  start(): void
  stop(): Promise<void>
}

/** Imports news from feeds, one feed after the other. */
export function createFeedImporter(options: ImporterOptions): FeedImporter {
  const { queries, now, onError } = options
  const stopping = new AbortController()
  let last: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  const fetch = (id: number): Promise<void> => {
    last = last
      .then(() => (stopping.signal.aborted ? undefined : importFeed(options, id, stopping.signal)))
      .catch((error: unknown) => onError(error, 'importing a news feed'))
    return last
  }
  const fetchDue = async () => {
    const due = await queries
      .selectFrom('news_feed')
      .select('id')
      .where('is_on', '=', 1n)
      .where((row) =>
        row.or([row('asked_at', 'is', null), row('asked_at', '<=', BigInt(now() - FETCH_EVERY_MS))]),
      )
      .execute()
    for (const { id } of due) await fetch(Number(id))
  }
  const check = () => void fetchDue().catch((error: unknown) => onError(error, 'checking for due news feeds'))
  return {
    fetch,
    start: () => {
      timer = setInterval(check, CHECK_MS)
      check()
    },
    stop: async () => {
      if (timer) clearInterval(timer)
      stopping.abort()
      await last
    },
  }
}

async function importFeed(options: ImporterOptions, id: number, signal: AbortSignal): Promise<void> {
  const { queries, now, onChanged } = options
  const feed = await queries
    .selectFrom('news_feed')
    .selectAll()
    .where('id', '=', BigInt(id))
    .executeTakeFirst()
  if (!feed) return
  const outcome = await importItems(options, feed, signal)
  if (signal.aborted) return
  const problem = typeof outcome === 'string' ? outcome : ''
  const taken = typeof outcome === 'string' ? 0 : outcome.taken
  await queries
    .updateTable('news_feed')
    .set(({ eb }) => ({ asked_at: BigInt(now()), problem, taken: eb('taken', '+', BigInt(taken)) }))
    .where('id', '=', feed.id)
    .execute()
  onChanged()
}

async function importItems(
  options: ImporterOptions,
  feed: NewsFeedTable,
  signal: AbortSignal,
): Promise<{ readonly taken: number } | FeedProblem> {
  const fetched = await options.fetchPublic(feed.address, { ...FEED, signal })
  if (typeof fetched === 'string') return fetched
  const items = parseFeed(textOfXml(fetched.bytes, fetched.contentType))
  if (!items) return 'unreadable'
  let taken = 0
  // Feeds begin with the latest item; the oldest is imported first.
  for (const item of (await newItems(options.queries, feed, items)).toReversed()) {
    if (signal.aborted) break
    if (await importItem(options, feed, item, signal)) taken += 1
  }
  return { taken }
}

/** The items that were not imported before, at most as many as one fetch imports. */
async function newItems(
  queries: Queries,
  feed: NewsFeedTable,
  items: readonly FeedItem[],
): Promise<FeedItem[]> {
  const byKey = new Map(items.map((item) => [keyOf(feed, item), item]))
  if (byKey.size === 0) return []
  const known = await queries
    .selectFrom('imported_news')
    .select('key')
    .where('key', 'in', [...byKey.keys()])
    .execute()
  for (const { key } of known) byKey.delete(key)
  return [...byKey.values()].slice(0, IMPORTED_MAX)
}

const keyOf = ({ id }: NewsFeedTable, { key }: FeedItem): string =>
  createHash('sha256').update(`${id} ${key}`).digest('hex')

async function importItem(
  options: ImporterOptions,
  feed: NewsFeedTable,
  item: FeedItem,
  signal: AbortSignal,
): Promise<boolean> {
  const text = feedText(item, feed.name)
  if (!text) return false
  const picture = await pictureOf(options, feed, item, signal)
  if (signal.aborted) return false
  const row = { feed, text, picture, key: keyOf(feed, item), at: options.now(), publishedAt: item.at }
  await options.auditLog.withoutEntry((within) => insertArticle(within, row))
  return true
}

/** The stored picture of an item; null for none or an invalid one. */
async function pictureOf(
  { fetchPublic, keepPicture }: ImporterOptions,
  { operator_id, address }: NewsFeedTable,
  { picture }: FeedItem,
  signal: AbortSignal,
): Promise<string | null> {
  if (picture === '') return null
  const fetched = await fetchPublic(URL.parse(picture, address)?.href ?? '', { ...PICTURE, signal })
  return typeof fetched === 'string' ? null : keepPicture(Number(operator_id), fetched.bytes)
}

type Row = {
  readonly feed: NewsFeedTable
  readonly text: FeedText
  readonly picture: string | null
  readonly key: string
  readonly at: number
  readonly publishedAt: number | null
}

async function insertArticle(within: Transaction<Tables>, row: Row): Promise<void> {
  const { feed, text, picture, key, at, publishedAt } = row
  const id = await nextId(within, 'content_item')
  const isLive = feed.item_state === 'live'
  // The time of the feed, but never in the future.
  const publishAt = BigInt(Math.min(publishedAt ?? at, at))
  await within
    .insertInto('content_item')
    .values({
      id,
      kind: 'news',
      category: feed.category,
      state: feed.item_state,
      picture,
      is_pinned: 0n,
      publish_at: isLive ? publishAt : null,
      version: 1n,
      changed_at: BigInt(at),
      changed_by: feed.name,
    })
    .execute()
  await within
    .insertInto('content_text')
    .values({
      id: await nextId(within, 'content_text'),
      item_id: id,
      version: 1n,
      language: feed.language,
      ...text,
      author: feed.name,
      at: BigInt(at),
    })
    .execute()
  await within
    .insertInto('imported_news')
    .values({ key, feed_id: feed.id, item_id: id, at: BigInt(at) })
    .execute()
}
