import {
  getLatestNews,
  getNews,
  getNewsSeen,
  LANGUAGE_CODES,
  listNews,
  reportNewsSeen,
  valueOf,
} from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { newTrader } from '../../../../../testing/traders.ts'
import { newUser } from '../../testing/accounts.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { cleanHtml } from './clean-html.ts'
import { FIRST_ITEMS, firstWording, writeFirstNews } from './first-news.ts'

const COUNTRIES = ['North Korea', 'Israel', 'China', 'Vanuatu', 'Cuba']

describe.each(DATABASES)('news for readers, %s', (kind) => {
  const server = serverOn(kind)
  const as = (token: string | null = null, language = 'en') => clientOf(server().url, token, { language })
  const page = async (category: 'all' | 'announcements' | 'market' = 'all', language = 'en') =>
    valueOf(await as(null, language).call(listNews, { category, page: 1 }))

  test('begins with a few items, which are written once', async () => {
    await writeFirstNews(server().deployment.database.queries, Date.now())
    const { items, total } = await page()
    expect([items.length, total]).toEqual([FIRST_ITEMS.length, FIRST_ITEMS.length])
  })

  test.each(LANGUAGE_CODES)('begins with items that are written in %s', async (language) => {
    const { items } = await page('all', language)
    const wordings = FIRST_ITEMS.map((item) => firstWording(item, language))
    const english = FIRST_ITEMS.map((item) => firstWording(item, 'en'))
    expect(items.map(({ title, summary }) => [title, summary])).toEqual(
      wordings.map(({ title, summary }) => [title, summary]),
    )
    for (const [place, item] of items.entries()) {
      const { content, language: own } = valueOf(await as(null, language).call(getNews, { id: item.id }))
      expect([own, content, cleanHtml(content)]).toEqual([language, wordings[place]?.body, content])
      if (language !== 'en') expect(content).not.toBe(english[place]?.body)
    }
  })

  test('announces the five countries that are not served', async () => {
    const [announcement] = (await page('announcements')).items
    expect(announcement).toMatchObject({ category: 'announcements', isPinned: true, picture: '' })
    const { content } = valueOf(await as().call(getNews, { id: announcement?.id ?? 0 }))
    expect(COUNTRIES.filter((country) => !content.includes(country))).toEqual([])
  })

  test('names the language of an item if it is another than requested', async () => {
    const languages = async () => (await page('market', 'ar')).items.map(({ language }) => language)
    expect(await languages()).toEqual(['ar'])
    const [item] = (await page('market')).items
    const { queries } = server().deployment.database
    const removed = {
      version: 2n,
      language: 'ar',
      title: '',
      summary: '',
      body: '',
      author: 'a test',
      at: 1n,
    }
    await queries
      .insertInto('content_text')
      .values({ ...removed, id: 1_000n, item_id: BigInt(item?.id ?? 0) })
      .execute()
    expect(await languages()).toEqual(['en'])
  })

  test('refuses an unknown item, and returns an empty page after the last', async () => {
    expect(await as().call(getNews, { id: 999_999 })).toMatchObject({ reason: 'contentNotFound' })
    expect(valueOf(await as().call(listNews, { category: 'all', page: 4_000 })).items).toEqual([])
  })

  test('remembers for each account the latest news seen', async () => {
    const [one, other] = [(await newUser(server())).token, (await newTrader(server())).token]
    const seenBy = async (token: string) => valueOf(await as(token).call(getNewsSeen, null)).at
    const { at } = valueOf(await as().call(getLatestNews, null))
    expect(await seenBy(one)).toBeNull()
    await as(one).call(reportNewsSeen, { at: at ?? 0 })
    await as(one).call(reportNewsSeen, { at: 5 })
    expect([await seenBy(one), await seenBy(other)]).toEqual([at, null])
    await as(other).call(reportNewsSeen, { at: 4_000_000_000_000 })
    expect(await seenBy(other)).toBeLessThanOrEqual(Date.now())
    expect(await as().call(getNewsSeen, null)).toMatchObject({ reason: 'sessionGone' })
  })

  test('hides withdrawn and scheduled items', async () => {
    const { queries } = server().deployment.database
    const latest = async () => valueOf(await as().call(getLatestNews, null)).at
    const [first, second] = (await page()).items
    const id = first?.id ?? 0
    const set = (change: { state?: string; publish_at?: bigint }) =>
      queries.updateTable('content_item').set(change).where('id', '=', BigInt(id)).execute()
    await set({ state: 'withdrawn' })
    expect((await page()).items.map((item) => item.id)).not.toContain(id)
    await set({ state: 'live', publish_at: BigInt(Date.now() + 3_600_000) })
    expect(await as().call(getNews, { id })).toMatchObject({ reason: 'contentNotFound' })
    expect(Math.floor(((await latest()) ?? 0) / 1_000) * 1_000).toBe(second?.publishedAt)
  })
})

describe.each(DATABASES)('the pages of the news, %s', (kind) => {
  const server = serverOn(kind)
  const page = async (number: number) =>
    valueOf(await clientOf(server().url, null).call(listNews, { category: 'all', page: number }))

  test('are empty without news', async () => {
    await server().deployment.database.queries.updateTable('content_item').set({ state: 'draft' }).execute()
    expect(await page(1)).toEqual({ items: [], total: 0 })
  })

  test('have ten rows each; of 1,001 items the last page has one', async () => {
    const { queries } = server().deployment.database
    const ids = Array.from({ length: 1_001 }, (_, place) => BigInt(10_000 + place))
    const fixed = { kind: 'news', category: 'market', state: 'live', is_pinned: 0n, picture: null }
    const text = { version: 1n, language: 'en', summary: '', body: '', author: 'a test', at: 1n }
    // In parts, because a statement takes a limited number of values.
    for (let first = 0; first < ids.length; first += 250) {
      const part = ids.slice(first, first + 250)
      const stamp = { version: 1n, changed_at: 1n, changed_by: 'a test' }
      await queries
        .insertInto('content_item')
        .values(part.map((id) => ({ ...fixed, ...stamp, id, publish_at: id })))
        .execute()
      await queries
        .insertInto('content_text')
        .values(part.map((id) => ({ ...text, id, item_id: id, title: `No. ${id}` })))
        .execute()
    }
    const [first, last, beyond] = [await page(1), await page(101), await page(102)]
    expect([first.total, first.items.length, last.items.length, beyond.items.length]).toEqual([
      1_001, 10, 1, 0,
    ])
    expect(first.items[0]?.title).toBe('No. 11000')
    expect(last.items[0]?.title).toBe('No. 10000')
  })
})
