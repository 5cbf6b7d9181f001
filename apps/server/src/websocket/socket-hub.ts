import { channelOf, type Channel } from '@fairlot/contract'
import type { SessionEnd, SessionUser } from '../http/login-sessions.ts'
import {
  checkAlive,
  newClient,
  send,
  sendPrices,
  startRound,
  type Frame,
  type SocketClient,
} from './socket-client.ts'
import type { ServerSocket } from './protocol/server-socket.ts'
import type { Language } from '../i18n/translate.ts'

/**
 * The present state of a channel, as frames; null for a code that it does not know. A channel whose state has to be asked for
 * sends it itself, and says when it has.
 */
export type Snapshot = (client: SocketClient, code: string | null) => readonly Frame[] | Promise<void> | null

/** Everyone who listens. Channels publish here; nobody else writes to a socket. */
export type SocketHub = {
  add(socket: ServerSocket, language: Language): SocketClient
  remove(client: SocketClient): void
  logIn(client: SocketClient, user: SessionUser, tokenHash: string): void
  /** Forgets who a socket belongs to, and with it everything private it listens to. */
  logOut(client: SocketClient): void
  /** Private data stops at once when a session ends; the sockets of one that was revoked are closed. */
  forget(end: SessionEnd): void
  /** False when there is no such topic; where the present state is still being asked for, when it has been told. */
  subscribe(client: SocketClient, topic: string): boolean | Promise<void>
  unsubscribe(client: SocketClient, topic: string): void
  readers(topic: string): ReadonlySet<SocketClient>
  readersOf(topic: string, userId: number): readonly SocketClient[]
  /** Users who listen to a private topic, each with their sockets. */
  readersByUser(topic: string): Iterable<readonly [userId: number, readonly SocketClient[]]>
  /** What a channel tells somebody who has just subscribed, or has caught up with it. */
  onSubscribe(channel: Channel, snapshot: Snapshot): void
  readonly send: typeof send
  readonly sendPrices: typeof sendPrices
  /** Begins a round of prices: notes who has not taken the last one yet. */
  startRound(): void
  /** Ends it: tells the present state to whoever had missed rounds and can take it now. */
  endRound(): void
  checkAlive(): void
}

/** The close code of a session that was taken away; of those that are free for use (RFC 6455, 7.4.2). */
const SESSION_REVOKED = 4001

const isPublic = (topic: string): boolean => channelOf(topic)?.channel.access === 'visitor'

const NOBODY: ReadonlySet<SocketClient> = new Set()

export function createSocketHub(): SocketHub {
  const clients = new Set<SocketClient>()
  const byTopic = createGroups<string>()
  const byUser = createGroups<number>()
  const snapshots = new Map<Channel, Snapshot>()
  const greetingOf: SnapshotOf = (client, topic) => {
    const found = channelOf(topic)
    return (found && snapshots.get(found.channel)?.(client, found.code)) ?? null
  }
  const unsubscribe = (client: SocketClient, topic: string) => {
    client.topics.delete(topic)
    byTopic.leave(topic, client)
  }
  const logOut = (client: SocketClient) => {
    if (client.user) byUser.leave(client.user.id, client)
    Object.assign(client, { user: null, tokenHash: null })
    for (const topic of client.topics) {
      if (!isPublic(topic)) unsubscribe(client, topic)
    }
  }
  const readersOf = (topic: string, userId: number) =>
    [...byUser.members(userId)].filter(({ topics }) => topics.has(topic))

  return {
    add: (socket, language) => {
      const client = newClient(socket, language)
      clients.add(client)
      return client
    },
    remove: (client) => {
      logOut(client)
      for (const topic of client.topics) unsubscribe(client, topic)
      clients.delete(client)
    },
    logIn: (client, user, tokenHash) => {
      // Somebody else's private topics must not stay with the socket.
      if (client.user && client.user.id !== user.id) logOut(client)
      Object.assign(client, { user, tokenHash })
      byUser.join(user.id, client)
    },
    logOut,
    forget: (end) => endSession(clients, end, logOut),
    subscribe: (client, topic) => {
      const snapshot = greetingOf(client, topic)
      if (!snapshot) return false
      client.topics.add(topic)
      byTopic.join(topic, client)
      if (snapshot instanceof Promise) return snapshot
      for (const frame of snapshot) send(client, frame)
      return true
    },
    unsubscribe,
    readers: byTopic.members,
    readersOf,
    readersByUser: (topic) =>
      [...byUser.names()].flatMap((userId) => {
        const readers = readersOf(topic, userId)
        return readers.length === 0 ? [] : [[userId, readers] as const]
      }),
    onSubscribe: (channel, snapshot) => void snapshots.set(channel, snapshot),
    send,
    sendPrices,
    startRound: () => startRound(clients),
    endRound: () => {
      for (const client of clients) if (client.hasMissed && !client.isSlow) catchUp(client, greetingOf)
    },
    checkAlive: () => checkAlive(clients),
  }
}

/** Takes a session from the sockets that are logged in by it. */
function endSession(
  clients: ReadonlySet<SocketClient>,
  { tokenHash, isRevoked }: SessionEnd,
  logOut: (client: SocketClient) => void,
): void {
  for (const client of clients) {
    if (client.tokenHash !== tokenHash) continue
    logOut(client)
    if (isRevoked) client.socket.close(SESSION_REVOKED)
  }
}

type SnapshotOf = (client: SocketClient, topic: string) => ReturnType<Snapshot>

/** What it has missed may be in any of its public topics. */
function catchUp(client: SocketClient, greetingOf: SnapshotOf): void {
  client.hasMissed = false
  for (const topic of client.topics) {
    const snapshot = isPublic(topic) ? greetingOf(client, topic) : null
    if (snapshot && !(snapshot instanceof Promise)) for (const frame of snapshot) send(client, frame)
  }
}

/** Sets of clients by name; an empty one takes no room. */
function createGroups<Name>() {
  const groups = new Map<Name, Set<SocketClient>>()
  return {
    names: () => groups.keys(),
    members: (name: Name): ReadonlySet<SocketClient> => groups.get(name) ?? NOBODY,
    join: (name: Name, client: SocketClient) => {
      groups.set(name, (groups.get(name) ?? new Set<SocketClient>()).add(client))
    },
    leave: (name: Name, client: SocketClient) => {
      const group = groups.get(name)
      if (group?.delete(client) && group.size === 0) groups.delete(name)
    },
  }
}
