import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { DatabasePlace } from '../../platform/database/open.ts'
import { startServerOn } from '../../../../../testing/server-process.ts'
import { everyDatabase } from '../../testing/on-every-database.ts'

const VERIFY = fileURLToPath(new URL('../../commands/verify.ts', import.meta.url))
/** Nothing listens there: these servers need no prices. */
const FEED = { FEED: 'ws://127.0.0.1:9' }

async function startOn(place: DatabasePlace) {
  const server = await startServerOn(place, FEED)
  onTestFinished(() => server.kill())
  return server
}

async function verifyOutput(place: DatabasePlace): Promise<string> {
  const env = {
    DATA_DIR: place.dataDir || '.',
    DATABASE_URL: place.databaseUrl ?? '',
    MARKET_HOURS: 'always',
  }
  return (await promisify(execFile)(process.execPath, [VERIFY], { env })).stdout
}

const statusOf = async (url: string): Promise<number> => (await fetch(url)).status

describe.each(everyDatabase)('two programs on one database, $kind', (databases) => {
  it('refuses the second before it serves anything, but neither verify nor a server started after the first was killed', async () => {
    const place = await databases.place()
    const first = await startOn(place)
    await expect(startServerOn(place, FEED)).rejects.toThrow(
      /Fairlot could not start: another Fairlot is running (in the data folder \S+|on this database)\. Stop it first/,
    )
    expect(await verifyOutput(place)).toMatch(/no difference/)
    expect(await statusOf(`${first.url}/readyz`)).toBe(200)
    await first.kill()
    const next = await startOn(place)
    expect(await statusOf(`${next.url}/readyz`)).toBe(200)
    expect(await next.stop()).toBe(0)
  })

  if (databases.kind === 'sqlite') return

  it('stops a server, with a message, whose database was taken over while its connection was down', async () => {
    const place = await databases.place()
    const server = await startOn(place)
    const client = new Client({ connectionString: place.databaseUrl ?? '' })
    await client.connect()
    onTestFinished(() => client.end())
    const held = `from pg_locks join pg_database d on d.oid = database and d.datname = current_database()
      where locktype = 'advisory'`
    const other = new Client({ connectionString: place.databaseUrl ?? '' })
    await other.connect()
    onTestFinished(() => other.end())
    const taken = other.query(`select pg_advisory_lock(classid::bigint::int, objid::bigint::int) ${held}`)
    await expect
      .poll(async () => (await client.query(`select ${held} and not granted`)).rows.length, {
        timeout: 5_000,
      })
      .toBe(1)
    await client.query(`select pg_terminate_backend(pid) ${held} and granted`)
    await taken
    expect(await server.exited()).toBe(1)
    expect(server.output()).toMatch(/Fairlot ends: another Fairlot has taken over this database/)
  })
})
