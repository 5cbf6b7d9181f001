import type { FastifyInstance } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import type { Queries } from '../platform/database/open.ts'
import type { Api } from '../platform/http/api.ts'
import type { Sessions } from '../platform/http/login-sessions.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import type { PushService } from '../platform/push/push-service.ts'
import { startMarginWarnings } from './margin-warnings.ts'
import { startNoticeRetention } from './notice-retention.ts'
import { startNotices, type Notices } from './notices.ts'
import type { Addressee, MessageWriter } from './message-writer.ts'
import { registerPushDevices } from './push-devices.ts'
import { type NoticeSources, registerNotices } from './routes.ts'

/** The services that this area needs. */
type NoticeServices = {
  readonly server: FastifyInstance
  readonly api: Api
  readonly messageWriter: MessageWriter
  readonly outbox: Outbox
  readonly push: PushService
  readonly sessions: Sessions
  readonly deployment: {
    readonly engine: Engine
    readonly database: { readonly queries: Queries }
    readonly market: { now(): number }
    readonly wallClock: () => number
    readonly onError: (error: unknown, doing: string) => void
  }
}

type Links = Pick<NoticeSources, 'ordersOf' | 'codeOf' | 'newsOf' | 'saveNewsSeen'> & {
  readonly contactOf: (userId: number) => Promise<Addressee | null>
  readonly stream: { publishNotice: Parameters<typeof startNotices>[0]['publishToScreens'] }
}

/** Notices to users, their mails, and margin warnings. */
export async function registerNoticesArea(
  { server, api, messageWriter, outbox, push, sessions, deployment }: NoticeServices,
  { contactOf, ordersOf, codeOf, stream, newsOf, saveNewsSeen }: Links,
): Promise<Notices> {
  const { engine, market, wallClock, onError } = deployment
  const { queries } = deployment.database
  registerNotices(api, { queries, engine, now: wallClock, ordersOf, codeOf, newsOf, saveNewsSeen })
  registerPushDevices(api, { queries, push, sessions, now: wallClock, onError })
  const notices = startNotices({
    engine,
    queries,
    messageWriter,
    outbox,
    contactOf,
    onError,
    now: wallClock,
    marketNow: market.now,
    publishToScreens: stream.publishNotice,
    ordersOf,
    codeOf,
    currency: () => engine.state().settings.accountCurrency,
  })
  const warnings = await startMarginWarnings({
    engine,
    queries,
    onError,
    now: market.now,
    onWarned: notices.publish,
  })
  const retention = startNoticeRetention({ queries, now: market.now, onError })
  server.addHook('onClose', async () => {
    await retention.stop()
    await warnings.stop()
    await notices.stop()
  })
  return notices
}
