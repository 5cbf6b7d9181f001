import { channelOf, encode, serverMessage, SOCKET, type Channel, type ServerMessage } from '@fairlot/contract'
import type { WebSocket } from 'ws'
import type { SessionUser } from './sessions.ts'

/** A reader this far behind is dropped, bytes. It connects anew and gets the present state. */
const MAX_UNSENT_BYTES = 1_000_000

/** One socket and what it has asked for. */
export type SocketClient = {
  readonly socket: WebSocket
  user: SessionUser | null
  tokenHash: string | null
  readonly topics: Set<string>
  /** It missed price frames while it had unsent bytes; the next one brings everything. */
  isBehind: boolean
}

/** What a channel says to somebody who has just subscribed. */
export type Greeting = (client: SocketClient, code: string | null) => readonly ServerMessage[]

/** Everyone who listens. Channels publish here; nobody else writes to a socket. */
export type SocketHub = {
  add(client: SocketClient): void
  remove(client: SocketClient): void
  subscribe(client: SocketClient, topic: string): void
  unsubscribe(client: SocketClient, topic: string): void
  readers(topic: string): ReadonlySet<SocketClient>
  /** Sockets of a user that listen to a private channel. */
  readersOf(topic: string, userId: number): readonly SocketClient[]
  /** Users who listen to a private channel. */
  usersOn(topic: string): Set<number>
  greet(channel: Channel, greeting: Greeting): void
  send(client: SocketClient, message: ServerMessage): void
  /** Sends one finished frame. A reader that has unsent bytes is left out and marked; the latest price wins. */
  sendPrices(client: SocketClient, frame: string): void
  /** Private data stops at once when a session ends. */
  forget(tokenHash: string): void
}

const NOBODY: ReadonlySet<SocketClient> = new Set()

export const frameOf = (message: ServerMessage): string => JSON.stringify(encode(serverMessage, message))

export function createSocketHub(): SocketHub {
  const clients = new Set<SocketClient>()
  const byTopic = new Map<string, Set<SocketClient>>()
  const greetings = new Map<Channel, Greeting>()

  const unsubscribe = (client: SocketClient, topic: string) => {
    client.topics.delete(topic)
    byTopic.get(topic)?.delete(client)
    if (byTopic.get(topic)?.size === 0) byTopic.delete(topic)
  }
  const readers = (topic: string) => byTopic.get(topic) ?? NOBODY
  const sendFrame = (client: SocketClient, frame: string) => {
    if (client.socket.readyState !== client.socket.OPEN) return
    if (client.socket.bufferedAmount > MAX_UNSENT_BYTES) client.socket.terminate()
    else client.socket.send(frame)
  }
  const send = (client: SocketClient, message: ServerMessage) => sendFrame(client, frameOf(message))

  return {
    add: (client) => void clients.add(client),
    remove: (client) => {
      for (const topic of client.topics) unsubscribe(client, topic)
      clients.delete(client)
    },
    subscribe: (client, topic) => {
      const found = channelOf(topic)
      if (!found) return
      client.topics.add(topic)
      byTopic.set(topic, (byTopic.get(topic) ?? new Set()).add(client))
      for (const message of greetings.get(found.channel)?.(client, found.code) ?? []) send(client, message)
    },
    unsubscribe,
    readers,
    readersOf: (topic, userId) => [...readers(topic)].filter((client) => client.user?.id === userId),
    usersOn: (topic) => new Set([...readers(topic)].flatMap((client) => client.user?.id ?? [])),
    greet: (channel, greeting) => void greetings.set(channel, greeting),
    send,
    sendPrices: (client, frame) => {
      if (client.socket.bufferedAmount > 0) client.isBehind = true
      else sendFrame(client, frame)
    },
    forget: (tokenHash) => {
      for (const client of clients) if (client.tokenHash === tokenHash) logOutClient(client, unsubscribe)
    },
  }
}

/** Forgets who a socket belongs to, and with it everything private it listens to. */
export function logOutClient(
  client: SocketClient,
  unsubscribe: (client: SocketClient, topic: string) => void,
): void {
  client.user = null
  client.tokenHash = null
  for (const topic of client.topics) {
    if (channelOf(topic)?.channel.access !== 'visitor') unsubscribe(client, topic)
  }
}

export const isTooMany = (client: SocketClient): boolean => client.topics.size >= SOCKET.topicsPerSocketMax
