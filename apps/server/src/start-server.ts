import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { buildApp, type AppTiming } from './app.ts'
import { createHasher } from './auth/password-hash.ts'
import { makeFirstAdministrator } from './desk/operators/first-administrator.ts'
import { startDeployment, type Deployment, type EngineTerms, type OnError } from './deployment.ts'
import { realPace, type Pace } from './feeds/pace.ts'
import type { Config } from './config/config.ts'
import { writeFirstLegalTexts } from './legal/first-texts.ts'
import { writeFirstNews } from './news/first-news.ts'
import { createLog, tellErrors, type Log } from './http/log.ts'

/** A whole server: its deployment, and the HTTP server in front of it. */
export type Server = {
  /** What a person can open: a host that means "every interface" is none. */
  readonly url: string
  readonly deployment: Deployment
  readonly app: FastifyInstance
  readonly log: Log
  /** The password that was made for the first administrator of the desk, to be told once; null when none was. */
  readonly deskPassword: string | null
  /** Closes the HTTP server first: what is under way is still answered. */
  stop(): Promise<void>
}

/** What a test, a bench or the program that runs it may want otherwise. */
export type ServerTerms = EngineTerms & {
  /** Told of our own bugs and of trouble with the database; the log is, when it is left out. */
  readonly onError?: OnError
  readonly pace?: Pace
  readonly timing?: AppTiming
}

/**
 * Starts everything, in the only order in which it may: database, engine, HTTP server, prices. Throws an Error whose message
 * tells the operator what is wrong.
 */
export async function startServer(config: Config, given: ServerTerms = {}): Promise<Server> {
  const log = createLog(config.logLevel)
  const { onError = tellErrors(log), pace = realPace, timing, ...terms } = given
  const deployment = await startDeployment(config, onError, pace, terms)
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

/** What the operators begin with; answers the password that was made for the first of them. */
async function writeFirstRows({ database, config, wallClock }: Deployment): Promise<string | null> {
  await writeFirstLegalTexts(database.queries, wallClock())
  await writeFirstNews(database.queries, wallClock())
  return makeFirstAdministrator(database.queries, createHasher(), config.deskPassword, wallClock())
}

function addressOf(addresses: readonly (AddressInfo | string)[], host: string): string {
  const shown = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const [first] = addresses
  return `http://${shown}:${typeof first === 'object' ? first.port : ''}`
}
