import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { createTestDatabase } from '../../../../tools/postgres/test-database.ts'
import type {} from '../../../../tools/vitest-context.ts'
import { buildApp, type AppTiming } from '../app.ts'
import type { DatabaseKind, DatabasePlace } from '../database/open.ts'
import { startDeployment, type Deployment } from '../deployment.ts'
import type { Pace } from '../feeds/pace.ts'
import { readConfig } from '../plugins/config.ts'
import { openPriceSource, quote, type PriceSource } from './price-source.ts'

/** The databases of this run. Without a PostgreSQL the run says so once, at its start. */
export const DATABASES: readonly DatabaseKind[] =
  inject('postgresUrl') === null ? ['sqlite'] : ['sqlite', 'postgres']

export type ServerOptions = {
  /** Variables of the environment, on top of those that a test needs. */
  readonly env?: Readonly<Record<string, string>>
  readonly pace?: Pace
  readonly timing?: AppTiming
  /** Arranges a deployment that has just begun its journal, before the server starts on its database. */
  readonly prepare?: (deployment: Deployment) => Promise<void>
}

/** A whole server, on a free port, with everything real in it. */
export type RunningServer = {
  readonly url: string
  readonly deployment: Deployment
  readonly app: FastifyInstance
  /** What went wrong behind the answers; a test that causes none of it expects none. */
  readonly failures: unknown[]
  stop(): Promise<void>
}

/** Limits that tests of other things do not run into. */
const GENEROUS = {
  SETTING_CALLS_PER_SECOND: '100000',
  SETTING_ADDRESS_CALLS_PER_SECOND: '100000',
  SETTING_DEMO_ACCOUNTS_PER_HOUR: '100000',
  SETTING_FAILED_LOGINS_PER_ADDRESS: '100000',
  SETTING_FAILED_LOGINS_PER_ACCOUNT: '100000',
  SETTING_CODES_PER_TARGET: '100000',
  SETTING_CODES_PER_ADDRESS: '100000',
  SETTING_CAPTCHAS_PER_ADDRESS: '100000',
  SETTING_SOCKET_HANDSHAKES_PER_SECOND: '100000',
  SETTING_SOCKETS_PER_ADDRESS: '100000',
  // A slow machine must not make a price stale between two lines of a test.
  SETTING_FRESHNESS_MS: '60000',
}

export async function startServer(place: DatabasePlace, options: ServerOptions = {}): Promise<RunningServer> {
  const failures: unknown[] = []
  const config = readConfig({
    ...GENEROUS,
    DATA_DIR: place.dataDir || '.',
    DATABASE_URL: place.databaseUrl ?? '',
    MARKET_HOURS: 'always',
    LOG_LEVEL: 'silent',
    ...options.env,
  })
  if ('problem' in config) throw new Error(config.problem)
  if (options.prepare) {
    const seeded = await startDeployment(config, (error) => failures.push(error))
    await options.prepare(seeded)
    await seeded.stop()
  }
  const deployment = await startDeployment(config, (error) => failures.push(error), options.pace)
  const app = await buildApp(deployment, options.timing)
  await app.listen({ port: 0, host: '127.0.0.1' })
  await deployment.market.start()
  const { port } = app.server.address() as AddressInfo
  const stop = async () => {
    await app.close()
    await deployment.stop()
  }
  return { url: `http://127.0.0.1:${port}`, deployment, app, failures, stop }
}

/** An empty database that outlives a single test. */
export async function makePlace(kind: DatabaseKind): Promise<DatabasePlace & { remove(): Promise<void> }> {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl !== null) {
    const server = new URL(postgresUrl)
    server.pathname = '/postgres'
    const { url, drop } = await createTestDatabase(server.href)
    return { databaseUrl: url, dataDir: '', remove: drop }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-server-'))
  const remove = () => Promise.resolve(rmSync(dataDir, { recursive: true, force: true }))
  return { databaseUrl: null, dataDir, remove }
}

/** A server of a test file, whose prices the tests set. */
export type PricedServer = RunningServer & {
  readonly source: PriceSource
  readonly place: DatabasePlace
  /** Sends a price and waits until it counts. */
  price(code: string, prices: readonly [bid: number, ask: number], time?: number): ReturnType<typeof quote>
}

/** Starts a server before the tests around it and ends it after them; nothing may have gone wrong behind its answers. */
export function serverOn(kind: DatabaseKind, options: ServerOptions = {}): () => PricedServer {
  let started: (PricedServer & { remove(): Promise<void> }) | null = null
  beforeAll(async () => {
    const { remove, ...place } = await makePlace(kind)
    const source = await openPriceSource()
    const server = await startServer(place, { ...options, env: { FEED: source.url, ...options.env } })
    const price: PricedServer['price'] = (...what) => quote(source, server.deployment.engine, ...what)
    started = { ...server, source, place, price, remove }
  })
  afterAll(async () => {
    await started?.stop()
    started?.source.close()
    await started?.remove()
    expect(started?.failures).toEqual([])
  })
  return () => {
    if (!started) throw new Error('the server of these tests has not started')
    return started
  }
}
