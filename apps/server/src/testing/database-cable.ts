import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import type { DatabasePlace } from '../database/open.ts'

/** The line between the server and a PostgreSQL, in the hands of the test. */
export type DatabaseCable = {
  /** The database at the other end of it. */
  readonly place: DatabasePlace
  /** Cuts every connection, and refuses new ones until it is plugged in again. */
  pull(): void
  plug(): void
  /** Nothing passes any more, and nobody is told. */
  freeze(): void
  close(): void
}

export async function openCable(place: DatabasePlace & { databaseUrl: string }): Promise<DatabaseCable> {
  const target = new URL(place.databaseUrl)
  const ends = new Set<Socket>()
  let state: 'plugged' | 'pulled' | 'frozen' = 'plugged'
  const server = createServer((near) => {
    if (state === 'pulled') return near.destroy()
    const far = connect(Number(target.port || 5432), target.hostname)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(from)
      from.on('data', (chunk) => state === 'plugged' && to.write(chunk))
      from.on('error', () => undefined)
      from.on('close', () => {
        ends.delete(from)
        to.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const cut = () => {
    for (const end of ends) end.destroy()
  }
  return {
    place: { ...place, databaseUrl: url.href },
    pull: () => {
      state = 'pulled'
      cut()
    },
    plug: () => {
      if (state === 'frozen') cut()
      state = 'plugged'
    },
    freeze: () => {
      state = 'frozen'
    },
    close: () => {
      cut()
      server.close()
    },
  }
}
