import { CONTENT_LENGTH } from '@fairlot/contract/desk'
import { expect, test } from 'vitest'
import { feedText, parseFeed, textOfXml } from './parse-feed.ts'

const rss = (items: string, head = '') =>
  `<?xml version="1.0"?>${head}<rss version="2.0" xmlns:content="c" xmlns:media="m"><channel><title>T</title>${items}</channel></rss>`

test('reads RSS with escaped and quoted HTML, dates and pictures', () => {
  const items = parseFeed(
    rss(`
      <item><guid isPermaLink="false">a1</guid><title>Gold &amp;amp; silver &#8211; up</title><link>https://news.example/1</link>
        <description>&lt;p&gt;Short&lt;/p&gt;</description><content:encoded><![CDATA[<p>Long &amp; wide</p>]]></content:encoded>
        <pubDate>Wed, 07 Jan 2026 12:00:00 GMT</pubDate><enclosure url="/a.png" type="image/png" length="1"/></item>
      <item><title>No link</title><pubDate>yesterday</pubDate><media:thumbnail url="https://news.example/t.jpg"/></item>
      <item><guid>untitled</guid></item>`),
  )
  expect(items).toEqual([
    {
      key: 'a1',
      title: 'Gold &amp; silver – up',
      link: 'https://news.example/1',
      html: '<p>Long &amp; wide</p>',
      at: Date.UTC(2026, 0, 7, 12),
      picture: '/a.png',
    },
    { key: 'No link', title: 'No link', link: '', html: '', at: null, picture: 'https://news.example/t.jpg' },
  ])
})

test('reads Atom, and refuses what is not a feed', () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><entry><id>urn:1</id><title type="html">A</title>
    <link rel="self" href="https://x.example/self"/><link href="https://x.example/1"/><updated>2026-01-07T12:00:00Z</updated>
    <content type="html">&lt;b&gt;B&lt;/b&gt;</content></entry></feed>`
  expect(parseFeed(atom)).toEqual([
    {
      key: 'urn:1',
      title: 'A',
      link: 'https://x.example/1',
      html: '<b>B</b>',
      at: Date.UTC(2026, 0, 7, 12),
      picture: '',
    },
  ])
  expect(parseFeed(rss(''))).toEqual([])
  for (const other of ['', '{}', '<html><p>x</html>', '<rss><channel>', '<a/>', '\u0000', '<__proto__/>'])
    expect(parseFeed(other)).toBeNull()
})

test('refuses documents that declare entities', () => {
  const lol = Array.from({ length: 9 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`).join('')
  const bomb = `<!DOCTYPE rss [<!ENTITY l0 "lol">${lol}]>`
  expect(parseFeed(rss('<item><title>&l9;</title></item>', bomb))).toBeNull()
  const reads = '<!DOCTYPE rss [<!ENTITY file SYSTEM "file:///etc/passwd">]>'
  expect(parseFeed(rss('<item><title>&file;</title></item>', reads))).toBeNull()
  expect(parseFeed(rss(`${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`))).toBeNull()
})

test('reads the first 100 items, with escaped markup of any length', () => {
  const item = `<item><title>T</title><description>${'&lt;b&gt;x&lt;/b&gt;'.repeat(500)}</description></item>`
  const items = parseFeed(rss(item.repeat(150))) ?? []
  expect([items.length, items[99]?.html.length]).toEqual([100, 4_000])
})

test('decodes by the charset of the type, else by that of the document', () => {
  const bytes = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?><a>\u00e9</a>', 'latin1')
  expect(textOfXml(bytes, 'text/xml')).toContain('é')
  expect(textOfXml(Buffer.from('黃金'), 'text/xml; charset=utf-8')).toBe('黃金')
  expect(textOfXml(Buffer.from('x'), 'text/xml; charset=made-up')).toBe('x')
})

test('turns an item into a sanitized text with a link to its source', () => {
  const hostile =
    '<p onclick="x()">Hi<script>x()</script> <b>you</b></p><img src="https://spy.example/1.gif"><iframe src="/"></iframe>'
  const item = { key: '1', link: 'https://news.example/?a=1&b="2', at: null, picture: '' }
  const text = feedText({ ...item, title: 'A <i>title</i> &amp; more', html: hostile }, 'A & <b>B</b>')
  expect(text).toEqual({
    title: 'A title & more',
    summary: 'Hi you',
    body: '<p>Hi <strong>you</strong></p><p><a href="https://news.example/?a=1&amp;b=%222" rel="noopener noreferrer nofollow">A &amp; &lt;b&gt;B&lt;/b&gt;</a></p>',
  })
  expect(feedText({ ...item, title: '<b></b> ', html: 'x' }, 'N')).toBeNull()
  expect(feedText({ ...item, link: 'javascript:x()', title: 'T', html: '' }, 'N')?.body).not.toContain(
    'javascript',
  )
})

test('keeps the cells of a table and the items of a list apart, in the summary too', () => {
  const item = { key: '1', title: 'T', link: 'https://n.example/1', at: null, picture: '' }
  const html = '<table><tr><td>10</td><td>1500.50</td></tr></table><ul><li>20</li><li>30</li></ul>'
  const text = feedText({ ...item, html }, 'N')
  expect(text?.summary).toBe('10 1500.50 20 30')
  expect(text?.body).toContain('<td>10</td><td>1500.50</td>')
})

test('shortens long texts without splitting a character', () => {
  const item = { key: '1', link: '', at: null, picture: '' }
  const text = feedText({ ...item, title: '🦉'.repeat(200), html: '<p>'.concat('x'.repeat(50_000)) }, 'N')
  expect(text?.title.length).toBeLessThanOrEqual(CONTENT_LENGTH.title)
  expect(text?.title.isWellFormed()).toBe(true)
  expect(text?.summary.length).toBeLessThanOrEqual(CONTENT_LENGTH.summary)
  expect(text?.body.length).toBeLessThan(1_000)
})
