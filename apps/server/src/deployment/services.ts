import type { FastifyInstance } from 'fastify'
import { createFollowUps, type FollowUps } from '../engine/follow-ups.ts'
import { createAccountTotals, type TotalsBook } from '../engine/projection/account-totals.ts'
import { mailInstead } from '../notices/push-devices.ts'
import { createMessageWriter, type MessageWriter } from '../notices/message-writer.ts'
import { settingsNamed } from '../platform/config/app-settings.ts'
import { createEmitter, type Emitter } from '../platform/emitter.ts'
import { createIntake, type Intake } from '../platform/files/intake.ts'
import { openPictures, type Pictures } from '../platform/files/pictures.ts'
import { registerFiles, registerPublicPictures } from '../platform/files/routes.ts'
import { createGuard } from '../platform/http/access-guard.ts'
import { registerApiPage } from '../platform/http/api-page.ts'
import { createApi, type Api } from '../platform/http/api.ts'
import { createProxyWatch, type ProxyWatch } from '../platform/http/client-network.ts'
import type { Log } from '../platform/http/log.ts'
import { createSessions, type Sessions } from '../platform/http/login-sessions.ts'
import type { Outbox } from '../platform/mail/outbox.ts'
import { openOutbox } from '../platform/mail/senders.ts'
import { createPasskeys, type Passkeys } from '../platform/security/passkeys.ts'
import { createPushService, type PushService } from '../platform/push/push-service.ts'
import { createSocketHub, type SocketHub } from '../platform/sockets/socket-hub.ts'
import { registerSocket } from '../platform/sockets/socket-routes.ts'
import type { Deployment } from './deployment.ts'

const HOUR_MS = 3_600_000
/** Expired sessions are ended at this interval, ms; a call with an expired one ends it at once. */
const EXPIRE_MS = 600_000
/** Follow-ups that a database failure interrupted are retried at this interval, ms. */
const FOLLOW_UPS_MS = 60_000

/** What all areas of a running server share. */
export type Services = {
  readonly deployment: Deployment
  readonly server: FastifyInstance
  /** Endpoints for users and visitors. */
  readonly api: Api
  /** The sockets of users and visitors. */
  readonly hub: SocketHub
  readonly sessions: Sessions
  readonly proxies: ProxyWatch
  readonly outbox: Outbox
  readonly messageWriter: MessageWriter
  readonly passkeys: Passkeys
  readonly push: PushService
  readonly pictures: Pictures
  readonly takeIn: Intake
  readonly totals: TotalsBook
  readonly followUps: FollowUps
  /** Emits when a user has submitted a case for an operator. */
  readonly submitted: Emitter<null>
}

type ServiceOptions = { readonly log: Log; readonly heartbeatMs?: number | undefined }

/** Opens the services of a server; each stops when the server closes, after the areas that use it. */
export function openServices(
  server: FastifyInstance,
  deployment: Deployment,
  { log, heartbeatMs }: ServiceOptions,
): Services {
  const { config, settings, engine, wallClock: now, onError } = deployment
  const { queries } = deployment.database
  const push = createPushService({
    queries,
    vault: deployment.vault,
    now,
    allowsLoopback: config.pushToLoopback,
    contact: () => pushContact(deployment),
  })
  const mail = openOutbox({
    config,
    queries,
    now,
    onError,
    push: push.send,
    onUndelivered: async (message) => {
      if (message.channel === 'push') await mailInstead(queries, message)
    },
  })
  server.addHook('onClose', mail.stop)
  const sessions = openSessions(server, deployment)
  const guard = createGuard(
    sessions,
    settingsNamed(settings, {
      callsPerSecond: 'calls_per_second',
      callsBurst: 'calls_burst',
      addressCallsPerSecond: 'address_calls_per_second',
      addressCallsBurst: 'address_calls_burst',
    }),
  )
  const api = createApi(server, guard)
  registerApiPage(server, {
    path: '/docs',
    title: 'Fairlot',
    endpoints: api.endpoints,
    needsToken: ({ access }) => access !== 'visitor',
  })
  const hub = createSocketHub()
  registerSocket(server, {
    hub,
    guard,
    sessions,
    publicUrl: config.publicUrl,
    limits: settingsNamed(settings, {
      handshakesPerSecond: 'socket_handshakes_per_second',
      socketsPerAddress: 'sockets_per_address',
    }),
    heartbeatMs,
  })
  const pictures = openPictures(server, { config, queries, now, onError })
  const takeIn = createIntake(settingsNamed(settings, { uploadsPerHour: 'uploads_per_hour' }))
  registerFiles(api, pictures, takeIn)
  registerPublicPictures(server, pictures)
  return {
    deployment,
    server,
    api,
    hub,
    sessions,
    proxies: openProxyWatch(server, deployment, log),
    outbox: mail.outbox,
    messageWriter: createMessageWriter(mail.outbox),
    passkeys: createPasskeys({
      queries,
      site: config.passkeys,
      now,
      warn: (sentence) => log.warn(sentence),
    }),
    push,
    pictures,
    takeIn,
    totals: createAccountTotals(engine, queries),
    followUps: createFollowUps({ queries, engine, now }),
    submitted: createEmitter((error) => onError(error, 'announcing a new case')),
  }
}

/** By which push services reach the operator; Apple's takes no address of this machine. */
function pushContact({ config, settings }: Deployment): string {
  if (config.publicUrl?.startsWith('https:')) return config.publicUrl
  const mailbox = settings.support_email || (/<(.*)>$/.exec(config.mailFrom)?.[1] ?? config.mailFrom)
  return `mailto:${mailbox}`
}

function openSessions(
  server: FastifyInstance,
  { database: { queries }, settings, wallClock: now, onError }: Deployment,
): Sessions {
  const sessions = createSessions({
    queries,
    now,
    onError,
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
    sessions.endExpired().catch((error: unknown) => onError(error, 'ending expired sessions'))
  }, EXPIRE_MS)
  server.addHook('onClose', async () => clearInterval(expiring))
  return sessions
}

function openProxyWatch(server: FastifyInstance, { wallClock }: Deployment, log: Log): ProxyWatch {
  const proxies = createProxyWatch(wallClock, (sentence) => log.warn(sentence))
  server.addHook('onRequest', (request, _reply, next) => {
    proxies.see(request)
    next()
  })
  return proxies
}

/** Carries out follow-ups that a crash interrupted: once before the first request is answered, then at an interval. */
export async function startFollowUps({
  server,
  followUps,
  deployment: { onError },
}: Services): Promise<void> {
  const settle = () =>
    followUps
      .settle()
      .catch((error: unknown) => onError(error, 'carrying out follow-ups of earlier decisions'))
  await settle()
  const settling = setInterval(() => void settle(), FOLLOW_UPS_MS)
  server.addHook('onClose', async () => clearInterval(settling))
}
