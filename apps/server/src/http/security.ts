import helmet from '@fastify/helmet'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refused, translatorOf } from './api.ts'
import { refuse } from './refusal.ts'

/** Who is asked for must be said once: two answers to it are how one server is made to see another request than the next. */
function refuseTwoHosts(request: FastifyRequest, reply: FastifyReply, next: () => void): void {
  const { rawHeaders } = request.raw
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts += 1
  }
  if (hosts <= 1) return next()
  refused(reply.header('connection', 'close'), translatorOf(request), refuse('malformed'))
}

/** Response headers: nothing from elsewhere runs on our pages. `framed`: the one origin whose page may stand in a frame of ours; null for none. */
export async function registerSecurity(server: FastifyInstance, framed: () => string | null): Promise<void> {
  server.addHook('onRequest', refuseTwoHosts)
  // They are the same for every answer: made anew for each, they were a tenth of what an order costs.
  await server.register(helmet, {
    global: false,
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // Charts and sheets set sizes and positions through style attributes.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        frameSrc: [() => framed() ?? "'none'"],
        frameAncestors: ["'none'"],
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: false,
  })
  let made: { readonly framed: string | null; readonly headers: Map<string, string> } | null = null
  server.addHook('onRequest', (_request, reply, next) => {
    const origin = framed()
    if (made?.framed === origin) {
      // Not by `reply.headers`: what is answered past it, such as the API page, has them too.
      reply.raw.setHeaders(made.headers)
      return next()
    }
    reply.helmet()
    const headers = Object.entries(reply.raw.getHeaders()).map(
      ([name, value]) => [name, String(value)] as const,
    )
    made = { framed: origin, headers: new Map(headers) }
    next()
  })
}
