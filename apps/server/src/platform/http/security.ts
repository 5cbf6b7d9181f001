import helmet from '@fastify/helmet'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refused, translatorOf } from './api.ts'
import { refuse } from '../refusal.ts'

/** Refuses a request with two Host headers, which two servers could interpret differently (request smuggling). */
function refuseTwoHosts(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  const { rawHeaders } = request.raw
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  }
  if (hosts <= 1) return next()
  refused(reply.header('connection', 'close'), translatorOf(request), refuse('malformed'))
}

type HeaderValues = Map<string, number | string | readonly string[]>

/** The headers of a response that were set or changed since it had those of `before`. */
const headersSince = (before: OutgoingHttpHeaders, response: ServerResponse): HeaderValues =>
  new Map(
    Object.entries(response.getHeaders()).flatMap(([name, value]) =>
      value === undefined || value === before[name] ? [] : [[name, value] as const],
    ),
  )

/**
 * Sets security headers and refuses requests with two Host headers. `frameSource` returns the only origin whose pages
 * may be shown in a frame of ours (CSP `frame-src`); null for none. `scriptHashes` are the scripts inside the page that may run.
 */
export async function registerSecurity(
  server: FastifyInstance,
  frameSource: () => string | null,
  scriptHashes: readonly string[] = [],
): Promise<void> {
  await server.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scriptHashes],
        // Charts and sheets set sizes and positions through style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        frameSrc: [() => frameSource() ?? "'none'"],
        frameAncestors: ["'none'"],
        // This server speaks plain HTTP: without a proxy, an upgraded request would find no TLS.
        upgradeInsecureRequests: null,
      },
    },
    // Only the proxy that terminates TLS knows whether every later visit to the host can use it.
    strictTransportSecurity: false,
  })
  // The headers are cached, because creating them for each answer took a tenth of the time of an order.
  let cached: { readonly frameSource: string | null; readonly headers: HeaderValues } | null = null
  server.addHook('onRequest', (_request, reply, next) => {
    const current = frameSource()
    if (cached?.frameSource === current) {
      // On the raw response, because the API page answers without `reply`.
      reply.raw.setHeaders(cached.headers)
      return next()
    }
    const before = reply.raw.getHeaders()
    reply.helmet()
    // Other hooks may have set headers that belong to this request only.
    cached = { frameSource: current, headers: headersSince(before, reply.raw) }
    next()
  })
  // After the headers, so that its refusal has them, too.
  server.addHook('onRequest', refuseTwoHosts)
}
