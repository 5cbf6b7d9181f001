import { encode, serverMessage, type ServerMessage } from '@fairlot/contract'
import type { SessionUser } from '../http/login-sessions.ts'
import type { SharedFrame } from './protocol/frame.ts'
import type { ServerSocket } from './protocol/server-socket.ts'
import type { Language } from '../i18n/translate.ts'

/** A client with more unsent bytes is dropped. It can connect again and get the current state. */
const MAX_UNSENT_BYTES = 1_000_000

/** A socket with its user and topics. Only the hub changes it. */
export type SocketClient = {
  readonly socket: ServerSocket
  user: SessionUser | null
  tokenHash: string | null
  readonly topics: Set<string>
  /** The language of its notices and refusals. */
  readonly language: Language
  /** It had not received all of the last round of prices when the current one started. */
  isSlow: boolean
  /** It was left out of a round, so it gets the current state once it has caught up. */
  hasMissed: boolean
  /** It has answered the last ping. */
  isAlive: boolean
}

export function newClient(socket: ServerSocket, language: Language): SocketClient {
  const client: SocketClient = {
    socket,
    language,
    user: null,
    tokenHash: null,
    topics: new Set<string>(),
    isSlow: false,
    hasMissed: false,
    isAlive: true,
  }
  socket.on('pong', () => (client.isAlive = true))
  return client
}

export const frameOf = (message: ServerMessage): string => JSON.stringify(encode(serverMessage, message))

/** A message: text for one client, or a frame that many clients share, which is compressed once. */
export type Frame = string | SharedFrame

/** Sends a frame; a client that is too far behind is dropped. */
export function send({ socket }: SocketClient, frame: Frame): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > MAX_UNSENT_BYTES) socket.terminate()
  else socket.send(frame)
}

/** Sends a frame that a newer one will replace: slow clients are left out, so that no queue builds up. */
export function sendPrices(client: SocketClient, frame: Frame): void {
  if (client.isSlow) client.hasMissed = true
  else send(client, frame)
}

/** Starts a round of prices: marks clients that have not received the last one yet. */
export function startRound(clients: Iterable<SocketClient>): void {
  for (const client of clients) client.isSlow = client.socket.bufferedAmount > 0
}

/** Drops clients that have not answered the last ping, and pings the others. */
export function checkAlive(clients: Iterable<SocketClient>): void {
  for (const client of clients) {
    const { socket } = client
    if (!client.isAlive) socket.terminate()
    else if (socket.readyState === socket.OPEN) socket.ping()
    client.isAlive = false
  }
}
