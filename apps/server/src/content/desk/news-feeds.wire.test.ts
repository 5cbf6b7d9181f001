import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getNews, listNews, valueOf, type InputOf } from '@fairlot/contract'
import { fetchNewsFeed, listContent, listNewsFeeds, saveNewsFeed } from '@fairlot/contract/desk'
import sharp from 'sharp'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../../../../../testing/client.ts'
import { createFetchPublic } from '../news/import/fetch-public.ts'
import { cleanHtml } from '../news/clean-html.ts'
import { atDesk } from '../../testing/desk.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { createAuditLog } from '../../desk/audit-log/audit-log.ts'
import { createFeedImporter } from './news-feeds.ts'

const NEW: InputOf<typeof saveNewsFeed> = {
  id: null,
  version: 0,
  address: 'https://news.example/feed.xml',
  name: 'The Example',
  language: 'en',
  category: 'market',
  itemState: 'draft',
  isOn: true,
  reason: 'more to read',
}
const ITEM = (id: number, more = '') =>
  `<item><guid>${id}</guid><title>Item ${id}</title><description>&lt;p onclick="x()"&gt;No. ${id}&lt;/p&gt;</description>
   <pubDate>Wed, 07 Jan 2026 12:00:00 GMT</pubDate><link>https://news.example/${id}</link>${more}</item>`

describe.each(DATABASES)('news feeds, %s', (kind) => {
  const server = serverOn(kind)
  const newAdministrator = () => atDesk(server(), 'administrator')
  const feedsOf = async () => (await (await newAdministrator()).request(listNewsFeeds, null)).feeds

  /** A feed on this machine, which the server would never fetch, and an importer that may. */
  async function feedOnLoopback(given: Partial<typeof NEW>, files: Record<string, string | Buffer>) {
    const site = createServer(({ url = '' }, answer) => {
      const file = files[url]
      answer.writeHead(file === undefined ? 404 : 200).end(file)
    })
    await new Promise<void>((resolve) => {
      site.listen(0, '127.0.0.1', resolve)
    })
    onTestFinished(() => void site.close())
    const administrator = await newAdministrator()
    const { id } = await administrator.request(saveNewsFeed, { ...NEW, ...given, isOn: false })
    const { queries } = server().deployment.database
    const address = `http://127.0.0.1:${(site.address() as AddressInfo).port}/feed`
    await queries.updateTable('news_feed').set({ address }).where('id', '=', BigInt(id)).execute()
    const failures: unknown[] = []
    const importer = createFeedImporter({
      queries,
      now: Date.now,
      onChanged: () => undefined,
      onError: (error) => failures.push(error),
      auditLog: createAuditLog(queries, Date.now, () => undefined),
      fetchPublic: createFetchPublic((ip) => ip === '127.0.0.1'),
      keepPicture: async (_operator, original) =>
        (await sharp(original)
          .metadata()
          .catch(() => null))
          ? `picture-of-${original.length}.webp`
          : null,
    })
    const fetchNow = async () => {
      await importer.fetch(id)
      expect(failures).toEqual([])
      return (await feedsOf()).find((feed) => feed.id === id)
    }
    return { id, fetchNow }
  }

  test('are imported once as drafts, sanitized, with their pictures', async () => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: '#b8860b' } })
      .png()
      .toBuffer()
    const picture = (path: string) => `<enclosure url="${path}" type="image/png"/>`
    const files = {
      '/feed': `<rss><channel>${ITEM(2, picture('/a.png'))}${ITEM(1, picture('/b.png'))}</channel></rss>`,
      '/a.png': png,
      '/b.png': 'no picture',
    }
    const { fetchNow } = await feedOnLoopback({ name: 'Drafts' }, files)
    expect(await fetchNow()).toMatchObject({ taken: 2, problem: null })
    files['/feed'] = files['/feed'].replace(
      '<channel>',
      `<channel>${ITEM(3, picture('http://169.254.169.254/'))}`,
    )
    expect(await fetchNow()).toMatchObject({ taken: 3, problem: null })
    const administrator = await newAdministrator()
    const drafts = { kind: 'news', status: 'draft', search: 'item', page: 1 } as const
    const { items } = await administrator.request(listContent, drafts)
    expect(items.map(({ title, picture: key, changedBy }) => [title, key, changedBy])).toEqual([
      ['Item 3', null, 'Drafts'],
      ['Item 2', `picture-of-${png.length}.webp`, 'Drafts'],
      ['Item 1', null, 'Drafts'],
    ])
  })

  test('are imported as published items with the date of the feed', async () => {
    const { fetchNow } = await feedOnLoopback(
      { itemState: 'live', category: 'company', language: 'de' },
      { '/feed': `<rss><channel>${ITEM(7)}</channel></rss>` },
    )
    await fetchNow()
    const reader = clientOf(server().url, null, { language: 'de' })
    const { items } = valueOf(await reader.call(listNews, { category: 'company', page: 1 }))
    const found = items.find(({ title }) => title === 'Item 7')
    expect(found).toMatchObject({ language: 'de', publishedAt: Date.UTC(2026, 0, 7, 12), summary: 'No. 7' })
    const { content } = valueOf(await reader.call(getNews, { id: found?.id ?? 0 }))
    expect(content).toContain('<p>No. 7</p>')
    expect(cleanHtml(content)).toBe(content)
  })

  test('are reported with the problem if they are invalid', async () => {
    const bomb = '<!DOCTYPE rss [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel/></rss>'
    for (const [feed, problem] of [
      [bomb, 'unreadable'],
      ['<html></html>', 'unreadable'],
      ['x'.repeat(3 * 1024 * 1024), 'tooLarge'],
    ] as const)
      expect(await (await feedOnLoopback({}, { '/feed': feed })).fetchNow()).toMatchObject({
        problem,
        taken: 0,
      })
    expect(await (await feedOnLoopback({}, {})).fetchNow()).toMatchObject({ problem: 'answerRefused' })
  })

  test('are never fetched from this machine, whatever the table says', async () => {
    const { id } = await feedOnLoopback({}, { '/feed': `<rss><channel>${ITEM(9)}</channel></rss>` })
    const administrator = await newAdministrator()
    await administrator.request(fetchNewsFeed, { id })
    const outcome = async () => (await feedsOf()).find((feed) => feed.id === id)
    await expect.poll(outcome, { timeout: 20_000 }).toMatchObject({ problem: 'addressRefused', taken: 0 })
  })

  test.each([
    [{ address: 'http://127.0.0.1/feed' }, 'feedAddressRefused'],
    [{ address: 'http://localhost/feed' }, 'feedAddressRefused'],
    [{ address: 'http://localhost./feed' }, 'feedAddressRefused'],
    [{ address: 'http://169.254.169.254/latest' }, 'feedAddressRefused'],
    [{ address: 'http://[::ffff:10.0.0.1]/feed' }, 'feedAddressRefused'],
    [{ address: 'https://a:b@news.example/' }, 'feedAddressRefused'],
    [{ address: `https://news.example/${'x'.repeat(600)}` }, 'feedAddressRefused'],
    [{ name: ' ' }, 'contentTextsMissing'],
    [{ name: 'x'.repeat(100) }, 'contentTooLong'],
    [{ reason: ' ' }, 'reasonMissing'],
    [{ id: 99_999, version: 1 }, 'contentNotFound'],
  ])('%j is refused', async (given, reason) => {
    const administrator = await newAdministrator()
    expect(await administrator.refusalOf(saveNewsFeed, { ...NEW, ...given })).toBe(reason)
  })

  test('are set up by administrators only, and not with an outdated form', async () => {
    const [administrator, support] = [await newAdministrator(), await atDesk(server(), 'support')]
    expect(await support.refusalOf(saveNewsFeed, NEW)).toBe('roleRefused')
    expect(await support.refusalOf(fetchNewsFeed, { id: 1 })).toBe('roleRefused')
    expect(await administrator.refusalOf(fetchNewsFeed, { id: 99_999 })).toBe('contentNotFound')
    const off = { ...NEW, isOn: false }
    const saved = await administrator.request(saveNewsFeed, off)
    await administrator.request(saveNewsFeed, { ...off, ...saved, name: 'Other' })
    expect(await administrator.refusalOf(saveNewsFeed, { ...off, ...saved })).toBe('formOutdated')
    expect(await feedsOf()).toContainEqual(
      expect.objectContaining({ id: saved.id, name: 'Other', version: 2 }),
    )
  })
})
