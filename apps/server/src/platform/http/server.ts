import compress from '@fastify/compress'
import formbody from '@fastify/formbody'
import Fastify, { type FastifyInstance } from 'fastify'
import type { Config } from '../config/config.ts'
import { isUpgrade, registerWebsockets } from '../sockets/websockets.ts'
import { registerBodies } from './body-parser.ts'
import { answerBrokenRequest, answerError, registerErrors } from './errors.ts'
import { UPLOAD_WITHIN_MS } from './file-transfer.ts'
import type { Log } from './log.ts'
import { registerSecurity } from './security.ts'
import { NO_SCHEMA_COMPILERS } from './no-schema-compilers.ts'

/** The maximum length of a request body, except of uploads. */
const BODY_BYTES_MAX = 64 * 1024
/** Shorter answers are not compressed, bytes. */
const COMPRESSED_FROM = 1024
const HEADERS_TIMEOUT_MS = 30_000
/** Most calls have a shorter limit of their own; an upload may take all of `UPLOAD_WITHIN_MS`. */
const REQUEST_TIMEOUT_MS = UPLOAD_WITHIN_MS + 5_000
const CHECK_REQUESTS_MS = 1_000

type HttpServerOptions = {
  readonly log: Log
  readonly requestTimeoutMs?: number | undefined
  /** The only origin whose pages may be shown in a frame of ours (CSP `frame-src`); null for none. */
  readonly frameSource: () => string | null
  /** The scripts inside the page that a browser may run (CSP `script-src`). */
  readonly scriptHashes: readonly string[]
}

/** An HTTP server without routes: limits, errors, security headers, compression, body parsers and websockets. */
export async function createHttpServer(
  { trustProxy }: Pick<Config, 'trustProxy'>,
  { log, requestTimeoutMs = REQUEST_TIMEOUT_MS, frameSource, scriptHashes }: HttpServerOptions,
): Promise<FastifyInstance> {
  const server = Fastify({
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: requestTimeoutMs,
    http: {
      shouldUpgradeCallback: isUpgrade,
      headersTimeout: Math.min(HEADERS_TIMEOUT_MS, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(CHECK_REQUESTS_MS, requestTimeoutMs),
    },
    // Requests on open connections are still answered in full while the server closes.
    return503OnClosing: false,
    schemaController: NO_SCHEMA_COMPILERS,
    trustProxy: trustProxy === null ? false : [...trustProxy],
    loggerInstance: log,
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  registerErrors(server)
  await registerSecurity(server, frameSource, scriptHashes)
  await server.register(compress, { threshold: COMPRESSED_FROM })
  registerBodies(server)
  await server.register(formbody)
  registerWebsockets(server)
  return server
}
