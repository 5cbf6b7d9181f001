import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { toJsonSchema, type Endpoint } from '@fairlot/contract'
import type { FastifyInstance } from 'fastify'

/** The API page at /docs, made of the contract's own schemas. Register it before the routes. */
export async function registerApiPage(server: FastifyInstance): Promise<void> {
  await server.register(swagger, {
    openapi: {
      info: {
        title: 'Fairlot',
        description: 'Every answer is an envelope: code, msg, data. Code 1 is success.',
        version: '1',
      },
      components: { securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'authorization' } } },
    },
  })
  // The base layout has no bar with another project's mark. Our own content policy holds here as everywhere.
  await server.register(swaggerUi, { routePrefix: '/docs', uiConfig: { layout: 'BaseLayout' } })
}

/** An endpoint for the API page only: requests and answers are checked by their codecs. */
export function describe(endpoint: Endpoint): Record<string, unknown> {
  const { name, summary, access, method } = endpoint
  const request = toJsonSchema(endpoint.request)
  const isObject = request['type'] === 'object'
  return {
    operationId: name,
    summary,
    tags: [endpoint.path.split('/').at(-2) ?? 'api'],
    ...(access === 'visitor' ? {} : { security: [{ token: [] }] }),
    ...(isObject && { [method === 'GET' ? 'querystring' : 'body']: request }),
    response: { 200: envelopeSchema(toJsonSchema(endpoint.response)) },
  }
}

const envelopeSchema = (data: Record<string, unknown>) => ({
  type: 'object',
  properties: { code: { type: 'integer' }, msg: { type: 'string' }, data },
})
