import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { DatabasePlace } from '../platform/database/open.ts'

/** A TCP proxy in front of PostgreSQL, which a test can interrupt. */
export type DatabaseProxy = {
  /** The database behind the proxy, at the proxy's address. */
  readonly place: DatabasePlace
  /** Closes every connection, and refuses new ones until `reconnect`. */
  disconnect(): void
  reconnect(): void
  /** Drops all data silently; the connections stay open. */
  freeze(): void
  /** The next commit reaches the database, but the connection is closed in place of its answer. */
  dropCommitAnswer(): void
  close(): void
}

export async function openProxy(place: DatabasePlace & { databaseUrl: string }): Promise<DatabaseProxy> {
  const target = new URL(place.databaseUrl)
  const sockets = new Set<Socket>()
  let state: 'connected' | 'disconnected' | 'frozen' = 'connected'
  let dropsNextCommit = false
  const server = createServer((client) => {
    if (state === 'disconnected') return client.destroy()
    const database = connect(Number(target.port || 5432), target.hostname)
    let isAnswerDropped = false
    client.on('data', (chunk) => {
      if (!dropsNextCommit || !chunk.includes('commit')) return
      isAnswerDropped = true
      dropsNextCommit = false
    })
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => {
        if (state !== 'connected') return
        if (from === database && isAnswerDropped) client.destroy()
        else to.write(chunk)
      })
      from.on('error', () => undefined)
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const closeAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    place: { ...place, databaseUrl: url.href },
    disconnect: () => {
      state = 'disconnected'
      closeAll()
    },
    reconnect: () => {
      if (state === 'frozen') closeAll()
      state = 'connected'
    },
    freeze: () => {
      state = 'frozen'
    },
    dropCommitAnswer: () => {
      dropsNextCommit = true
    },
    close: () => {
      closeAll()
      server.close()
    },
  }
}
