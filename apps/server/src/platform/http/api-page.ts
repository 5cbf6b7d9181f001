import compress from '@fastify/compress'
import { toJsonSchema, type Operation } from '@fairlot/contract'
import { registerErrors } from './errors.ts'
import { NO_SCHEMA_COMPILERS } from './no-schema-compilers.ts'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'

const HIDDEN = { schema: { hide: true } }

/** A page that documents endpoints. */
export type ApiPage<E extends Operation> = {
  /** Such as `/docs`. */
  readonly path: string
  readonly title: string
  /** Read at the first request for the page. */
  readonly endpoints: readonly E[]
  readonly needsToken: (endpoint: E) => boolean
  /** Describes who may call an endpoint, where a token alone does not say it. */
  readonly callersOf?: (endpoint: E) => string
}

/**
 * An API page, generated from the schemas of the contract. It is a separate Fastify instance, created at the first request
 * to save memory.
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
  const page = Fastify({ logger: false, schemaController: NO_SCHEMA_COMPILERS })
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
  // The base layout has no bar with the logo of Swagger. Our content security policy applies here, too.
  await page.register(swaggerUi, { routePrefix: path, uiConfig: { layout: 'BaseLayout' } })
  // The routes are documented only; requests are not sent to this instance.
  const handler = () => null
  for (const endpoint of endpoints)
    page.route({
      method: endpoint.method,
      url: endpoint.path,
      handler,
      schema: { ...describe(endpoint, needsToken(endpoint)), description: callersOf(endpoint) },
    })
  await page.ready()
  return page
}

/** For documentation only: the codecs check requests and answers. */
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

/** The part of a request that has its input. */
const partOf = ({ path, method }: Operation) => {
  if (path.includes('/:')) return 'params'
  return method === 'GET' ? 'querystring' : 'body'
}

const envelopeSchema = (data: Record<string, unknown>) => ({
  type: 'object',
  properties: { code: { type: 'integer' }, msg: { type: 'string' }, data },
})
