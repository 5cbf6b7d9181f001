import compress from '@fastify/compress'
import type { Posting } from '@fairlot/core'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Deployment } from './deployment.ts'
import { createAccountTotals, type TotalsBook } from './engine/projection/account-totals.ts'
import { readHead } from './engine/journal/journal.ts'
import type { Pictures } from './files/pictures.ts'
import { createIntake } from './files/intake.ts'
import { registerPublicPictures } from './files/public-pictures.ts'
import { registerFiles } from './files/routes.ts'
import { fundsOf, recordsOf } from './funds/records.ts'
import { registerPayments } from './funds/payment-routes.ts'
import { registerFunds } from './funds/routes.ts'
import { openPictures, settleDrafts } from './open-pictures.ts'
import { framedOrigin, openChat, publishChat, registerChat } from './open-support.ts'
import { openStatements } from './open-statements.ts'
import { createNotifier } from './notifications/notifier.ts'
import { publishPrices } from './market/price-publisher.ts'
import { publishMarketState } from './market/market-state-publisher.ts'
import { firstDataOf, registerMarket } from './market/routes.ts'
import { registerWatchList } from './market/watch-list.ts'
import { createApi, type Api } from './http/api.ts'
import { registerApiPage } from './http/api-page.ts'
import { registerBodies } from './http/body-parser.ts'
import type { Config } from './config/config.ts'
import { UPLOAD_WITHIN_MS } from './http/file-upload.ts'
import { answerBrokenRequest, answerError, registerErrors } from './http/errors.ts'
import { createGuard } from './http/access-guard.ts'
import type { Log } from './http/log.ts'
import { openMail } from './open-mail.ts'
import { openNotices, ordersById } from './open-notices.ts'
import { registerSecurity } from './http/security.ts'
import { UNREAD_SCHEMAS } from './http/unread-schemas.ts'
import { createSessions, type Sessions } from './http/login-sessions.ts'
import { registerSite } from './http/static-site.ts'
import { createSocketHub, type SocketHub } from './websocket/socket-hub.ts'
import { registerSocket } from './websocket/socket-routes.ts'
import { isUpgrade, registerWebsockets } from './websocket/websockets.ts'
import { registerAuth, type AuthForOthers } from './auth/routes.ts'
import { registerDesk } from './desk/desk.ts'
import type { TraderParts } from './desk/desk-services.ts'
import { registerIdentity } from './identity/routes.ts'
import { createSentSignal } from './identity/sent-signal.ts'
import { registerDirectory } from './company/routes.ts'
import { createConsent } from './legal/consent.ts'
import { registerLegal } from './legal/routes.ts'
import { registerInvitations } from './invite/routes.ts'
import { rememberNewsSeen } from './news/news-seen.ts'
import { registerNews } from './news/routes.ts'
import { newsTitles } from './news/shown-news.ts'
import { registerRss } from './news/rss.ts'
import { settingsNamed } from './settings/app-settings.ts'
import { openBasicInfo } from './open-basic-info.ts'
import { registerSettings, type BasicInfoOf } from './settings/routes.ts'
import { createOrderQueries, type OrderQueries } from './trading/order-queries.ts'
import { createOrderRepository } from './trading/order-repository.ts'
import { publishPrivately, type PrivateStream } from './trading/private-stream.ts'
import { registerTrading } from './trading/routes.ts'
import { openOwnData } from './open-own-data.ts'
import { registerNotices } from './user/notice-routes.ts'
import { findUser, registerUser } from './user/routes.ts'

/** No request body of this API is longer. */
const BODY_BYTES_MAX = 64 * 1024
/** A header that is still not complete after this long is given up, ms. */
const HEADER_WITHIN_MS = 30_000
/** And so is any request. Calls end their bodies sooner, all but an upload: the picture on a slow line has its own time. */
const REQUEST_WITHIN_MS = UPLOAD_WITHIN_MS + 5_000
const CHECK_REQUESTS_MS = 1_000
const HOUR_MS = 3_600_000
/** Old sessions are ended this often, ms; a call with one ends it at once. */
const EXPIRE_MS = 600_000

/** What a test may want to go faster. */
export type AppTiming = { readonly heartbeatMs?: number; readonly requestWithinMs?: number }

type AppOptions = AppTiming & { readonly log: Log }

/** The HTTP server of a deployment: first what all routes share, then the areas. */
export async function buildApp(deployment: Deployment, options: AppOptions): Promise<FastifyInstance> {
  const { config, settings, engine, market } = deployment
  const { queries } = deployment.database
  const server = createServer(config, options)
  registerErrors(server)
  await registerSecurity(server, () => framedOrigin(settings))
  await server.register(compress, { threshold: 1024 })
  registerBodies(server)
  await server.register(formbody)
  registerWebsockets(server)

  const sessions = openSessions(server, deployment)
  const mail = openMail(deployment)
  const notifier = createNotifier(mail.outbox)
  const guard = createGuard(
    sessions,
    settingsNamed(settings, {
      ...{ callsPerSecond: 'calls_per_second', callsBurst: 'calls_burst' },
      ...{ addressCallsPerSecond: 'address_calls_per_second', addressCallsBurst: 'address_calls_burst' },
    }),
  )
  const totals = createAccountTotals(engine, queries)
  const orderQueries = openOrderQueries(deployment, totals)
  const api = createApi(server, guard)
  registerApiPage(server, {
    ...{ path: '/docs', title: 'Fairlot', endpoints: api.endpoints },
    needsToken: ({ access }) => access !== 'visitor',
  })
  const pictures = openPictures(server, deployment)
  await settleDrafts(server, deployment, pictures)
  const takeIn = createIntake(settingsNamed(settings, { uploadsPerHour: 'uploads_per_hour' }))
  const statements = openStatements(deployment)
  const parts = {
    ...{ sessions, notifier, outbox: mail.outbox, orderQueries, totals, pictures, takeIn, statements },
    chat: openChat(deployment, pictures),
  }
  const sent = createSentSignal()
  const basicInfoOf = openBasicInfo(deployment)
  const auth = registerAreas(api, deployment, { ...parts, basicInfoOf, onSent: sent.tell })
  await openOwnData({ server, api }, deployment, parts, auth)

  const hub = createSocketHub()
  registerSocket(server, {
    ...{ hub, guard, sessions, publicUrl: config.publicUrl },
    limits: settingsNamed(settings, {
      ...{ handshakesPerSecond: 'socket_handshakes_per_second', socketsPerAddress: 'sockets_per_address' },
    }),
    heartbeatMs: options.heartbeatMs,
  })
  const stream = await publishChanges(hub, deployment, orderQueries)
  const publishing = [publishPrices(hub, engine, market), publishMarketState(hub, deployment), stream.stop]
  const { contactOf } = auth
  publishing.push(publishChat({ ...parts, stream, hub, contactOf }, deployment))
  const notices = await openNotices(deployment, { notifier, contactOf, orderQueries, stream })
  server.addHook('onClose', async () => {
    for (const stop of publishing) stop()
    await notices.stop()
    await mail.stop()
  })

  registerHealth(server, deployment)
  registerForReaders(server, deployment, pictures)
  await registerSite(server, firstDataOf(market, basicInfoOf))
  await registerDesk(server, deployment, { ...parts, onSent: sent.listen, notices })
  return server
}

function openSessions(
  server: FastifyInstance,
  { database: { queries }, settings, wallClock: now, onError }: Deployment,
): Sessions {
  const sessions = createSessions({
    ...{ queries, now, onError },
    lifetimes: {
      get idleMs() {
        return settings.session_idle_hours * HOUR_MS
      },
      get absoluteMs() {
        return settings.session_hours * HOUR_MS
      },
    },
  })
  const expiring = setInterval(() => {
    sessions.endExpired().catch((error: unknown) => onError(error, 'ending old sessions'))
  }, EXPIRE_MS)
  server.addHook('onClose', async () => clearInterval(expiring))
  return sessions
}

/** What anybody may fetch beside the API: pictures of texts, and the news as a feed. */
function registerForReaders(server: FastifyInstance, deployment: Deployment, pictures: Pictures): void {
  const { config, database, wallClock: now } = deployment
  registerPublicPictures(server, pictures)
  registerRss(server, { queries: database.queries, now, publicUrl: config.publicUrl })
}

/** Whether the process lives, and whether it can work. */
function registerHealth(server: FastifyInstance, { engine, watch }: Deployment): void {
  server.get('/healthz', { schema: { hide: true } }, () => ({ status: 'alive' }))
  server.get('/readyz', { schema: { hide: true } }, (_request, reply) => {
    if (!engine.isReady()) return reply.status(503).send({ status: 'not ready' })
    // What is wrong is for the operators to judge; trading goes on until they stop it.
    const violations = watch.violations()
    return { status: 'ready', ...(violations.length > 0 && { violations }) }
  })
}

function createServer(
  config: Config,
  { log, requestWithinMs = REQUEST_WITHIN_MS }: AppOptions,
): FastifyInstance {
  return Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestWithinMs,
    http: {
      ...{ shouldUpgradeCallback: isUpgrade, headersTimeout: Math.min(HEADER_WITHIN_MS, requestWithinMs) },
      // Who is over the time is looked for so often, ms.
      connectionsCheckingInterval: Math.min(CHECK_REQUESTS_MS, requestWithinMs),
    },
    // What comes on an open connection while the server closes is still answered in full.
    return503OnClosing: false,
    schemaController: UNREAD_SCHEMAS,
    trustProxy: config.trustProxy === null ? false : [...config.trustProxy],
    loggerInstance: log,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
}

/** Orders, with the names of their instruments. */
function openOrderQueries({ database, engine, market }: Deployment, totals: TotalsBook): OrderQueries {
  const namesOf = (id: number) => {
    const listed = market.registry.byId.get(id)
    return { showCode: listed?.showCode ?? '', name: listed?.name ?? '', logo: listed?.logo ?? '' }
  }
  return createOrderQueries(engine, createOrderRepository(database.queries), namesOf, totals)
}

/** The private stream shows orders and money as the calls of their areas do. */
async function publishChanges(
  hub: SocketHub,
  { database: { queries }, engine, onError }: Deployment,
  orderQueries: OrderQueries,
): Promise<PrivateStream> {
  const { seq: journalRow } = await readHead(queries)
  const views = {
    ordersOf: orderQueries.several,
    fundsOf: (userId: number) => fundsOf(engine, userId),
    recordsOf: (userId: number, postings: readonly Posting[]) => recordsOf(engine, queries, userId, postings),
  }
  return publishPrivately({ hub, engine, journalRow, views, onError })
}

function registerAreas(
  api: Api,
  deployment: Deployment,
  {
    sessions,
    notifier,
    orderQueries,
    totals,
    pictures,
    takeIn,
    statements,
    chat,
    basicInfoOf,
    onSent,
  }: TraderParts & { readonly basicInfoOf: BasicInfoOf; readonly onSent: () => void },
): AuthForOthers {
  const { config, settings, engine, market, onError } = deployment
  const { queries } = deployment.database
  const now = () => market.now()
  const auth = registerAuth(api, {
    ...{ queries, engine, sessions, notifier, onError, vault: deployment.vault },
    now: deployment.wallClock,
    findUser: (id) => findUser(queries, id),
    consent: createConsent(queries, deployment.wallClock),
    creditScore: () => settings.credit_score,
    registration: settingsNamed(settings, { mode: 'registration_mode', check: 'registration_check' }),
    areas: settingsNamed(settings, { mainArea: 'main_area', blockedAreas: 'blocked_areas' }),
    limits: settingsNamed(settings, {
      ...{ demoAccountsPerHour: 'demo_accounts_per_hour', captchasPerAddress: 'captchas_per_address' },
      failedLoginsPerAddress: 'failed_logins_per_address',
      failedLoginsPerAccount: 'failed_logins_per_account',
      ...{ codesPerTarget: 'codes_per_target', codesPerAddress: 'codes_per_address' },
    }),
  })
  registerUser(api, { queries, engine, now: deployment.wallClock })
  registerNotices(api, {
    ...{ queries, engine, now: deployment.wallClock, ordersOf: ordersById(orderQueries) },
    newsOf: (ids, language) => newsTitles(queries, ids, language),
    rememberNewsSeen: (userId, at) => rememberNewsSeen(queries, userId, at),
  })
  registerLegal(api, queries, deployment.wallClock)
  registerNews(api, queries, deployment.wallClock)
  registerInvitations(api, queries)
  registerDirectory(api, queries, config.appMode, settingsNamed(settings, { lossHosts: 'loss_hosts' }))
  registerSettings(api, settings, basicInfoOf)
  registerMarket(api, market, { queries, engine })
  registerWatchList(api, queries, market.registry)
  registerTrading(api, engine, orderQueries)
  registerFunds(api, { engine, queries, totals, statements, now })
  registerFiles(api, pictures, takeIn)
  registerIdentity(api, {
    ...{ queries, vault: deployment.vault, now: deployment.wallClock, pictures, onSent },
    limits: settingsNamed(settings, { checksPerDay: 'identity_checks_per_day' }),
  })
  registerChat(api, deployment, chat, pictures)
  registerPayments(api, {
    ...{ queries, engine, notifier, settings, now: deployment.wallClock, contactOf: auth.contactOf },
    ...{ checkSecondFactor: auth.ofSecondFactor, checkIdentity: auth.ofEither, proofs: pictures, onSent },
  })
  return auth
}
