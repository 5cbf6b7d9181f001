import compress from '@fastify/compress'
import formbody from '@fastify/formbody'
import websocket from '@fastify/websocket'
import { SOCKET } from '@fairlot/contract'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Deployment } from './deployment.ts'
import { registerFunds } from './funds/routes.ts'
import { publishPrices } from './market/live-prices.ts'
import { registerMarket } from './market/routes.ts'
import { createApi, refused, sayOf } from './plugins/api.ts'
import { registerApiPage } from './plugins/api-page.ts'
import { registerErrors } from './plugins/errors.ts'
import { registerLimits } from './plugins/limits.ts'
import { refuse } from './plugins/refusal.ts'
import { registerSecurity } from './plugins/security.ts'
import { createSessions } from './plugins/sessions.ts'
import { registerSite } from './plugins/site.ts'
import { createSocketHub } from './plugins/socket-hub.ts'
import { registerSocket } from './plugins/socket.ts'
import { registerSession } from './session/routes.ts'
import { registerSettings } from './settings/routes.ts'
import { publishAccounts } from './trading/live-account.ts'
import { createOrderDesk } from './trading/order-desk.ts'
import { createOrderRepository } from './trading/order-repository.ts'
import { registerTrading } from './trading/routes.ts'
import { registerUser } from './user/routes.ts'
import { findUser } from './user/users.ts'

/** No request body of this API is longer. */
const BODY_BYTES_MAX = 64 * 1024

/** The HTTP server of a deployment: first the plugins, then the areas, all in one list. */
export async function buildApp(deployment: Deployment): Promise<FastifyInstance> {
  const { config, settings, database, engine, market } = deployment
  const { queries } = database
  const now = () => market.now()
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    trustProxy: config.trustProxy ?? false,
    logger:
      config.logLevel === 'silent'
        ? false
        : { level: config.logLevel, redact: ['req.headers.authorization'] },
    routerOptions: { maxParamLength: 200 },
  })
  // Requests and answers are checked by the contract's codecs; the schemas on the routes are for the API page.
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(() => (data) => JSON.stringify(data))
  registerErrors(server)
  registerLimits(server, {
    callsPerSecond: settings.calls_per_second,
    callsBurst: settings.calls_burst,
    handshakesPerSecond: settings.socket_handshakes_per_second,
  })
  await registerSecurity(server)
  await server.register(compress, { threshold: 1024 })
  await server.register(formbody)
  await server.register(websocket, {
    options: {
      maxPayload: SOCKET.frameBytesMax,
      perMessageDeflate: { threshold: 1024, serverNoContextTakeover: true },
    },
  })
  await registerApiPage(server)

  const sessions = createSessions(queries, now)
  const api = createApi(server, sessions)
  const hub = createSocketHub()
  registerSocket(server, { hub, sessions, publicUrl: config.publicUrl })

  registerSession(api, {
    queries,
    engine,
    sessions,
    findUser: (id) => findUser(queries, id),
    now,
    creditScore: settings.credit_score,
    demoAccountsPerHour: settings.demo_accounts_per_hour,
  })
  registerUser(api, queries)
  registerSettings(api, settings, { appMode: config.appMode, now })
  registerMarket(api, market)
  const names = (id: number) => {
    const listed = market.catalogue.byId.get(id)
    return { showCode: listed?.showCode ?? '', name: listed?.name ?? '' }
  }
  registerTrading(api, engine, createOrderDesk(engine, createOrderRepository(queries), names))
  registerFunds(api, engine, queries)

  const stopPrices = publishPrices(hub, engine, market)
  const stopAccounts = publishAccounts(hub, engine)
  server.addHook('onClose', async () => {
    stopPrices()
    stopAccounts()
  })

  server.get('/healthz', { schema: { hide: true } }, () => ({ status: 'alive' }))
  server.get('/readyz', { schema: { hide: true } }, (_request, reply) =>
    engine.isReady() ? { status: 'ready' } : reply.status(503).send({ status: 'not ready' }),
  )
  await registerSite(server)
  server.setNotFoundHandler((request, reply) => refused(reply, sayOf(request), refuse('unknownEndpoint')))
  return server
}
