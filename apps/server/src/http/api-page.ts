import compress from '@fastify/compress'
import { toJsonSchema, type Operation } from '@fairlot/contract'
import { registerErrors } from './errors.ts'
import { UNREAD_SCHEMAS } from './unread-schemas.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

const HIDDEN = { schema: { hide: true } }

/** A page that describes calls. */
export type ApiPage<E extends Operation> = {
  /** Such as `/docs`. */
  readonly path: string
  readonly title: string
  /** Read when somebody first asks for the page. */
  readonly endpoints: readonly E[]
  readonly needsToken: (endpoint: E) => boolean
  /** Who may make a call, where a token alone does not tell. */
  readonly callersOf?: (endpoint: E) => string
}

/**
 * An API page, made of the contract's own schemas. It is a server of its own that is made when somebody first asks for it: most servers
 * rest without one.
 */
export function registerApiPage<E extends Operation>(server: FastifyInstance, page: ApiPage<E>): void {
  let made: Promise<FastifyInstance> | null = null
  const show = async (request: FastifyRequest, reply: FastifyReply) => {
    const shown = await (made ??= makePage(page))
    reply.hijack()
    shown.routing(request.raw, reply.raw)
  }
  server.get(page.path, HIDDEN, show)
  server.get(`${page.path}/*`, HIDDEN, show)
  server.addHook('onClose', async () => (await made)?.close())
}

async function makePage<E extends Operation>({
  path,
  title,
  endpoints,
  needsToken,
  callersOf = () => '',
}: ApiPage<E>): Promise<FastifyInstance> {
  const [{ default: swagger }, { default: swaggerUi }] = await Promise.all([
    import('@fastify/swagger'),
    import('@fastify/swagger-ui'),
  ])
  const page = Fastify({ logger: false, schemaController: UNREAD_SCHEMAS })
  registerErrors(page)
  await page.register(compress, { threshold: 1024 })
  await page.register(swagger, {
    openapi: {
      info: {
        title,
        description: 'Every answer is an envelope: code, msg, data. Code 1 is success.',
        version: '1',
      },
      components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'authorization' } } },
    },
  })
  // The base layout has no bar with another project's mark. Our own content policy holds here as everywhere.
  await page.register(swaggerUi, { routePrefix: path, uiConfig: { layout: 'BaseLayout' } })
  // Only described: no request for them ever comes here.
  const handler = () => null
  for (const endpoint of endpoints)
    page.route({
      ...{ method: endpoint.method, url: endpoint.path, handler },
      schema: { ...describe(endpoint, needsToken(endpoint)), description: callersOf(endpoint) },
    })
  await page.ready()
  return page
}

/** Requests and answers are checked by their codecs; this is for readers. */
function describe(endpoint: Operation, needsToken: boolean): Record<string, unknown> {
  const { name, summary } = endpoint
  const request = toJsonSchema(endpoint.request)
  const isObject = request['type'] === 'object'
  return {
    operationId: name,
    summary,
    tags: [endpoint.path.split('/').at(-2) ?? 'api'],
    ...(needsToken && { security: [{ token: [] }] }),
    ...(isObject && { [partOf(endpoint)]: request }),
    response: { 200: envelopeSchema(toJsonSchema(endpoint.response)) },
  }
}

/** Where a call carries what it says. */
const partOf = ({ path, method }: Operation) => {
  if (path.includes('/:')) return 'params'
  return method === 'GET' ? 'querystring' : 'body'
}

const envelopeSchema = (data: Record<string, unknown>) => ({
  type: 'object',
  properties: { code: { type: 'integer' }, msg: { type: 'string' }, data },
})
