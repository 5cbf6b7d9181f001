import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp, type AppTiming } from './app.ts'
import { adoptPayoutMethods } from './funds/receiving-methods.ts'
import { adoptOperators, makeFirstAdministrator } from './desk/operators/first-administrator.ts'
import { startDeployment, type Deployment, type StartOptions, type OnError } from './deployment/deployment.ts'
import { realPace, type Pace } from './market/feeds/clock.ts'
import type { Config } from './platform/config/config.ts'
import { writeFirstLegalTexts } from './content/legal-texts.ts'
import { writeFirstNews } from './content/news/first-news.ts'
import { createLog, logErrors, type Log } from './platform/http/log.ts'
import { recordSettingsOfTwo } from './settings/first-values.ts'

/** A server: its deployment, and the HTTP server in front of it. */
export type Server = {
  /** An address that a browser can open, even when the server listens on every interface. */
  readonly url: string
  readonly deployment: Deployment
  readonly app: FastifyInstance
  readonly log: Log
  /** The generated password of the desk's first administrator, to be shown once; null when none was generated. */
  readonly deskPassword: string | null
  /** Closes the HTTP server first: requests in progress are still answered. */
  stop(): Promise<void>
}

/** Options of tests, benchmarks and the main program. */
export type ServerStartOptions = StartOptions & {
  /** Receives our own bugs and database failures; by default the log does. */
  readonly onError?: OnError
  readonly pace?: Pace
  readonly timing?: AppTiming
}

/**
 * Starts database, engine, HTTP server and prices, in this order. Throws an Error whose message names the problem for the operator.
 */
export async function startServer(config: Config, given: ServerStartOptions = {}): Promise<Server> {
  const log = createLog(config.logLevel)
  const { onError = logErrors(log), pace = realPace, timing, ...options } = given
  const deployment = await startDeployment(config, onError, pace, options)
  const deskPassword = await writeFirstRows(deployment).catch(async (error: unknown) => {
    await deployment.stop()
    throw error
  })
  const app = await buildApp(deployment, { ...timing, log })
  await app.listen({ port: config.port, host: config.host })
  await deployment.market.start()
  const stop = async () => {
    await app.close().catch((error: unknown) => onError(error, 'closing the server'))
    await deployment.stop()
  }
  return { url: addressOf(app.addresses(), config.host), deployment, app, log, deskPassword, stop }
}

/** Writes the first texts, operators and audit entries. Returns the password generated for the first administrator, if any. */
async function writeFirstRows({
  database,
  config,
  engine,
  hasher,
  wallClock,
}: Deployment): Promise<string | null> {
  await writeFirstLegalTexts(database.queries, wallClock())
  await writeFirstNews(database.queries, wallClock())
  const password = await makeFirstAdministrator(database.queries, hasher, config.deskPassword, wallClock())
  await adoptOperators(engine, database.queries)
  await adoptPayoutMethods(engine, database.queries)
  await recordSettingsOfTwo(database.queries, wallClock())
  return password
}

function addressOf(addresses: readonly (AddressInfo | string)[], host: string): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const [first] = addresses
  return `http://${shown}:${typeof first === 'object' ? first.port : ''}`
}
