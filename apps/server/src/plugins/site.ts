import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

/** The built trader app. */
const WEB_DIST = fileURLToPath(new URL('../../../web/dist/', import.meta.url))

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
export async function registerSite(server: FastifyInstance): Promise<void> {
  server.get('/manifest.json', { schema: { hide: true } }, (_request, reply) =>
    reply.type('application/manifest+json').send(MANIFEST),
  )
  if (!existsSync(WEB_DIST)) return
  await server.register(fastifyStatic, {
    root: WEB_DIST,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const isHashed = path.includes('/assets/')
      reply.header('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}
