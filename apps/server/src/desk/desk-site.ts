import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { BUILT_FILES } from '../platform/http/static-site.ts'

/** The built operators' desk. */
const DESK_DIST = fileURLToPath(new URL('../../../desk/dist', import.meta.url))

/** Serves the desk's pages under /desk. */
export async function registerDeskSite(server: FastifyInstance): Promise<void> {
  if (!existsSync(DESK_DIST)) return
  server.get('/desk', { schema: { hide: true } }, (_request, reply) => reply.redirect('/desk/'))
  await server.register(fastifyStatic, {
    root: DESK_DIST,
    prefix: '/desk/',
    decorateReply: false,
    ...BUILT_FILES,
  })
}
