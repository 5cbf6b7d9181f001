import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { SOCKET, type RefusalReason } from '@fairlot/contract'
import { DESK_SOCKET_PATH } from '@fairlot/contract/desk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { answerBrokenRequest } from '../http/errors.ts'
import { ServerResponse } from '../http/node-http.ts'
import { CLOSE_CODE } from './protocol/frame.ts'
import { handshakeAnswer, readHandshake, VERSION } from './protocol/handshake.ts'
import { ServerSocket } from './protocol/server-socket.ts'

/** When the server stops, sockets that have not closed after this time are terminated, ms. */
const CLOSE_TIMEOUT_MS = 1_000

/** The sockets of a server. */
export type Websockets = {
  readonly clients: ReadonlySet<ServerSocket>
  /** Opens the requested socket, or returns the reason of a refusal. */
  accept(request: FastifyRequest, reply: FastifyReply): ServerSocket | RefusalReason
}

declare module 'fastify' {
  interface FastifyInstance {
    websocketServer: Websockets
  }
}

/** True for a WebSocket upgrade; any other, such as to HTTP/2, is answered as a plain request. */
export const isUpgrade = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket'

const SOCKET_PATHS: ReadonlySet<string | undefined> = new Set([SOCKET.path, DESK_SOCKET_PATH])

/** Node's HTTP server does not check the Host field and the version of an upgrade (RFC 6455, 4.2.1). */
const isForSocket = ({ method, url, headers, httpVersion }: IncomingMessage): boolean =>
  method === 'GET' &&
  SOCKET_PATHS.has(url?.split('?', 1)[0]) &&
  headers.host !== undefined &&
  httpVersion !== '1.0'

/** The stream of an upgraded connection, and bytes that were received with the request. */
type Upgrade = { readonly stream: Socket; readonly head: Buffer }

/** Adds WebSocket support. A handshake is routed like any request, so that the checks of its route apply. */
export function registerWebsockets(server: FastifyInstance): void {
  const clients = new Set<ServerSocket>()
  const upgrades = new WeakMap<IncomingMessage, Upgrade>()
  let isClosing = false

  server.server.on('upgrade', (request, stream, head) => {
    // From here on Node's HTTP server does not handle errors of the connection.
    stream.on('error', () => stream.destroy())
    // Other endpoints must not be called by an upgrade request.
    if (!isForSocket(request)) return answerBrokenRequest(new Error('an upgrade on another path'), stream)
    // Node's HTTP server passes its own sockets; its types allow others.
    upgrades.set(request, { stream: stream as Socket, head })
    route(server, request, stream as Socket)
  })

  const accept = (request: FastifyRequest, reply: FastifyReply): ServerSocket | RefusalReason => {
    const upgrade = upgrades.get(request.raw)
    if (!upgrade) return 'unknownEndpoint'
    const handshake = readHandshake(request.headers)
    if (!handshake) {
      // A client of another version learns which one to use (RFC 6455, 4.4).
      reply.header('sec-websocket-version', VERSION)
      return 'malformed'
    }
    // A client that has disconnected meanwhile would never send its close event.
    if (upgrade.stream.destroyed) return 'malformed'
    if (isClosing) return 'engineUnavailable'
    const { stream, head } = upgrade
    reply.hijack()
    reply.raw.detachSocket(stream)
    stream.write(handshakeAnswer(handshake))
    if (head.length > 0) stream.unshift(head)
    const socket = new ServerSocket(stream, {
      mayCompress: handshake.mayCompress,
      bytesMax: SOCKET.frameBytesMax,
      onError: (error) => request.log.error({ err: error }, 'a socket ended with an internal error'),
    })
    clients.add(socket)
    socket.on('close', () => clients.delete(socket))
    return socket
  }

  server.decorate('websocketServer', { clients, accept })
  server.addHook('preClose', async () => {
    isClosing = true
    for (const client of clients) client.close(CLOSE_CODE.goingAway)
    const timeout = setTimeout(() => {
      for (const client of clients) client.terminate()
    }, CLOSE_TIMEOUT_MS)
    server.server.on('close', () => clearTimeout(timeout))
  })
}

/** Routes a handshake. A refused one is answered and its connection closed. */
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
