import { DESK_PERMISSIONS } from '@fairlot/contract/desk'
import type { FastifyInstance } from 'fastify'
import type { Services } from './deployment/services.ts'
import { registerApiPage } from './platform/http/api-page.ts'
import { createAuditLog } from './desk/audit-log/audit-log.ts'
import { registerAuditLog } from './desk/audit-log/audit-entries.ts'
import { startChainMail } from './desk/audit-log/chain-mail.ts'
import { createEngineCommands } from './desk/audit-log/engine-commands.ts'
import { createApprovals } from './desk/approvals/approvals.ts'
import { registerCompanies } from './content/desk/companies.ts'
import { registerContent } from './content/desk/content.ts'
import { registerNewsFeeds, startFeedImporter } from './content/desk/news-feeds.ts'
import { registerLegalTexts } from './content/desk/legal-texts.ts'
import { registerMessages } from './support/desk/messages.ts'
import { registerMoney, registerPaymentSetup, registerTransfers } from './funds/desk/routes.ts'
import { registerSettingChanges } from './settings/desk-settings.ts'
import { settingsNamed } from './platform/config/app-settings.ts'
import { createDeskApi } from './desk/desk-api.ts'
import { createDeskHub, registerDeskSocket } from './desk/desk-socket.ts'
import { registerDeskSite } from './desk/desk-site.ts'
import type { DeskServices } from './desk/desk-services.ts'
import { registerMarketDesk } from './market/desk/market-routes.ts'
import { registerDeskFiles } from './desk/files.ts'
import { createDeskSessions } from './desk/operators/desk-sessions.ts'
import { createOperatorFactor } from './desk/operators/operator-factor.ts'
import { createConfirmations } from './desk/operators/operators.ts'
import { registerIdentityDesk } from './accounts/desk/identity.ts'
import { registerUsers } from './accounts/desk/routes.ts'
import { registerStrategiesDesk } from './copying/desk/strategies.ts'
import { registerOperators } from './desk/operators/operator-routes.ts'
import { createCaseAssignments } from './desk/waiting/case-assignments.ts'
import { createWaitingList } from './desk/waiting/waiting-list.ts'
import { registerWaiting } from './desk/waiting/waiting-routes.ts'
import { createDayBook, type DayBook } from './risk/reports/day-book.ts'
import type { Statements } from './funds/statement/statements.ts'
import type { Chat } from './support/chat.ts'
import type { OrderQueries } from './trading/order-queries.ts'
import { registerSupportDesk } from './support/desk/chat.ts'
import { registerReports } from './risk/reports/report-routes.ts'
import { registerRisk } from './risk/risk-routes.ts'

/** What the desk needs from the areas for users. */
type UserAreas = Pick<DeskServices, 'notices'> & {
  readonly orderQueries: OrderQueries
  readonly statements: Statements
  readonly chat: Chat
}

/** The operators' desk: its endpoints, socket, API page and site, with the endpoints that each area has for operators. */
export async function registerDesk(shared: Services, areas: UserAreas): Promise<void> {
  const { server, deployment, messageWriter, outbox, followUps } = shared
  const { config, settings, wallClock: now, onError } = deployment
  const { queries } = deployment.database
  const hub = createDeskHub()
  shared.submitted.subscribe(() => hub.changed('waiting'))
  const auditLog = createAuditLog(queries, now, () => hub.changed('acts', 'waiting'))
  const sessions = createDeskSessions(queries, now, (error) => onError(error, 'announcing a log-out'))
  const api = createDeskApi(server, { sessions, auditLog, now })
  const assignments = createCaseAssignments({ queries, auditLog, now })
  const dayBook = createDayBook({ queries, now: () => deployment.market.now(), onError })
  server.addHook('onClose', () => dayBook.stop())
  const approvals = createApprovals({
    queries,
    auditLog,
    now,
    settle: followUps.settle,
    isSingleOperator: () => !deployment.engine.state().hasSecondOperator,
  })
  const services: DeskServices = {
    deployment,
    shared,
    queries,
    api,
    auditLog,
    hub,
    sessions,
    now,
    outbox,
    followUps,
    engineCommands: createEngineCommands(followUps, auditLog, approvals.endOf),
    approvals,
    assignments,
    waiting: createWaitingList({ assignments, now }),
    messageWriter,
    notices: areas.notices,
    factor: createOperatorFactor(queries, deployment.vault, now),
    passkeys: shared.passkeys,
    confirmations: createConfirmations(),
    hasher: deployment.hasher,
    limits: settingsNamed(settings, {
      failedLoginsPerAddress: 'failed_logins_per_address',
      failedLoginsPerAccount: 'failed_logins_per_account',
    }),
  }
  registerAreas(server, services, { ...areas, dayBook })
  const mail = startChainMail({ queries, messageWriter, now, onError })
  server.addHook('onClose', () => mail.stop())
  registerDeskSocket(server, { hub, sessions, publicUrl: config.publicUrl })
  registerApiPage(server, {
    path: '/desk/docs',
    title: 'Fairlot desk',
    endpoints: api.endpoints,
    needsToken: ({ permission }) => permission !== null,
    callersOf: ({ permission }) =>
      permission === null ? 'For anyone.' : `For ${DESK_PERMISSIONS[permission].join(', ')}.`,
  })
  await registerDeskSite(server)
}

type AreaParts = Omit<UserAreas, 'notices'> & { readonly dayBook: DayBook }

function registerAreas(
  server: FastifyInstance,
  services: DeskServices,
  { orderQueries, statements, chat, dayBook }: AreaParts,
): void {
  registerOperators(services)
  registerWaiting(services)
  registerAuditLog(services)
  registerUsers(services, { orderQueries, statements })
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
  registerTransfers(services)
  registerSupportDesk(services, chat)
  registerStrategiesDesk(services)
  registerMarketDesk(services)
  registerRisk(services, dayBook)
  registerReports(services, dayBook)
}
