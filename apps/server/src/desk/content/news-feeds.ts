import { askNewsFeed, listNewsFeeds, saveNewsFeed, type NewsFeed } from '@fairlot/contract/desk'
import type { Transaction } from 'kysely'
import type { NewsFeedTable } from '../../database/content-schema.ts'
import type { Queries } from '../../database/open.ts'
import type { Tables } from '../../database/schema.ts'
import { isRefusal, refuse, type Refusal } from '../../http/refusal.ts'
import { mayBeAsked } from '../../news/import/fetch-public.ts'
import type { DeskServices } from '../desk-services.ts'
import { nextId } from '../next-id.ts'
import type { FeedImporter } from './feed-importer.ts'

const ADDRESS_LENGTH = 500
const NAME_LENGTH = 80

type Form = Pick<NewsFeed, 'address' | 'name' | 'language' | 'category' | 'itemState' | 'isOn'>
type Saved = { readonly id: number; readonly version: number }
type Author = { readonly operatorId: number; readonly at: number }

/** Feeds of others that items are taken in from. */
export function registerNewsFeeds(
  { api, queries, acts, hub, now }: DeskServices,
  importer: Pick<FeedImporter, 'ask'>,
): void {
  api.operator(listNewsFeeds, async () => {
    const rows = await queries.selectFrom('news_feed').selectAll().orderBy('id').execute()
    return { feeds: rows.map(shown) }
  })

  api.operator(saveNewsFeed, async ({ operator, input: { id, version, reason, ...given } }) => {
    const form = { ...given, address: given.address.trim(), name: given.name.trim() }
    const refusal = refusalOfFeed(form)
    if (refusal) return refusal
    const before = id === null ? null : await find(queries, id)
    const author = { operatorId: operator.id, at: now() }
    const subject = `news-feed:${id ?? 'new'}`
    const saved = await acts.perform(
      { operator, act: 'editFeeds', subject, reason, before: before && formOf(before), after: form },
      (within) =>
        id === null ? insert(within, form, author) : renew(within, { ...form, id, version }, author),
    )
    if (isRefusal(saved)) return saved
    hub.changed('content')
    if (form.isOn) void importer.ask(saved.id)
    return saved
  })

  api.operator(askNewsFeed, async ({ operator, input: { id } }) => {
    const done = await acts.note(
      { operator, act: 'editFeeds', subject: `news-feed:${id}` },
      async (within) => ((await find(within, id)) ? { id } : refuse('contentNotFound')),
    )
    // What comes of it is in the list: nobody waits for a slow feed.
    if (!isRefusal(done)) void importer.ask(id)
    return done
  })
}

function refusalOfFeed({ address, name }: Form): Refusal | null {
  if (address.length > ADDRESS_LENGTH || !mayBeAsked(address))
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
  ...{ ...form, item_state: itemState, is_on: isOn ? 1n : 0n },
  ...{ operator_id: BigInt(operatorId), changed_at: BigInt(at) },
})

const formOf = (row: NewsFeedTable): Form => ({
  ...{ address: row.address, name: row.name, isOn: row.is_on === 1n },
  ...{ language: row.language as NewsFeed['language'], category: row.category as NewsFeed['category'] },
  itemState: row.item_state as NewsFeed['itemState'],
})

const shown = (row: NewsFeedTable): NewsFeed => ({
  ...{ ...formOf(row), id: Number(row.id), version: Number(row.version) },
  ...{ changedAt: Number(row.changed_at), taken: Number(row.taken) },
  askedAt: row.asked_at === null ? null : Number(row.asked_at),
  problem: row.problem === '' ? null : (row.problem as NewsFeed['problem']),
})
