import { type LanguageCode, type NewsPage, RSS_PATH } from '@fairlot/contract'
import type { FastifyInstance } from 'fastify'
import type { Queries } from '../database/open.ts'
import { tagOf, languageCodeOf } from '../i18n/translate.ts'
import { xml as xmlPackage } from '../load-when-needed.ts'
import { newsPageOf } from './shown-news.ts'

/** Readers of feeds come often and all at once; an answer this old is new enough, ms. */
const KEPT_MS = 60_000

type Options = {
  readonly queries: Queries
  /** Real time, epoch ms. */
  readonly now: () => number
  /** Under which address people know this server; null for that of the request. */
  readonly publicUrl: string | null
}

/** The latest news and announcements as RSS 2.0, for anybody; `?lang=` asks for a language, English without it. */
export function registerRss(server: FastifyInstance, { queries, now, publicUrl }: Options): void {
  const kept = new Map<string, { readonly at: number; readonly xml: Promise<string> }>()
  const feedOf = (language: LanguageCode, origin: string): Promise<string> => {
    const name = `${language} ${origin}`
    const known = kept.get(name)
    if (known && now() - known.at < KEPT_MS) return known.xml
    // By the host of the request: whoever makes hosts up keeps no more than these.
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
        .header('cache-control', `public, max-age=${KEPT_MS / 1_000}`)
        .type('application/rss+xml; charset=utf-8')
        .send(xml)
    },
  )
}

const FORM = { ignoreAttributes: false, attributeNamePrefix: '@', format: true }

type Place = { readonly language: LanguageCode; readonly origin: string }

/** A feed of these items; addresses in it are whole. */
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
      ...{ '@rel': 'self', '@type': 'application/rss+xml' },
    },
    item: items.map(({ id, title, summary, category, publishedAt, picture }) => ({
      ...{ title: lawful(title), link: `${origin}/#/news/detail?id=${id}` },
      guid: { '@isPermaLink': 'false', '#text': `${origin}/news/${id}` },
      ...{ description: lawful(summary), category, pubDate: new Date(publishedAt).toUTCString() },
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

/** Letters that no XML may hold, however they are written, and halves of letters. */
const UNLAWFUL = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu
const lawful = (text: string): string => text.replace(UNLAWFUL, '')
