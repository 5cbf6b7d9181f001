import { type LanguageCode, type NewsPage, RSS_PATH } from '@fairlot/contract'
import type { FastifyInstance } from 'fastify'
import type { Queries } from '../../platform/database/open.ts'
import { tagOf, languageCodeOf } from '../../platform/i18n/translate.ts'
import { xml as xmlPackage } from '../../platform/lazy-packages.ts'
import { newsPageOf } from './published-news.ts'

/** How long an answer is cached, as feed readers call often and all at once, ms. */
const CACHE_MS = 60_000

type Options = {
  readonly queries: Queries
  /** Real time, epoch ms. */
  readonly now: () => number
  /** The public address of this server; null for that of the request. */
  readonly publicUrl: string | null
}

/** The latest news and announcements as RSS 2.0; `?lang=` selects a language, English by default. */
export function registerRss(server: FastifyInstance, { queries, now, publicUrl }: Options): void {
  const kept = new Map<string, { readonly at: number; readonly xml: Promise<string> }>()
  const feedOf = (language: LanguageCode, origin: string): Promise<string> => {
    const name = `${language} ${origin}`
    const known = kept.get(name)
    if (known && now() - known.at < CACHE_MS) return known.xml
    // Bounded, as the key contains the request's host, which clients can invent.
    if (kept.size > 100) kept.clear()
    const page = newsPageOf(queries, { category: 'all', page: 1 }, { language, at: now() })
    const xml = page.then(({ items }) => rssOf(items, { language, origin }))
    kept.set(name, { at: now(), xml })
    xml.catch(() => kept.delete(name))
    return xml
  }
  server.get<{ Querystring: { lang?: string | string[] } }>(
    RSS_PATH,
    { schema: { hide: true } },
    async (request, reply) => {
      const { lang } = request.query
      const language = lang === undefined ? 'en' : languageCodeOf(lang)
      const origin = publicUrl?.replace(/\/+$/, '') ?? `${request.protocol}://${request.host}`
      const xml = await feedOf(language, origin)
      return reply
        .header('cache-control', `public, max-age=${CACHE_MS / 1_000}`)
        .type('application/rss+xml; charset=utf-8')
        .send(xml)
    },
  )
}

const FORM = { ignoreAttributes: false, attributeNamePrefix: '@', format: true }

type Place = { readonly language: LanguageCode; readonly origin: string }

/** An RSS feed of these items, with absolute addresses. */
export function rssOf(items: NewsPage['items'], { language, origin }: Place): string {
  const latest = Math.max(0, ...items.map(({ publishedAt }) => publishedAt))
  const channel = {
    title: 'Fairlot',
    link: `${origin}/#/news`,
    description: 'News and announcements',
    language: tagOf(language),
    ...(latest > 0 && { lastBuildDate: new Date(latest).toUTCString() }),
    'atom:link': {
      '@href': `${origin}${RSS_PATH}?lang=${language}`,
      '@rel': 'self',
      '@type': 'application/rss+xml',
    },
    item: items.map(({ id, title, summary, category, publishedAt, picture }) => ({
      title: asHtml(withoutInvalid(title)),
      link: `${origin}/#/news/detail?id=${id}`,
      guid: { '@isPermaLink': 'false', '#text': `${origin}/news/${id}` },
      description: asHtml(withoutInvalid(summary)),
      category,
      pubDate: new Date(publishedAt).toUTCString(),
      ...(picture !== '' && { 'media:thumbnail': { '@url': `${origin}${picture}` } }),
    })),
  }
  const names = {
    '@version': '2.0',
    '@xmlns:atom': 'http://www.w3.org/2005/Atom',
    '@xmlns:media': 'http://search.yahoo.com/mrss/',
  }
  const declared = { '?xml': { '@version': '1.0', '@encoding': 'UTF-8' } }
  const { XMLBuilder } = xmlPackage()
  return new XMLBuilder(FORM).build({ ...declared, rss: { ...names, channel } })
}

/** Characters that are invalid in XML even if escaped, and lone surrogates. */
const INVALID_IN_XML = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu
const withoutInvalid = (text: string): string => text.replace(INVALID_IN_XML, '')

/**
 * Escapes text as HTML: feed readers treat title and description as HTML, where plain text could become markup. An
 * ampersand that is not part of an HTML entity stays, for readers that show titles as plain text, such as "S&P".
 */
const asHtml = (text: string): string =>
  text
    .replace(/&(?=#|[a-z]{2})/gi, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
