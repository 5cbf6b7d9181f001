import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { TEST_DATA_KEY } from '../../../../testing/data-key.ts'
import { GENEROUS_LIMITS } from '../../../../testing/generous-limits.ts'
import { createTestDatabase } from '../../../../testing/test-database.ts'
import type {} from '../../../../tools/vitest-context.ts'
import type { AppTiming } from '../app.ts'
import type { DatabaseKind, DatabasePlace } from '../database/open.ts'
import { startDeployment, type Deployment } from '../deployment.ts'
import type { Pace } from '../feeds/pace.ts'
import { readConfig } from '../config/config.ts'
import { startServer as startWhole, type Server } from '../start-server.ts'
import { openPriceSource, quote, type PriceSource } from '../../../../testing/price-source.ts'

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
export type RunningServer = Server & {
  /** What went wrong behind the answers; a test that causes none of it expects none. */
  readonly failures: unknown[]
}

export async function startServer(place: DatabasePlace, options: ServerOptions = {}): Promise<RunningServer> {
  const failures: unknown[] = []
  const onError = (error: unknown) => void failures.push(error)
  const config = readConfig({
    ...GENEROUS_LIMITS,
    // A slow machine must not make a price stale between two lines of a test.
    SETTING_FRESHNESS_MS: '60000',
    DATA_DIR: place.dataDir || '.',
    DATA_KEY: place.databaseUrl === null ? '' : TEST_DATA_KEY,
    DATABASE_URL: place.databaseUrl ?? '',
    MARKET_HOURS: 'always',
    LOG_LEVEL: 'silent',
    PORT: '0',
    HOST: '127.0.0.1',
    ...options.env,
  })
  if ('problem' in config) throw new Error(config.problem)
  if (options.prepare) {
    const seeded = await startDeployment(config, onError)
    await options.prepare(seeded)
    await seeded.stop()
  }
  const { env: _env, prepare: _prepare, ...terms } = options
  return { ...(await startWhole(config, { ...terms, onError })), failures }
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
