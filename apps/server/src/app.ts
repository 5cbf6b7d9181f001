import type { FastifyInstance } from 'fastify'
import { findUser } from './accounts/profile-routes.ts'
import { registerAccountsArea } from './accounts/wiring.ts'
import { registerContentArea } from './content/wiring.ts'
import { openCopyNotices, registerCopyingArea } from './copying/wiring.ts'
import type { Deployment } from './deployment/deployment.ts'
import { registerHealth } from './deployment/health.ts'
import { openServices, startFollowUps } from './deployment/services.ts'
import { registerDesk } from './desk-wiring.ts'
import { announcedMethod } from './copying/method-change.ts'
import { listPaymentChanges } from './funds/payment-changes.ts'
import { fundsViews, registerFundsArea } from './funds/wiring.ts'
import { registerMarketArea } from './market/wiring.ts'
import { initialPageData } from './market/routes.ts'
import { registerNoticesArea } from './notices/wiring.ts'
import { settingsNamed } from './platform/config/app-settings.ts'
import type { Log } from './platform/http/log.ts'
import { createHttpServer } from './platform/http/server.ts'
import { readSitePage, registerSite } from './platform/http/static-site.ts'
import { registerSettingsArea } from './settings/wiring.ts'
import { frameSourceOf, registerSupportArea } from './support/wiring.ts'
import { registerTradingArea } from './trading/wiring.ts'

/** Timeouts that tests shorten. */
export type AppTiming = { readonly heartbeatMs?: number; readonly requestTimeoutMs?: number }

type AppOptions = AppTiming & { readonly log: Log }

/** The HTTP server of a deployment: the services that all areas share, then each area with what it needs from others. */
export async function buildApp(deployment: Deployment, options: AppOptions): Promise<FastifyInstance> {
  const { database, settings, market, wallClock } = deployment
  const { queries } = database
  const page = readSitePage()
  const server = await createHttpServer(deployment.config, {
    ...options,
    scriptHashes: page?.scriptHashes ?? [],
    frameSource: () => frameSourceOf(settings),
  })
  registerHealth(server, deployment)

  const services = openServices(server, deployment, options)
  const { contactOf, checkEither, checkSecondFactor } = await registerAccountsArea(services)
  const { statements } = registerFundsArea(services, {
    contactOf,
    checkEither,
    checkSecondFactor,
    findUser: (id) => findUser(queries, id),
  })
  registerMarketArea(services, {
    otherChanges: async () => [
      ...announcedMethod(deployment.engine, market.now()),
      ...(await listPaymentChanges(queries, wallClock())),
    ],
  })
  const { orderQueries, ordersOf, codeOf, stream } = await registerTradingArea(
    services,
    fundsViews(deployment),
  )
  await registerCopyingArea(services, { orderQueries, checkSecondFactor })
  const { newsOf, saveNewsSeen } = registerContentArea(services)
  const { chat } = registerSupportArea(services, { contactOf, stream })
  const notices = await registerNoticesArea(services, {
    contactOf,
    ordersOf,
    codeOf,
    stream,
    newsOf,
    saveNewsSeen,
  })
  await openCopyNotices(services, notices)
  const { basicInfoOf } = registerSettingsArea(services)
  await registerSite(
    server,
    page,
    initialPageData(market, basicInfoOf),
    settingsNamed(settings, { desktopHost: 'desktop_host' }),
  )

  await registerDesk(services, { orderQueries, statements, chat, notices })
  await startFollowUps(services)
  return server
}
