import websocket from '@fastify/websocket'
import { SOCKET } from '@fairlot/contract'
import type { FastifyInstance } from 'fastify'
import { answerBrokenRequest } from './errors.ts'

/** Sockets that have not said good-bye so long after the server has are cut, ms. */
const GOODBYE_MS = 1_000
/** Close code of a server that goes away (RFC 6455, 7.4.1). */
const GOING_AWAY = 1001

/** Lets the server speak WebSocket, with compression whose memory per socket is tens of kilobytes, not hundreds. */
export async function registerWebsockets(server: FastifyInstance): Promise<void> {
  await server.register(websocket, {
    options: {
      maxPayload: SOCKET.frameBytesMax,
      perMessageDeflate: {
        threshold: 1024,
        serverNoContextTakeover: true,
        clientNoContextTakeover: true,
        serverMaxWindowBits: 12,
        zlibDeflateOptions: { memLevel: 5, level: 3 },
      },
    },
    // A broken frame ends its socket by itself; the error only has to have a listener.
    errorHandler: (_error, socket) => socket.terminate(),
    preClose(done) {
      const { websocketServer } = server
      for (const client of websocketServer.clients) client.close(GOING_AWAY)
      const cut = setTimeout(() => {
        for (const client of websocketServer.clients) client.terminate()
      }, GOODBYE_MS)
      websocketServer.close(() => clearTimeout(cut))
      done()
    },
  })
  server.websocketServer.on('wsClientError', answerBrokenRequest)
}
