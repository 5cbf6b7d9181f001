import { createHash } from 'node:crypto'
import { UPLOAD } from '@fairlot/contract'
import type { FeedProblem } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { NewsFeedTable } from '../../database/content-schema.ts'
import type { Queries } from '../../database/open.ts'
import type { Tables } from '../../database/schema.ts'
import { feedText, type FeedText } from '../../news/import/feed-text.ts'
import type { FetchPublic } from '../../news/import/fetch-public.ts'
import { parseFeed, textOfXml, type FeedItem } from '../../news/import/parse-feed.ts'
import type { ActLog } from '../acts/act-log.ts'
import { nextId } from '../next-id.ts'

/** Feeds are asked this often, and whether one is due is looked at so often, ms. */
const ASKED_EVERY_MS = 1_800_000
const LOOK_MS = 300_000

const FEED = {
  accept: 'application/rss+xml, application/atom+xml, application/xml;q=0.9, text/xml;q=0.8',
  ...{ bytesMax: 2 * 1024 * 1024, withinMs: 15_000 },
}
const PICTURE = { accept: UPLOAD.types.join(', '), bytesMax: UPLOAD.bytesMax, withinMs: 15_000 }
/** Of one asking: the rest comes with the next. */
const TAKEN_MAX = 20

export type ImporterOptions = {
  readonly queries: Queries
  readonly acts: Pick<ActLog, 'between'>
  readonly fetchPublic: FetchPublic
  /** Draws a picture anew and keeps it for everybody; answers its name below /files/, null where it is none. */
  readonly keepPicture: (operatorId: number, original: Buffer) => Promise<string | null>
  readonly now: () => number
  readonly onChanged: () => void
  readonly onError: (error: unknown, doing: string) => void
}

export type FeedImporter = {
  /** Asks a feed now, behind those that are being asked; ends when what it brought is there. */
  ask(id: number): Promise<void>
  start(): void
  stop(): Promise<void>
}

/** Takes in what feeds of others bring, one feed after the other. */
export function createFeedImporter(options: ImporterOptions): FeedImporter {
  const { queries, now, onError } = options
  const stopping = new AbortController()
  let last: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | null = null
  const ask = (id: number): Promise<void> => {
    last = last
      .then(() => (stopping.signal.aborted ? undefined : askFeed(options, id, stopping.signal)))
      .catch((error: unknown) => onError(error, 'taking in a feed'))
    return last
  }
  const askDue = async () => {
    const due = await queries
      .selectFrom('news_feed')
      .select('id')
      .where('is_on', '=', 1n)
      .where((its) =>
        its.or([its('asked_at', 'is', null), its('asked_at', '<=', BigInt(now() - ASKED_EVERY_MS))]),
      )
      .execute()
    for (const { id } of due) await ask(Number(id))
  }
  const look = () => void askDue().catch((error: unknown) => onError(error, 'looking for feeds to ask'))
  return {
    ask,
    start: () => {
      timer = setInterval(look, LOOK_MS)
      look()
    },
    stop: async () => {
      if (timer) clearInterval(timer)
      stopping.abort()
      await last
    },
  }
}

async function askFeed(options: ImporterOptions, id: number, signal: AbortSignal): Promise<void> {
  const { queries, now, onChanged } = options
  const feed = await queries
    .selectFrom('news_feed')
    .selectAll()
    .where('id', '=', BigInt(id))
    .executeTakeFirst()
  if (!feed) return
  const outcome = await takeIn(options, feed, signal)
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

async function takeIn(
  options: ImporterOptions,
  feed: NewsFeedTable,
  signal: AbortSignal,
): Promise<{ readonly taken: number } | FeedProblem> {
  const fetched = await options.fetchPublic(feed.address, { ...FEED, signal })
  if (typeof fetched === 'string') return fetched
  const items = parseFeed(textOfXml(fetched.bytes, fetched.contentType))
  if (!items) return 'unreadable'
  let taken = 0
  // The latest stand first in a feed; the oldest of them comes first to us.
  for (const item of (await newOnes(options.queries, feed, items)).toReversed()) {
    if (signal.aborted) break
    if (await takeItem(options, feed, item, signal)) taken += 1
  }
  return { taken }
}

/** Those that were not taken in before, as many as one asking takes. */
async function newOnes(
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
  return [...byKey.values()].slice(0, TAKEN_MAX)
}

const keyOf = ({ id }: NewsFeedTable, { key }: FeedItem): string =>
  createHash('sha256').update(`${id} ${key}`).digest('hex')

async function takeItem(
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
  await options.acts.between((within) => insert(within, row))
  return true
}

/** Its picture by the rules of all pictures; an item whose picture is none comes without it. */
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

async function insert(within: Transaction<Tables>, row: Row): Promise<void> {
  const { feed, text, picture, key, at, publishedAt } = row
  const id = await nextId(within, 'content_item')
  const isLive = feed.item_state === 'live'
  // As old as it says, but never of a time to come.
  const publishAt = BigInt(Math.min(publishedAt ?? at, at))
  await within
    .insertInto('content_item')
    .values({
      ...{ id, kind: 'news', category: feed.category, state: feed.item_state, picture, is_pinned: 0n },
      ...{
        publish_at: isLive ? publishAt : null,
        version: 1n,
        changed_at: BigInt(at),
        changed_by: feed.name,
      },
    })
    .execute()
  await within
    .insertInto('content_text')
    .values({
      ...{ id: await nextId(within, 'content_text'), item_id: id, version: 1n, language: feed.language },
      ...{ ...text, author: feed.name, at: BigInt(at) },
    })
    .execute()
  await within
    .insertInto('imported_news')
    .values({ key, feed_id: feed.id, item_id: id, at: BigInt(at) })
    .execute()
}
