import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { SOCKET, type RefusalReason } from '@fairlot/contract'
import { DESK_SOCKET_PATH } from '@fairlot/contract/desk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerBrokenRequest } from '../http/errors.ts'
import { ServerResponse } from '../http/node-http.ts'
import { CLOSE_CODE } from './protocol/frame.ts'
import { handshakeAnswer, readHandshake } from './protocol/handshake.ts'
import { ServerSocket } from './protocol/server-socket.ts'

/** Sockets that have not said good-bye so long after the server has are cut, ms. */
const GOODBYE_MS = 1_000

/** The sockets of a server. */
export type Websockets = {
  readonly clients: ReadonlySet<ServerSocket>
  /** Opens the socket that a request asks for, or says why not. */
  accept(request: FastifyRequest, reply: FastifyReply): ServerSocket | RefusalReason
}

declare module 'fastify' {
  interface FastifyInstance {
    websocketServer: Websockets
  }
}

/** These leave HTTP; any other `Upgrade`, as to HTTP/2, is answered as the plain request that it also is. */
export const isUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

const SOCKET_PATHS: ReadonlySet<string | undefined> = new Set([SOCKET.path, DESK_SOCKET_PATH])

const isForSocket = ({ method, url }: IncomingMessage): boolean =>
  method === 'GET' && SOCKET_PATHS.has(url?.split('?', 1)[0])

/** What is left of a connection that has left HTTP: the stream, and bytes that came with the request. */
type Upgrade = { readonly stream: Socket; readonly head: Buffer }

/** Lets the server speak WebSocket. A handshake goes through the routes like any request, so that their checks hold for it. */
export function registerWebsockets(server: FastifyInstance): void {
  const clients = new Set<ServerSocket>()
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  let isClosing = false

  server.server.on('upgrade', (request, stream, head) => {
    // From here on errors of the connection are ours to hear.
    stream.on('error', () => stream.destroy())
    // Nothing but the socket is asked for in this way, least of all a change.
    if (!isForSocket(request)) return answerBrokenRequest(new Error('an upgrade of no socket'), stream)
    // Node's HTTP server hands out its own sockets; its types leave room for others.
    upgrades.set(request, { stream: stream as Socket, head })
    route(server, request, stream as Socket)
  })

  const accept = (request: FastifyRequest, reply: FastifyReply): ServerSocket | RefusalReason => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade) return 'unknownEndpoint'
    const handshake = readHandshake(request.headers)
    // Who has gone meanwhile would be waited for without end.
    if (!handshake || upgrade.stream.destroyed) return 'malformed'
    if (isClosing) return 'engineUnavailable'
    const { stream, head } = upgrade
    reply.hijack()
    reply.raw.detachSocket(stream)
    stream.write(handshakeAnswer(handshake))
    if (head.length > 0) stream.unshift(head)
    const socket = new ServerSocket(stream, {
      ...{ mayCompress: handshake.mayCompress, bytesMax: SOCKET.frameBytesMax },
      onError: (error) => request.log.error({ err: error }, 'a socket ended by an error of ours'),
    })
    clients.add(socket)
    socket.on('close', () => clients.delete(socket))
    return socket
  }

  server.decorate('websocketServer', { clients, accept })
  server.addHook('preClose', async () => {
    isClosing = true
    for (const client of clients) client.close(CLOSE_CODE.goingAway)
    const cut = setTimeout(() => {
      for (const client of clients) client.terminate()
    }, GOODBYE_MS)
    server.server.on('close', () => clearTimeout(cut))
  })
}

/** A refused handshake is answered, and its connection ends with the answer. */
function route(server: FastifyInstance, request: IncomingMessage, stream: Socket): void {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.on('finish', () => stream.destroySoon())
  try {
    response.assignSocket(stream)
    server.routing(request, response)
  } catch (error) {
    server.log.error({ err: error }, 'a handshake failed')
    stream.destroy()
  }
}
