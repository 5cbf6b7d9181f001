import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
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
  await server.register(swaggerUi, { routePrefix: '/docs', staticCSP: true })
}
