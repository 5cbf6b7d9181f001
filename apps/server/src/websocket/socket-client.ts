import { encode, serverMessage, type ServerMessage } from '@fairlot/contract'
import type { SessionUser } from '../http/login-sessions.ts'
import type { SharedFrame } from './protocol/frame.ts'
import type { ServerSocket } from './protocol/server-socket.ts'
import type { Language } from '../i18n/translate.ts'

/** A reader this far behind is dropped, bytes. It connects anew and gets the present state. */
const MAX_UNSENT_BYTES = 1_000_000

/** One socket and what it has asked for. The hub alone changes it. */
export type SocketClient = {
  readonly socket: ServerSocket
  user: SessionUser | null
  tokenHash: string | null
  readonly topics: Set<string>
  /** The language of its notices and refusals. */
  readonly language: Language
  /** When the present round of prices began it had not taken all of the last. */
  isSlow: boolean
  /** It was left out of a round; as soon as it has caught up it is told the present state. */
  hasMissed: boolean
  /** It has answered since it was last asked whether it is still there. */
  isAlive: boolean
}

export function newClient(socket: ServerSocket, language: Language): SocketClient {
  const client: SocketClient = {
    ...{ socket, language, user: null, tokenHash: null, topics: new Set<string>() },
    ...{ isSlow: false, hasMissed: false, isAlive: true },
  }
  socket.on('pong', () => (client.isAlive = true))
  return client
}

export const frameOf = (message: ServerMessage): string => JSON.stringify(encode(serverMessage, message))

/** A message as it is sent: text for one reader, or one that many share and that is then packed once for all. */
export type Frame = string | SharedFrame

/** Sends a frame in any case; one who is too far behind is dropped. */
export function send({ socket }: SocketClient, frame: Frame): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate()
  else socket.send(frame)
}

/** Sends a frame that a newer one replaces: slow readers are left out, so that they get the latest and no queue. */
export function sendPrices(client: SocketClient, frame: Frame): void {
  if (client.isSlow) client.hasMissed = true
  else send(client, frame)
}

/** Begins a round of prices: notes who has not taken the last one yet. */
export function startRound(clients: Iterable<SocketClient>): void {
  for (const client of clients) client.isSlow = client.socket.bufferedAmount > 0
}

/** Drops whoever has not answered since the last time, and asks the others. */
export function checkAlive(clients: Iterable<SocketClient>): void {
  for (const client of clients) {
    const { socket } = client
    if (!client.isAlive) socket.terminate()
    else if (socket.readyState === socket.OPEN) socket.ping()
    client.isAlive = false
  }
}
