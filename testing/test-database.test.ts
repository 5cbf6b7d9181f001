import { createServer } from 'node:net'
import { Client } from 'pg'
import { afterAll, describe, expect, inject, it } from 'vitest'
import { createTestDatabase } from './test-database.ts'
import type {} from '../tools/vitest-context.ts'

const ofThisRun = inject('postgresUrl')

async function answer(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return Object.values((await client.query(statement)).rows[0] ?? {})[0]
  } finally {
    await client.end()
  }
}

/** A closed port: taken once and released. */
const closedPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })

describe('test database', () => {
  it('reports a given server that does not answer', async () => {
    const url = `postgres://nobody@127.0.0.1:${await closedPort()}/postgres`
    await expect(createTestDatabase(url)).rejects.toThrow(/^TEST_DATABASE_URL cannot be used: .*ECONNREFUSED/)
  })
})

describe.runIf(ofThisRun !== null)('test database on PostgreSQL', async () => {
  const serverUrl = new URL(ofThisRun ?? 'postgres://none')
  serverUrl.pathname = '/postgres'
  const database = ofThisRun === null ? null : await createTestDatabase(serverUrl.href)
  afterAll(() => database?.drop())

  it('is empty, and removed by drop despite open connections', async () => {
    const url = database?.url ?? ''
    const tables = "select count(*)::int from information_schema.tables where table_schema = 'public'"
    expect(await answer(url, tables)).toBe(0)
    const open = new Client({ connectionString: url })
    open.on('error', () => {})
    await open.connect()
    await database?.drop()
    await expect(answer(url, 'select 1')).rejects.toThrow(/does not exist/)
    await open.end()
  })

  it('removes databases that a killed run left behind, but no recent ones', async () => {
    const old = 'fairlot_test_1_1000000000000_1'
    const young = `fairlot_test_1_${Date.now()}_1`
    for (const name of [old, young])
      await answer(serverUrl.href, `create database ${name} template template0`)
    await (await createTestDatabase(serverUrl.href)).drop()
    const names = `select string_agg(datname, ' ') from pg_database where datname in ('${old}', '${young}')`
    const left = await answer(serverUrl.href, names)
    await answer(serverUrl.href, `drop database ${young}`)
    expect(left).toBe(young)
  })

  it('gives every run its own database', () => {
    expect(ofThisRun).toMatch(/\/fairlot_test_\d+_\d+_\d+$/)
    expect(database?.url).not.toBe(ofThisRun)
  })
})
