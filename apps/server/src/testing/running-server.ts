import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { TEST_DATA_KEY } from '../../../../testing/data-key.ts'
import { GENEROUS_LIMITS } from '../../../../testing/generous-limits.ts'
import { createTestDatabase } from '../../../../testing/test-database.ts'
import type {} from '../../../../tools/vitest-context.ts'
import type { AppTiming } from '../app.ts'
import type { DatabaseKind, DatabasePlace } from '../platform/database/open.ts'
import { startDeployment, type Deployment } from '../deployment/deployment.ts'
import type { Pace } from '../market/feeds/clock.ts'
import { readConfig } from '../platform/config/config.ts'
import { startServer as startWhole, type Server, type ServerStartOptions } from '../start-server.ts'
import { openPriceSource, quote, type PriceSource } from '../../../../testing/price-source.ts'

/**
 * The databases of this run. Without PostgreSQL the run reports that once, at its start; most areas run on both in
 * `npm run check:all` only.
 */
export const DATABASES: readonly DatabaseKind[] =
  inject('postgresUrl') === null || inject('databases') === 'one' ? ['sqlite'] : ['sqlite', 'postgres']

/** Cheap hashes, because a run of all tests makes more than a thousand; the real cost has tests of its own. */
const CHEAP: ServerStartOptions['hashCost'] = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 }

export type ServerOptions = {
  /** Environment variables, in addition to those that every test needs. */
  readonly env?: Readonly<Record<string, string>>
  readonly pace?: Pace
  readonly timing?: AppTiming
  /** The cost of a password hash; cheap by default, `undefined` for the real cost. */
  readonly hashCost?: ServerStartOptions['hashCost']
  /** Prepares a new deployment before the server starts on its database. */
  readonly prepare?: (deployment: Deployment) => Promise<void>
}

/** A complete server on a free port, without mocks. */
export type RunningServer = Server & {
  /** Internal errors; a test that causes none expects none. */
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
    const seeded = await startDeployment(config, onError, undefined, { hashCost: CHEAP })
    await options.prepare(seeded)
    await seeded.stop()
  }
  const { env: _env, prepare: _prepare, ...terms } = options
  return { ...(await startWhole(config, { hashCost: CHEAP, ...terms, onError })), failures }
}

/** A database for several tests: with all tables and no rows, or without tables. */
export async function makePlace(
  kind: DatabaseKind,
  { hasTables = true } = {},
): Promise<DatabasePlace & { remove(): Promise<void> }> {
  const postgresUrl = inject('postgresUrl')
  if (kind === 'postgres' && postgresUrl !== null) {
    const server = new URL(postgresUrl)
    server.pathname = '/postgres'
    const { url, drop } = await createTestDatabase(
      server.href,
      hasTables ? inject('templates').postgres : undefined,
    )
    return { databaseUrl: url, dataDir: '', remove: drop }
  }
  const dataDir = mkdtempSync(join(tmpdir(), 'fairlot-server-'))
  if (hasTables) cpSync(inject('templates').sqlite, dataDir, { recursive: true })
  const remove = () => Promise.resolve(rmSync(dataDir, { recursive: true, force: true }))
  return { databaseUrl: null, dataDir, remove }
}

/** A server whose prices the tests set. */
export type PricedServer = RunningServer & {
  readonly source: PriceSource
  readonly place: DatabasePlace
  /** Sends a price and waits until the engine has it. */
  price(code: string, prices: readonly [bid: number, ask: number], time?: number): ReturnType<typeof quote>
}

/** Starts a server before the tests of a block and stops it after them; it expects no internal errors. */
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
