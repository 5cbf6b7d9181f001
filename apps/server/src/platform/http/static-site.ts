import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { type DesktopHost, redirectDesktops } from './desktop-host.ts'
import { manifestIn, preferredLanguage } from './manifest.ts'
import { createFirstPage, type InitialPageDataOf, type FirstPage } from './first-page.ts'

/** The built web app. */
const WEB_DIST = fileURLToPath(new URL('../../../../web/dist', import.meta.url))

/** The page of the web app without the rendered screens, read once so that it fits the hashes of its scripts. */
export type SitePage = { readonly html: string; readonly scriptHashes: readonly string[] }

/** Null where the web app is not built. */
export function readSitePage(): SitePage | null {
  const path = `${WEB_DIST}/index.html`
  if (!existsSync(path)) return null
  const html = readFileSync(path, 'utf8')
  return { html, scriptHashes: scriptHashesOf(html) }
}

/** The scripts inside a page, as sources of a content security policy that allows them. */
export const scriptHashesOf = (html: string): string[] =>
  [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.+?)<\/script>/gs)].map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )

/** Serves the web app and its manifest. */
export async function registerSite(
  server: FastifyInstance,
  page: SitePage | null,
  initialPageData: InitialPageDataOf,
  live: { readonly desktopHost: DesktopHost },
): Promise<void> {
  redirectDesktops(server, live)
  server.get('/manifest.json', { schema: { hide: true } }, (request, reply) =>
    reply
      .type('application/manifest+json')
      .header('cache-control', 'no-cache')
      .header('vary', 'accept-language')
      .send(manifestIn(preferredLanguage(request.headers['accept-language']))),
  )
  if (page === null) return
  const firstPage = createFirstPage(initialPageData, page.html)
  if (firstPage) registerFirstPage(server, page, firstPage)
  await server.register(fastifyStatic, { root: WEB_DIST, ...BUILT_FILES })
}

/** Headers that concern a document, which a script, style sheet or font is not. They would be a third of a small file. */
const DOCUMENT_HEADERS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]

/**
 * How the files of a build are served: as compressed by the build, with Brotli where the browser accepts it, else with gzip. Files with
 * a hash in their name never change.
 */
export const BUILT_FILES = {
  preCompressed: true,
  cacheControl: false,
  setHeaders: (reply, path) => {
    const isHashed = path.includes('/assets/')
    reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    if (!/\.(?:css|js|woff2)(?:\.br|\.gz)?$/.test(path)) return
    for (const name of DOCUMENT_HEADERS) reply.removeHeader(name)
  },
} satisfies Partial<FastifyStaticOptions>

function registerFirstPage(server: FastifyInstance, { html }: SitePage, firstPage: FirstPage): void {
  server.addHook('onClose', firstPage.stop)
  server.get('/', { schema: { hide: true } }, async (request, reply) => {
    const langQuery = new URL(request.url, 'http://page').searchParams.get('lang')
    const { 'accept-language': acceptLanguage = '', 'accept-encoding': encodings = '' } = request.headers
    reply.type('text/html; charset=utf-8')
    // The page contains current prices, so it must not be cached.
    reply.header('cache-control', 'no-store').header('vary', 'accept-language, accept-encoding')
    try {
      const { text, brotli } = await firstPage.of({ langQuery, acceptLanguage })
      if (!/\bbr\b(?!\s*;)/.test(String(encodings))) return reply.send(text)
      return reply.header('content-encoding', 'br').send(brotli)
    } catch (error) {
      request.log.error({ err: error }, 'rendering the first page')
      // The app also works without rendered screens.
      return reply.send(html)
    }
  })
}
