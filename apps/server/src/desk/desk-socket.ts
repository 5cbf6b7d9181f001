import { DESK_SOCKET_PATH } from '@fairlot/contract/desk'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refused, translatorOf } from '../http/api.ts'
import { createHolding, networkOf } from '../http/rate-limits.ts'
import { refuse } from '../http/refusal.ts'
import type { ServerSocket } from '../websocket/protocol/server-socket.ts'
import { isOwnOrigin } from '../websocket/own-origin.ts'
import { operatorOf } from './desk-api.ts'
import type { DeskHub, DeskReader } from './desk-hub.ts'
import type { DeskSessions } from './operators/desk-sessions.ts'

/** Pages of the desk that one address may have open. */
const SOCKETS_PER_ADDRESS = 50
/** A page that has not logged in after this long is let go, ms. */
const LOG_IN_WITHIN_MS = 10_000
const HEARTBEAT_MS = 30_000
/** The longest name of a case. */
const CASE_KEY = /^[a-zA-Z]{1,30}:\d{1,16}$/

type Setup = { readonly hub: DeskHub; readonly sessions: DeskSessions; readonly publicUrl: string | null }

/** Serves the socket of the desk: a page logs in by its token, says which case it shows, and is told what changed. */
export function registerDeskSocket(server: FastifyInstance, { hub, sessions, publicUrl }: Setup): void {
  const places = createHolding(SOCKETS_PER_ADDRESS)
  const open = new Set<ServerSocket>()
  server.get(DESK_SOCKET_PATH, { schema: { hide: true }, exposeHeadRoute: false }, (request, reply) => {
    const refuseWith = (reason: Parameters<typeof refuse>[0]) =>
      refused(reply, translatorOf(request), refuse(reason))
    if (!isOwnOrigin(request, publicUrl)) return refuseWith('originRefused')
    const leave = places(networkOf(request.ip))
    if (!leave) return refuseWith('tooManyRequests')
    const socket = server.websocketServer.accept(request, reply)
    if (typeof socket === 'string') {
      leave()
      return refuseWith(socket)
    }
    open.add(socket)
    socket.on('close', () => {
      open.delete(socket)
      leave()
    })
    serve(socket, request, { hub, sessions })
    return reply
  })
  const stopForgetting = sessions.onEnded((tokenHash) => hub.forget(tokenHash))
  const heartbeat = setInterval(() => {
    for (const socket of open) socket.ping()
  }, HEARTBEAT_MS)
  server.addHook('onClose', async () => {
    clearInterval(heartbeat)
    stopForgetting()
  })
}

function serve(
  socket: ServerSocket,
  request: FastifyRequest,
  { hub, sessions }: Omit<Setup, 'publicUrl'>,
): void {
  let reader: DeskReader | null = null
  let leave = () => {}
  const tooLate = setTimeout(() => socket.close(), LOG_IN_WITHIN_MS)
  const logIn = async (token: string) => {
    const session = await sessions.find(token, false)
    if (!session || session.operator.totp_confirmed_at === null) return socket.close()
    clearTimeout(tooLate)
    leave()
    reader = {
      ...{ operator: operatorOf(session), tokenHash: session.tokenHash, viewing: null },
      send: (text) => socket.send(text),
      close: () => socket.close(),
    }
    leave = hub.add(reader)
    socket.send(JSON.stringify({ type: 'loggedIn' }))
  }
  socket.on('message', (text) => {
    const message = readMessage(text)
    if (message === null) return socket.close()
    if (message.type === 'viewing') {
      if (reader) hub.view(reader, message.caseKey)
      return
    }
    logIn(message.token).catch((error: unknown) => {
      request.log.error({ err: error }, 'a socket of the desk failed')
      socket.close()
    })
  })
  socket.on('close', () => {
    clearTimeout(tooLate)
    leave()
  })
}

type Message =
  | { readonly type: 'login'; readonly token: string }
  | { readonly type: 'viewing'; readonly caseKey: string | null }

function readMessage(text: string | null): Message | null {
  try {
    const raw: unknown = JSON.parse(text ?? '')
    if (typeof raw !== 'object' || raw === null || !('type' in raw)) return null
    if (raw.type === 'login' && 'token' in raw && typeof raw.token === 'string')
      return { type: 'login', token: raw.token }
    const caseKey = 'caseKey' in raw && typeof raw.caseKey === 'string' ? raw.caseKey : null
    if (raw.type !== 'viewing' || (caseKey !== null && !CASE_KEY.test(caseKey))) return null
    return { type: 'viewing', caseKey }
  } catch {
    return null
  }
}
