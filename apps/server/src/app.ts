import compress from '@fastify/compress'
import type { Posting } from '@fairlot/core'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Deployment } from './deployment.ts'
import { createAccountTotals, type TotalsBook } from './engine/account-totals.ts'
import { readHead } from './engine/journal.ts'
import { fundsOf, recordsOf } from './funds/records.ts'
import { registerFunds } from './funds/routes.ts'
import { createOutbox } from './mail/outbox.ts'
import { createPost, type Post } from './mail/post.ts'
import { createSmsSender } from './mail/sms.ts'
import { createSmtpSender } from './mail/smtp.ts'
import { publishPrices } from './market/live-prices.ts'
import { publishMarketState } from './market/live-state.ts'
import { registerMarket } from './market/routes.ts'
import { createApi, type Api } from './plugins/api.ts'
import { registerApiPage } from './plugins/api-page.ts'
import { registerBodies } from './plugins/body.ts'
import type { Config } from './plugins/config.ts'
import { answerBrokenRequest, answerError, registerErrors } from './plugins/errors.ts'
import { createGuard } from './plugins/guard.ts'
import { registerSecurity } from './plugins/security.ts'
import { createSessions, type Sessions } from './plugins/sessions.ts'
import { registerSite } from './plugins/site.ts'
import { createSocketHub, type SocketHub } from './plugins/socket-hub.ts'
import { registerSocket } from './plugins/socket.ts'
import { isUpgrade, registerWebsockets } from './plugins/websockets.ts'
import { registerSession } from './session/routes.ts'
import { registerSettings } from './settings/routes.ts'
import { createOrderDesk, type OrderDesk } from './trading/order-desk.ts'
import { createOrderRepository } from './trading/order-repository.ts'
import { publishPrivately } from './trading/private-stream.ts'
import { registerTrading } from './trading/routes.ts'
import { registerUser } from './user/routes.ts'
import { findUser } from './user/users.ts'

/** No request body of this API is longer. */
const BODY_BYTES_MAX = 64 * 1024
/** A request that is still not complete after this long is given up, ms. */
const REQUEST_WITHIN_MS = 30_000

const CHECK_REQUESTS_MS = 1_000

const HOUR_MS = 3_600_000
/** Old sessions are ended this often, ms; a call with one ends it at once. */
const EXPIRE_MS = 600_000

/** What a test may want to go faster. */
export type AppTiming = { readonly heartbeatMs?: number; readonly requestWithinMs?: number }

/** The HTTP server of a deployment: first the plugins, then the areas, all in one list. */
export async function buildApp(deployment: Deployment, timing: AppTiming = {}): Promise<FastifyInstance> {
  const { config, settings, engine, watch, market, onError } = deployment
  const { queries } = deployment.database
  const server = createServer(config, timing.requestWithinMs ?? REQUEST_WITHIN_MS)
  registerErrors(server)
  await registerSecurity(server)
  await server.register(compress, { threshold: 1024 })
  registerBodies(server)
  await server.register(formbody)
  registerWebsockets(server)
  await registerApiPage(server)

  const sessions = createSessions({
    ...{ queries, now: deployment.wallClock, onError },
    lifetimes: {
      idleMs: settings.session_idle_hours * HOUR_MS,
      absoluteMs: settings.session_hours * HOUR_MS,
    },
  })
  const expiring = setInterval(() => {
    sessions.endExpired().catch((error: unknown) => onError(error, 'ending old sessions'))
  }, EXPIRE_MS)
  const mail = openMail(deployment)
  const guard = createGuard(sessions, {
    callsPerSecond: settings.calls_per_second,
    callsBurst: settings.calls_burst,
    addressCallsPerSecond: settings.address_calls_per_second,
    addressCallsBurst: settings.address_calls_burst,
  })
  const totals = createAccountTotals(engine, queries)
  const desk = openDesk(deployment, totals)
  registerAreas(createApi(server, guard), deployment, {
    sessions,
    post: createPost(mail.outbox),
    desk,
    totals,
  })

  const hub = createSocketHub()
  registerSocket(server, {
    ...{ hub, guard, sessions, publicUrl: config.publicUrl },
    ...{
      handshakesPerSecond: settings.socket_handshakes_per_second,
      socketsPerAddress: settings.sockets_per_address,
    },
    heartbeatMs: timing.heartbeatMs,
  })
  const publishing = [
    publishPrices(hub, engine, market),
    publishMarketState(hub, engine),
    await publishChanges(hub, deployment, desk),
  ]
  server.addHook('onClose', async () => {
    for (const stop of publishing) stop()
    clearInterval(expiring)
    await mail.stop()
  })

  server.get('/healthz', { schema: { hide: true } }, () => ({ status: 'alive' }))
  server.get('/readyz', { schema: { hide: true } }, (_request, reply) => {
    if (!engine.isReady()) return reply.status(503).send({ status: 'not ready' })
    // What is wrong is for the operators to judge; trading goes on until they stop it.
    const violations = watch.violations()
    return { status: 'ready', ...(violations.length > 0 && { violations }) }
  })
  await registerSite(server)
  return server
}

function createServer(config: Config, requestWithinMs: number): FastifyInstance {
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestWithinMs,
    http: {
      ...{ shouldUpgradeCallback: isUpgrade, headersTimeout: requestWithinMs },
      // Who is over the time is looked for so often, ms.
      connectionsCheckingInterval: Math.min(CHECK_REQUESTS_MS, requestWithinMs),
    },
    // What comes on an open connection while the server closes is still answered in full.
    return503OnClosing: false,
    trustProxy: config.trustProxy === null ? false : [...config.trustProxy],
    logger:
      config.logLevel === 'silent'
        ? false
        : { level: config.logLevel, redact: ['req.headers.authorization'] },
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  // Requests and answers are checked by the contract's codecs; the schemas on the routes are for the API page.
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(() => (data) => JSON.stringify(data))
  return server
}

/** The outbox, and what takes its messages away where the deployment has it. */
function openMail({ config, database, wallClock, onError }: Deployment) {
  const smtp = config.smtpUrl === null ? null : createSmtpSender(config.smtpUrl, config.mailFrom)
  const senders = {
    email: smtp?.send ?? null,
    sms: config.smsUrl === null ? null : createSmsSender(config.smsUrl),
  }
  const outbox = createOutbox({ queries: database.queries, senders, now: wallClock, onError })
  const stop = async () => {
    await outbox.stop()
    smtp?.close()
  }
  return { outbox, stop }
}

/** Orders, called as the catalogue calls their instruments. */
function openDesk({ database, engine, market }: Deployment, totals: TotalsBook): OrderDesk {
  const namesOf = (id: number) => {
    const listed = market.catalogue.byId.get(id)
    return { showCode: listed?.showCode ?? '', name: listed?.name ?? '' }
  }
  return createOrderDesk(engine, createOrderRepository(database.queries), namesOf, totals)
}

/** The private stream shows orders and money as the calls of their areas do. */
async function publishChanges(
  hub: SocketHub,
  { database: { queries }, engine, onError }: Deployment,
  desk: OrderDesk,
): Promise<() => void> {
  const { seq: journalRow } = await readHead(queries)
  const views = {
    ordersOf: desk.several,
    fundsOf: (userId: number) => fundsOf(engine, userId),
    recordsOf: (userId: number, postings: readonly Posting[]) => recordsOf(engine, queries, userId, postings),
  }
  return publishPrivately({ hub, engine, journalRow, views, onError })
}

type AreaParts = {
  readonly sessions: Sessions
  readonly post: Post
  readonly desk: OrderDesk
  readonly totals: TotalsBook
}

function registerAreas(api: Api, deployment: Deployment, { sessions, post, desk, totals }: AreaParts): void {
  const { config, settings, engine, market } = deployment
  const { queries } = deployment.database
  const now = () => market.now()
  registerSession(api, {
    ...{ queries, engine, sessions, post, now: deployment.wallClock },
    findUser: (id) => findUser(queries, id),
    creditScore: settings.credit_score,
    registration: { mode: settings.registration_mode, check: settings.registration_check },
    areas: { mainArea: settings.main_area, blockedAreas: settings.blocked_areas },
    limits: {
      demoAccountsPerHour: settings.demo_accounts_per_hour,
      failedLoginsPerAddress: settings.failed_logins_per_address,
      failedLoginsPerAccount: settings.failed_logins_per_account,
      codesPerTarget: settings.codes_per_target,
      codesPerAddress: settings.codes_per_address,
      captchasPerAddress: settings.captchas_per_address,
    },
  })
  registerUser(api, queries)
  registerSettings(api, settings, {
    ...{ appMode: config.appMode, now },
    tradingMode: () => engine.state().mode,
    terms: () => market.catalogue.settings,
  })
  registerMarket(api, market)
  registerTrading(api, engine, desk)
  registerFunds(api, engine, queries, totals)
}
