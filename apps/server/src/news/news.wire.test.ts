import { getLatestNews, getNews, getNewsSeen, listNews, tellNewsSeen, valueOf } from '@fairlot/contract'
import { describe, expect, test } from 'vitest'
import { clientOf } from '../../../../testing/client.ts'
import { newTrader } from '../../../../testing/traders.ts'
import { newMember } from '../testing/accounts.ts'
import { DATABASES, serverOn } from '../testing/running-server.ts'
import { cleanHtml } from './clean-html.ts'
import { FIRST_ITEMS } from './first-items.ts'
import { writeFirstNews } from './first-news.ts'

const COUNTRIES = ['North Korea', 'Israel', 'China', 'Vanuatu', 'Cuba']

describe.each(DATABASES)('news for readers, %s', (kind) => {
  const server = serverOn(kind)
  const as = (token: string | null = null, language = 'en') => clientOf(server().url, token, { language })
  const page = async (category: 'all' | 'announcements' | 'market' = 'all', language = 'en') =>
    valueOf(await as(null, language).call(listNews, { category, page: 1 }))

  test('a fresh install has a few items in two languages, and they are written once', async () => {
    await writeFirstNews(server().deployment.database.queries, Date.now())
    const { items, total } = await page()
    expect([items.length, total]).toEqual([FIRST_ITEMS.length, FIRST_ITEMS.length])
    expect(items.map(({ title }) => title)).toEqual(FIRST_ITEMS.map(({ en }) => en.title))
    expect((await page('all', 'hk')).items.map(({ title }) => title)).toEqual(
      FIRST_ITEMS.map(({ hk }) => hk.title),
    )
    for (const { id } of items) {
      const { content } = valueOf(await as().call(getNews, { id }))
      expect(cleanHtml(content)).toBe(content)
    }
  })

  test('the announcement names the five countries that are not served', async () => {
    const [announcement] = (await page('announcements')).items
    expect(announcement).toMatchObject({ category: 'announcements', isPinned: true, picture: '' })
    const { content } = valueOf(await as().call(getNews, { id: announcement?.id ?? 0 }))
    expect(COUNTRIES.filter((country) => !content.includes(country))).toEqual([])
  })

  test('whoever reads another language is told which one they get', async () => {
    expect((await page('market', 'hk')).items.map(({ language }) => language)).toEqual(['hk'])
    expect((await page('market', 'ar')).items.map(({ language }) => language)).toEqual(['en'])
  })

  test('an item of no such number, or past the last page, is no error of ours', async () => {
    expect(await as().call(getNews, { id: 999_999 })).toMatchObject({ reason: 'contentNotFound' })
    expect(valueOf(await as().call(listNews, { category: 'all', page: 4_000 })).items).toEqual([])
  })

  test('each account remembers what it has seen, never goes back, and knows nothing of another', async () => {
    const [one, other] = [(await newMember(server())).token, (await newTrader(server())).token]
    const seenBy = async (token: string) => valueOf(await as(token).call(getNewsSeen, null)).at
    const { at } = valueOf(await as().call(getLatestNews, null))
    expect(await seenBy(one)).toBeNull()
    await as(one).call(tellNewsSeen, { at: at ?? 0 })
    await as(one).call(tellNewsSeen, { at: 5 })
    expect([await seenBy(one), await seenBy(other)]).toEqual([at, null])
    await as(other).call(tellNewsSeen, { at: 4_000_000_000_000 })
    expect(await seenBy(other)).toBeLessThanOrEqual(Date.now())
    expect(await as().call(getNewsSeen, null)).toMatchObject({ reason: 'sessionGone' })
  })

  test('what is withdrawn or still to come is not the latest, and read by nobody', async () => {
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
