import type { NewsRow } from '@fairlot/contract'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { call } from '../../testing/calls.ts'
import { DATABASES, serverOn } from '../../testing/running-server.ts'
import { FIRST_ITEMS, firstWording } from './first-news.ts'
import { parseFeed } from './import/parse-feed.ts'
import { rssOf } from './rss.ts'

const ROW: NewsRow = {
  id: 7,
  category: 'market',
  title: 'T',
  summary: 'S',
  language: 'en',
  picture: '/files/abc.webp',
  isPinned: false,
  publishedAt: Date.UTC(2026, 0, 7, 12),
}
const PLACE = { language: 'en', origin: 'https://fairlot.example' } as const

/** What a reader shows that treats the text of an element as HTML, which must not contain a tag. */
function shownAsHtml(html: string): string {
  expect(html).not.toContain('<')
  return html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
}

test('the feed is well-formed and correct for any title and summary', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (title) => {
      const xml = rssOf([{ ...ROW, title: `x${title}x`, summary: `x${title}x` }], PLACE)
      expect(XMLValidator.validate(xml)).toBe(true)
      const [item] = parseFeed(xml) ?? []
      expect(item?.html).toBe(item?.title)
      const shown = shownAsHtml(item?.title ?? '')
      const kept = title.replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '')
      // XML normalizes line ends.
      expect(shown.replace(/\r\n?/g, '\n')).toBe(`x${kept}x`.replace(/\r\n?/g, '\n'))
    }),
    { numRuns: 60 },
  )
})

test('a title is never markup, not even to a reader that treats it as HTML', () => {
  const title = ']]></title><script>x()</script><![CDATA[ &lt;img onerror=x()&gt; & < > &#60;b'
  const [item] = parseFeed(rssOf([{ ...ROW, title, summary: title }], PLACE)) ?? []
  expect(item).toMatchObject({
    link: 'https://fairlot.example/#/news/detail?id=7',
    at: ROW.publishedAt,
    picture: 'https://fairlot.example/files/abc.webp',
  })
  expect([item?.title, item?.html].map((html) => shownAsHtml(html ?? ''))).toEqual([title, title])
})

test.each(['S&P 500 and R&D at AT&T', 'Gold & silver', '1 & 2'])('%j is unchanged in the feed', (title) => {
  expect(parseFeed(rssOf([{ ...ROW, title }], PLACE))?.[0]?.title).toBe(title)
})

describe.each(DATABASES)('the RSS feed of a server, %s', (kind) => {
  const server = serverOn(kind, { env: { PUBLIC_URL: 'https://fairlot.example' } })

  test('contains the latest news in the requested language', async () => {
    const english = await call(server(), '/rss.xml')
    expect(english.headers['content-type']).toBe('application/rss+xml; charset=utf-8')
    expect(XMLValidator.validate(english.text)).toBe(true)
    expect(parseFeed(english.text)?.map(({ title }) => title)).toEqual(
      FIRST_ITEMS.map((item) => firstWording(item, 'en').title),
    )
    const chinese = await call(server(), '/rss.xml?lang=hk')
    const { rss } = new XMLParser().parse(chinese.text) as { rss: { channel: Record<string, unknown> } }
    expect(rss.channel).toMatchObject({ language: 'zh-HK', link: 'https://fairlot.example/#/news' })
    for (const odd of ['/rss.xml?lang=%00', '/rss.xml?lang=a&lang=b', '/rss.xml?lang=']) {
      const answer = await call(server(), odd)
      expect([answer.status, XMLValidator.validate(answer.text)]).toEqual([200, true])
    }
  })
})
