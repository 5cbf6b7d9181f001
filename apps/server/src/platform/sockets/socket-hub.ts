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
 * The current state of a channel, as frames; null for an unknown code. A channel that has to load its state sends it
 * itself and returns a promise of that.
 */
export type Snapshot = (client: SocketClient, code: string | null) => readonly Frame[] | Promise<void> | null

/** All sockets and their topics. Channels publish through the hub, which alone writes to sockets. */
export type SocketHub = {
  add(socket: ServerSocket, language: Language): SocketClient
  remove(client: SocketClient): void
  logIn(client: SocketClient, user: SessionUser, tokenHash: string): void
  /** Removes the user and all private topics of a socket. */
  logOut(client: SocketClient): void
  /** Logs out the sockets of a session that has ended; those of a revoked session are closed. */
  forget(end: SessionEnd): void
  /** False for an unknown topic; a promise while the current state is being loaded and sent. */
  subscribe(client: SocketClient, topic: string): boolean | Promise<void>
  unsubscribe(client: SocketClient, topic: string): void
  readers(topic: string): ReadonlySet<SocketClient>
  readersOf(topic: string, userId: number): readonly SocketClient[]
  /** The users who have subscribed to a private topic, each with their sockets. */
  readersByUser(topic: string): Iterable<readonly [userId: number, readonly SocketClient[]]>
  /** Sets the snapshot that a channel sends to new subscribers, and to clients that have caught up. */
  onSubscribe(channel: Channel, snapshot: Snapshot): void
  readonly send: typeof send
  readonly sendPrices: typeof sendPrices
  /** Starts a round of prices: marks clients that have not received the last one yet. */
  startRound(): void
  /** Ends a round: sends the current state to clients that have missed rounds and have caught up. */
  endRound(): void
  checkAlive(): void
}

/** The close code for a revoked session, from the private range (RFC 6455, 7.4.2). */
const SESSION_REVOKED = 4001

const isPublic = (topic: string): boolean => channelOf(topic)?.channel.access === 'visitor'

const NOBODY: ReadonlySet<SocketClient> = new Set()

export function createSocketHub(): SocketHub {
  const clients = new Set<SocketClient>()
  const byTopic = createGroups<string>()
  const byUser = createGroups<number>()
  const snapshots = new Map<Channel, Snapshot>()
  const snapshotOf: SnapshotOf = (client, topic) => {
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
    [...byUser.clientsOf(userId)].filter(({ topics }) => topics.has(topic))

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
      // The private topics of another user must not stay on the socket.
      if (client.user && client.user.id !== user.id) logOut(client)
      Object.assign(client, { user, tokenHash })
      byUser.join(user.id, client)
    },
    logOut,
    forget: (end) => endSession(clients, end, logOut),
    subscribe: (client, topic) => {
      const snapshot = snapshotOf(client, topic)
      if (!snapshot) return false
      client.topics.add(topic)
      byTopic.join(topic, client)
      if (snapshot instanceof Promise) return snapshot
      for (const frame of snapshot) send(client, frame)
      return true
    },
    unsubscribe,
    readers: byTopic.clientsOf,
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
      for (const client of clients) if (client.hasMissed && !client.isSlow) catchUp(client, snapshotOf)
    },
    checkAlive: () => checkAlive(clients),
  }
}

/** Logs out the sockets of a session. */
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

/** Sends the current state of all public topics: each may have changed. */
function catchUp(client: SocketClient, snapshotOf: SnapshotOf): void {
  client.hasMissed = false
  for (const topic of client.topics) {
    const snapshot = isPublic(topic) ? snapshotOf(client, topic) : null
    if (snapshot && !(snapshot instanceof Promise)) for (const frame of snapshot) send(client, frame)
  }
}

/** Sets of clients by name; empty sets are removed. */
function createGroups<Name>() {
  const groups = new Map<Name, Set<SocketClient>>()
  return {
    names: () => groups.keys(),
    clientsOf: (name: Name): ReadonlySet<SocketClient> => groups.get(name) ?? NOBODY,
    join: (name: Name, client: SocketClient) => {
      groups.set(name, (groups.get(name) ?? new Set<SocketClient>()).add(client))
    },
    leave: (name: Name, client: SocketClient) => {
      const group = groups.get(name)
      if (group?.delete(client) && group.size === 0) groups.delete(name)
    },
  }
}
