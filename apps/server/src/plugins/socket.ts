import {
  channelOf,
  clientMessage,
  codeOf,
  decode,
  messageKeyOf,
  SESSION_GONE,
  SOCKET,
  SUCCESS,
  type ClientMessage,
  type RefusalReason,
} from '@fairlot/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { RawData, WebSocket } from 'ws'
import { languageOf, sayIn, type Say } from './words.ts'
import { secretHash, type Sessions } from './sessions.ts'
import { isTooMany, logOutClient, type SocketClient, type SocketHub } from './socket-hub.ts'

/** Messages of one socket that may wait for the one before them; a socket that sends more is dropped. */
const MAX_WAITING_MESSAGES = 100

/** Serves `/v1/ws`: messages of one socket are handled strictly in order. */
export function registerSocket(
  server: FastifyInstance,
  options: { hub: SocketHub; sessions: Sessions; publicUrl: string | null },
): void {
  const { hub, sessions, publicUrl } = options
  sessions.onEnded((tokenHash) => hub.forget(tokenHash))
  server.get(
    SOCKET.path,
    {
      websocket: true,
      schema: { hide: true },
      preValidation: async (request, reply) => {
        if (!isOwnOrigin(request, publicUrl)) await reply.status(403).send()
      },
    },
    (socket, request) => serve(socket, sayIn(languageOf(languageAsked(request))), hub, sessions),
  )
}

const languageAsked = (request: FastifyRequest): string | undefined => {
  const { lang } = request.headers
  return Array.isArray(lang) ? lang[0] : lang
}

/** A browser tells where a page comes from; other clients do not. Foreign pages are refused. */
function isOwnOrigin({ headers }: FastifyRequest, publicUrl: string | null): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const from = new URL(origin).host
  return from === host || (publicUrl !== null && from === new URL(publicUrl).host)
}

function serve(socket: WebSocket, say: Say, hub: SocketHub, sessions: Sessions): void {
  const client: SocketClient = { socket, user: null, tokenHash: null, topics: new Set(), isBehind: false }
  hub.add(client)
  let waiting = 0
  let last = Promise.resolve()
  socket.on('message', (data, isBinary) => {
    waiting += 1
    if (waiting > MAX_WAITING_MESSAGES) return socket.terminate()
    last = last
      .then(() => handle(isBinary ? null : readText(data), { client, say, hub, sessions }))
      .finally(() => {
        waiting -= 1
      })
  })
  socket.on('close', () => hub.remove(client))
  // A broken frame ends the socket by itself; the event only has to have a listener.
  socket.on('error', () => undefined)
}

const readText = (data: RawData): string =>
  (Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as ArrayBuffer)).toString('utf8')

type Context = { client: SocketClient; say: Say; hub: SocketHub; sessions: Sessions }

async function handle(text: string | null, context: Context): Promise<void> {
  const message = readMessage(text)
  if (!message) return refuseMessage(context, 'notUnderstood', null)
  const { client, hub } = context
  switch (message.type) {
    case 'ping':
      return hub.send(client, { type: 'pong' })
    case 'login':
      return logIn(message.token, context)
    case 'logout':
      return logOutClient(client, (reader, topic) => hub.unsubscribe(reader, topic))
    case 'subscribe':
      for (const topic of message.topics) subscribe(topic, context)
      return
    case 'unsubscribe':
      for (const topic of message.topics) hub.unsubscribe(client, topic)
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

async function logIn(token: string, { client, hub, sessions }: Context): Promise<void> {
  const user = await sessions.userOf(token).catch(() => null)
  // Somebody else's private topics must not stay with the socket.
  if (client.user && client.user.id !== user?.id)
    logOutClient(client, (reader, topic) => hub.unsubscribe(reader, topic))
  client.user = user
  client.tokenHash = user ? secretHash(token) : null
  hub.send(client, { type: 'loginResult', code: user ? SUCCESS : SESSION_GONE })
}

function subscribe(topic: string, context: Context): void {
  const { client, hub } = context
  const found = channelOf(topic)
  if (!found) return refuseMessage(context, 'unknownTopic', topic)
  if (found.channel.access !== 'visitor' && !client.user) return refuseMessage(context, 'sessionGone', topic)
  if (isTooMany(client)) return refuseMessage(context, 'tooManyRequests', topic)
  hub.subscribe(client, topic)
}

function refuseMessage({ client, hub, say }: Context, reason: RefusalReason, topic: string | null): void {
  const message = say(messageKeyOf(reason), { field: 'type' })
  hub.send(client, {
    type: 'refused',
    code: codeOf(reason),
    message,
    reason,
    topic: topic?.slice(0, 64) ?? null,
  })
}
