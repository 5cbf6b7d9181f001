import type { FastifyInstance } from 'fastify'
import type { Deployment } from './deployment.ts'

/** `/healthz`: whether the process runs. `/readyz`: whether it can accept orders. */
export function registerHealth(server: FastifyInstance, { engine, watch }: Deployment): void {
  server.get('/healthz', { schema: { hide: true } }, () => ({ status: 'alive' }))
  server.get('/readyz', { schema: { hide: true } }, (_request, reply) => {
    if (!engine.isReady()) return reply.status(503).send({ status: 'not ready' })
    // Trading continues with a broken invariant until the operators stop it.
    const violations = watch.violations()
    return { status: 'ready', ...(violations.length > 0 && { violations }) }
  })
}
