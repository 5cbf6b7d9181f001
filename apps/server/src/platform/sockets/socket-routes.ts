import { setTimeout as pause } from 'node:timers/promises'
import {
  channelOf,
  clientMessage,
  codeOf,
  decode,
  SESSION_GONE,
  SOCKET,
  SUCCESS,
  type ClientMessage,
  type RefusalReason,
} from '@fairlot/contract'
import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { refused, translatorOf } from '../http/api.ts'
import type { Guard } from '../http/access-guard.ts'
import { createConcurrencyLimit, createLimit } from '../rate-limits.ts'
import { networkOf } from '../network-address.ts'
import { isRefusal, refuse, sentenceOf } from '../refusal.ts'
import { type Sessions } from '../http/login-sessions.ts'
import { secretHash } from '../security/secrets.ts'
import { frameOf, type SocketClient } from './socket-client.ts'
import type { SocketHub } from './socket-hub.ts'
import { isOwnOrigin } from './own-origin.ts'
import { CLOSE_CODE } from './protocol/frame.ts'
import type { ServerSocket } from './protocol/server-socket.ts'
import { languageOf, translatorFor, type Language, type Translate } from '../i18n/translate.ts'

/** Messages of one socket that may wait to be handled; a socket that sends more is dropped. */
const MAX_WAITING_MESSAGES = 100
/** Messages and topics that one socket may send in a second; a socket that sends more messages is dropped. */
const MAX_PER_SECOND = 300
/** Clients are pinged at this interval, ms; one that has not answered by the next ping is dropped. */
const HEARTBEAT_MS = 30_000
/** The next message of a socket waits for the snapshot of a subscription for at most this long, ms. */
const SNAPSHOT_WITHIN_MS = 1_000
/** A topic in a refusal is truncated to this length. */
const SHOWN_TOPIC_LENGTH = 64

export type SocketSetup = {
  readonly hub: SocketHub
  readonly guard: Guard
  readonly sessions: Sessions
  readonly publicUrl: string | null
  readonly limits: { readonly handshakesPerSecond: number; readonly socketsPerAddress: number }
  readonly heartbeatMs?: number | undefined
}

/** Serves `/v1/ws`. Messages of a socket are handled strictly in order. */
export function registerSocket(server: FastifyInstance, setup: SocketSetup): void {
  const { hub, guard, sessions, publicUrl } = setup
  const handshakes = createLimit(() => setup.limits.handshakesPerSecond, 1)
  const places = createConcurrencyLimit(() => setup.limits.socketsPerAddress)
  const refuseWith = (reason: RefusalReason, request: FastifyRequest, reply: FastifyReply) =>
    refused(reply, translatorOf(request), refuse(reason))

  server.route({
    method: 'GET',
    url: SOCKET.path,
    schema: { hide: true },
    exposeHeadRoute: false,
    onRequest: async (request, reply) => {
      if (!isOwnOrigin(request, publicUrl)) return refuseWith('originRefused', request, reply)
      if (!(await handshakes(networkOf(request.ip)))) return refuseWith('tooManyRequests', request, reply)
    },
    handler: (request, reply) => {
      const leave = places(networkOf(request.ip))
      if (!leave) return refuseWith('tooManyRequests', request, reply)
      const socket = server.websocketServer.accept(request, reply)
      if (typeof socket === 'string') {
        leave()
        return refuseWith(socket, request, reply)
      }
      socket.on('close', leave)
      const language = languageOfSocket(request)
      serve(socket, {
        hub,
        guard,
        address: request.ip,
        language,
        translate: translatorFor(language),
        log: request.log,
      })
      return reply
    },
  })

  const stopForgetting = sessions.onEnded((end) => hub.forget(end))
  const heartbeat = setInterval(() => hub.checkAlive(), setup.heartbeatMs ?? HEARTBEAT_MS)
  server.addHook('onClose', async () => {
    clearInterval(heartbeat)
    stopForgetting()
  })
}

/** A browser cannot set headers of a handshake, so the language may be in the query. */
function languageOfSocket({ headers, query }: FastifyRequest): Language {
  const lang = typeof query === 'object' && query !== null && 'lang' in query ? query.lang : undefined
  return languageOf(typeof lang === 'string' ? lang : headers['lang'])
}

type Setting = {
  readonly language: Language
  readonly hub: SocketHub
  readonly guard: Guard
  readonly address: string
  readonly translate: Translate
  readonly log: FastifyBaseLogger
}
type Context = Setting & { readonly client: SocketClient; readonly isWithinRate: (count: number) => boolean }

function serve(socket: ServerSocket, setting: Setting): void {
  const client = setting.hub.add(socket, setting.language)
  const context = { ...setting, client, isWithinRate: createRate(MAX_PER_SECOND) }
  let waiting = 0
  let last = Promise.resolve()
  const countFrame = () => context.isWithinRate(1) || socket.terminate()
  socket.on('ping', countFrame)
  socket.on('pong', countFrame)
  socket.on('message', (text) => {
    waiting += 1
    if (waiting > MAX_WAITING_MESSAGES || !context.isWithinRate(1)) return socket.terminate()
    last = last
      .then(() => handle(text, context))
      .catch((error: unknown) => {
        // The database is unavailable, or an internal error: the client connects again.
        setting.log.error({ err: error }, 'a socket message failed')
        socket.close(CLOSE_CODE.internalError)
      })
      .finally(() => (waiting -= 1))
  })
  socket.on('close', () => setting.hub.remove(client))
}

/** Allows a number of calls in each second. */
function createRate(perSecond: number): (count: number) => boolean {
  let second = 0
  let taken = 0
  return (count) => {
    const now = Math.floor(performance.now() / 1_000)
    taken = now === second ? taken + count : count
    second = now
    return taken <= perSecond
  }
}

async function handle(text: string | null, context: Context): Promise<void> {
  const message = readMessage(text)
  if (!message) return refuseMessage(context, 'notUnderstood', null)
  const { client, hub } = context
  switch (message.type) {
    case 'ping':
      return hub.send(client, frameOf({ type: 'pong' }))
    case 'login':
      return logIn(message.token, context)
    case 'logout':
      return hub.logOut(client)
    case 'subscribe':
      if (!context.isWithinRate(message.topics.length)) return refuseMessage(context, 'tooManyRequests', null)
      for (const topic of new Set(message.topics)) await subscribe(topic, context)
      return
    case 'unsubscribe':
      for (const topic of new Set(message.topics)) hub.unsubscribe(client, topic)
  }
}

function readMessage(text: string | null): ClientMessage | null {
  if (text === null) return null
  try {
    const decoded = decode(clientMessage, JSON.parse(text))
    return decoded.ok ? decoded.value : null
  } catch {
    return null
  }
}

async function logIn(token: string, context: Context): Promise<void> {
  const { client, hub, guard, address } = context
  const tokenHash = secretHash(token)
  if (client.tokenHash !== tokenHash) hub.logOut(client)
  // Set before the lookup, so that a session that ends meanwhile is logged out here, too.
  client.tokenHash = tokenHash
  const user = await guard.callerBy(token, address)
  if (user && isRefusal(user)) return refuseLogIn(context)
  const isIn = user !== null && client.tokenHash === tokenHash
  if (isIn) hub.logIn(client, user, tokenHash)
  else hub.logOut(client)
  hub.send(client, frameOf({ type: 'loginResult', code: isIn ? SUCCESS : SESSION_GONE }))
}

/** Too many tokens were tried, so this one was not checked: the client should try again later. */
function refuseLogIn(context: Context): void {
  context.hub.logOut(context.client)
  refuseMessage(context, 'tooManyRequests', null)
  context.client.socket.close(CLOSE_CODE.tryAgainLater)
}

async function subscribe(topic: string, context: Context): Promise<void> {
  const { client, hub } = context
  const access = channelOf(topic)?.channel.access
  if (access !== undefined && access !== 'visitor' && !client.user)
    return refuseMessage(context, 'sessionGone', topic)
  if (client.topics.size >= SOCKET.topicsPerSocketMax && !client.topics.has(topic))
    return refuseMessage(context, 'tooManyRequests', topic)
  const snapshot = hub.subscribe(client, topic)
  if (snapshot === false) return refuseMessage(context, 'unknownTopic', topic)
  // The next message waits for the snapshot, but not long: the database may be unavailable.
  if (snapshot instanceof Promise)
    await Promise.race([snapshot, pause(SNAPSHOT_WITHIN_MS, undefined, { ref: false })])
}

function refuseMessage(
  { client, hub, translate }: Context,
  reason: RefusalReason,
  topic: string | null,
): void {
  const message = sentenceOf(translate, refuse(reason, { field: 'type' }))
  const shown = topic?.slice(0, SHOWN_TOPIC_LENGTH) ?? null
  hub.send(client, frameOf({ type: 'refused', code: codeOf(reason), message, reason, topic: shown }))
}
