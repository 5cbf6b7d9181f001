import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { createFirstPage, type FirstDataOf, type FirstPage } from './first-page.ts'

/** The built trader app. */
const WEB_DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url))

const MANIFEST = {
  name: 'Fairlot',
  short_name: 'Fairlot',
  description: 'Leveraged trading in which every fill can be checked',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#F5F3EE',
  theme_color: '#F5F3EE',
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
    { src: '/icon-maskable.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'maskable' },
  ],
}

/** Serves the trader app and its manifest. Files with a hash in their name never change. */
export async function registerSite(server: FastifyInstance, firstDataOf: FirstDataOf): Promise<void> {
  server.get('/manifest.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/manifest+json').send(MANIFEST),
  )
  if (!existsSync(WEB_DIST)) return
  const firstPage = createFirstPage(firstDataOf)
  if (firstPage) registerFirstPage(server, firstPage)
  await server.register(fastifyStatic, {
    root: WEB_DIST,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}

function registerFirstPage(server: FastifyInstance, firstPage: FirstPage): void {
  server.addHook('onClose', firstPage.stop)
  server.get('/', { schema: { hide: true } }, async (request, reply) => {
    const asked = new URL(request.url, 'http://page').searchParams.get('lang')
    // Prices of a moment: nobody keeps them.
    reply.header('cache-control', 'no-store').header('vary', 'accept-language')
    try {
      const page = await firstPage.of({ asked, acceptLanguage: request.headers['accept-language'] ?? '' })
      return reply.type('text/html; charset=utf-8').send(page)
    } catch (error) {
      request.log.error({ err: error }, 'rendering the first page')
      // Without rows the app still works.
      return reply.sendFile('index.html')
    }
  })
}
