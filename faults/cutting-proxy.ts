import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'

/** Recognises an append to the journal, and the end of a transaction that writes tables. */
const APPEND = Buffer.from('insert into "journal"')
const COMMIT = Buffer.from('commit\0')
const STALL_MS = 1_000

/**
 * When a connection is cut: before the append reaches the database, after it was answered, while it is in progress
 * (the answer is not awaited), after a silence, after the commit of a segment of the tables, or all connections at
 * once.
 */
export const CUTS = ['before', 'after', 'inProgress', 'silence', 'tables', 'all'] as const
export type Cut = (typeof CUTS)[number]

/** A proxy between server and database that forwards everything until a test cuts the connection. */
export type CuttingProxy = {
  /** The same database address, through the proxy. */
  through(url: string): string
  /** Cuts at the next occasion; resolves once it has. */
  cut(where: Cut): Promise<void>
  close(): void
}

export async function openCuttingProxy(): Promise<CuttingProxy> {
  let databasePort = 0
  let armed: { readonly where: Cut; readonly done: () => void } | null = null
  const pairs = new Set<readonly [Socket, Socket]>()

  const take = (where: Cut): (() => void) => {
    const done = armed?.done ?? (() => undefined)
    armed = null
    if (where !== 'all') return done
    for (const pair of pairs) cutPair(pair)
    return done
  }

  const server = createServer((client) => {
    const database = connect(databasePort, '127.0.0.1')
    const pair = [client, database] as const
    pairs.add(pair)
    let onAnswer: (() => void) | null = null
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        cutPair(pair)
        pairs.delete(pair)
      })
    }
    client.on('data', (chunk: Buffer) => {
      const where = armed?.where
      const isStruck = where !== undefined && chunk.includes(where === 'tables' ? COMMIT : APPEND)
      if (!isStruck) return void database.write(chunk)
      const done = take(where)
      const cutNow = () => {
        cutPair(pair)
        done()
      }
      if (where === 'before') return cutNow()
      database.write(chunk)
      if (where === 'inProgress') return void setImmediate(cutClient, pair, done)
      onAnswer = where === 'silence' ? () => setTimeout(cutNow, STALL_MS) : cutNow
    })
    database.on('data', (chunk: Buffer) => {
      if (onAnswer === null) return void client.write(chunk)
      onAnswer()
      onAnswer = () => undefined
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo

  return {
    through: (url) => {
      const direct = new URL(url)
      databasePort = Number(direct.port)
      direct.port = String(port)
      return direct.href
    },
    cut: (where) =>
      new Promise((done) => {
        armed = { where, done }
        if (where === 'all') take('all')()
      }),
    close: () => {
      server.close()
      for (const pair of pairs) cutPair(pair)
    },
  }
}

const cutPair = (pair: readonly [Socket, Socket]): void => pair.forEach((socket) => void socket.destroy())

/** The database completes the append; the server sees a broken connection. */
function cutClient([client, database]: readonly [Socket, Socket], done: () => void): void {
  client.resetAndDestroy()
  database.end()
  done()
}
