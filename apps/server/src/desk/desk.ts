import { DESK_ACTS } from '@fairlot/contract/desk'
import type { FastifyInstance } from 'fastify'
import type { Deployment } from '../deployment.ts'
import { registerApiPage } from '../http/api-page.ts'
import { createHasher } from '../auth/password-hash.ts'
import { createActLog } from './acts/act-log.ts'
import { registerActs } from './acts/act-routes.ts'
import { startChainMail } from './acts/chain-mail.ts'
import { createEngineActs, journaledBy } from './acts/engine-acts.ts'
import { tellUntoldActs } from './acts/untold-acts.ts'
import { createApprovals } from './approvals/approvals.ts'
import { registerCompanies } from './content/companies.ts'
import { registerContent } from './content/content-routes.ts'
import { startFeedImporter } from './content/start-importer.ts'
import { registerNewsFeeds } from './content/news-feeds.ts'
import { registerLegalTexts } from './content/legal-routes.ts'
import { registerMessages } from './messages/messages.ts'
import { registerPaymentSetup } from './money/payment-setup.ts'
import { registerSettingChanges } from './settings/settings.ts'
import { settingsNamed } from '../settings/app-settings.ts'
import { createDeskApi } from './desk-api.ts'
import { createDeskHub } from './desk-hub.ts'
import { registerDeskSite } from './desk-site.ts'
import { registerDeskSocket } from './desk-socket.ts'
import type { DeskServices, TraderParts } from './desk-services.ts'
import { registerMarketDesk } from './market/market-routes.ts'
import { registerDeskFiles } from './files/file-routes.ts'
import { createDeskSessions } from './operators/desk-sessions.ts'
import { registerMoney } from './money/money-routes.ts'
import { createOperatorFactor } from './operators/operator-factor.ts'
import { registerIdentityDesk } from './people/identity-routes.ts'
import { registerPeople } from './people/people-routes.ts'
import { registerOperators } from './operators/operator-routes.ts'
import { createCaseHolders } from './waiting/case-holders.ts'
import { createWaitingList } from './waiting/waiting-list.ts'
import { registerWaiting } from './waiting/waiting-routes.ts'
import { createDayBook } from './reports/day-book.ts'
import { registerSupportDesk } from './support/chat-routes.ts'
import { registerReports } from './reports/report-routes.ts'
import { registerRisk } from './risk/risk-routes.ts'

/** How the desk tells traders, and hears of them. */
type FromTraders = Pick<DeskServices, 'notices'> & {
  /** Calls back when somebody has sent something that waits for the desk. */
  readonly onSent: (listener: () => void) => void
}

/** The operators' desk: its calls, its socket, its API page and its site. It sees all areas, and none of them sees it. */
export async function registerDesk(
  server: FastifyInstance,
  deployment: Deployment,
  traders: TraderParts & FromTraders,
): Promise<void> {
  const { config, settings, engine, wallClock: now, onError } = deployment
  const { queries } = deployment.database
  const { notifier, outbox, notices } = traders
  const hub = createDeskHub()
  traders.onSent(() => hub.changed('waiting'))
  const acts = createActLog(queries, now, () => hub.changed('acts', 'waiting'))
  const sessions = createDeskSessions(queries, now, (error) => onError(error, 'telling of a log-out'))
  const api = createDeskApi(server, { sessions, acts })
  const holders = createCaseHolders({ queries, acts, now })
  const dayBook = createDayBook({ queries, now: () => deployment.market.now(), onError })
  server.addHook('onClose', () => dayBook.stop())
  const approvals = createApprovals({ queries, acts, now, journaled: journaledBy(engine, queries) })
  const tellTheRest = async () => {
    // First what belongs to a case, so that the case ends with it.
    await approvals.endDone()
    await tellUntoldActs(queries, engine, acts)
  }
  const services: DeskServices = {
    ...{ deployment, traders, queries, api, acts, hub, sessions, now, outbox },
    engineActs: createEngineActs(engine, acts, tellTheRest),
    dayBook,
    approvals,
    ...{ holders, waiting: createWaitingList({ holders, now }), notifier, notices },
    factor: createOperatorFactor(queries, deployment.vault, now),
    hasher: createHasher(),
    limits: settingsNamed(settings, {
      failedLoginsPerAddress: 'failed_logins_per_address',
      failedLoginsPerAccount: 'failed_logins_per_account',
    }),
  }
  registerTopics(server, services)
  const mail = startChainMail({ queries, notifier, fixed: config.fixedSettings, now, onError })
  let isClosing = false
  // A server that stops while the tables are behind leaves it to the next start.
  tellTheRest().catch((error: unknown) => {
    if (!isClosing) onError(error, 'writing down acts of the run before')
  })
  server.addHook('onClose', async () => {
    isClosing = true
    await mail.stop()
  })
  registerDeskSocket(server, { hub, sessions, publicUrl: config.publicUrl })
  registerApiPage(server, {
    ...{ path: '/desk/docs', title: 'Fairlot desk', endpoints: api.endpoints },
    needsToken: ({ act }) => act !== null,
    callersOf: ({ act }) => (act === null ? 'For anyone.' : `For ${DESK_ACTS[act].join(', ')}.`),
  })
  await registerDeskSite(server)
}

function registerTopics(server: FastifyInstance, services: DeskServices): void {
  registerOperators(services)
  registerWaiting(services)
  registerActs(services)
  registerPeople(services)
  registerIdentityDesk(services)
  registerContent(services)
  const importer = startFeedImporter(services)
  server.addHook('onClose', importer.stop)
  registerNewsFeeds(services, importer)
  registerLegalTexts(services)
  registerCompanies(services)
  registerSettingChanges(services)
  registerMessages(services)
  registerPaymentSetup(services)
  registerDeskFiles(services)
  registerMoney(services)
  registerSupportDesk(services)
  registerMarketDesk(services)
  registerRisk(services)
  registerReports(services)
}
