import type { FastifyBaseLogger, FastifyRequest } from 'fastify'
import { pino } from 'pino'

/** Requests, errors and notes for operators, as lines of JSON on standard output. */
export type Log = FastifyBaseLogger

/** `level` is LOG_LEVEL. No line contains a session token or the query of a URL. */
export const createLog = (level: string): Log =>
  pino({
    level,
    redact: ['req.headers.authorization'],
    serializers: { req: shownRequest },
  })

/** A request as it is logged, with its query redacted. */
const shownRequest = ({ method, url, host, ip, socket }: FastifyRequest) => ({
  method,
  url: withoutQuery(url),
  host,
  remoteAddress: ip,
  remotePort: socket.remotePort,
})

/** Some clients start a query with `;`. */
const withoutQuery = (url: string): string => {
  const start = url.search(/[?#;]/)
  return start === -1 ? url : `${url.slice(0, start)}?[redacted]`
}

/** Logs an internal error with its stack; `doing` says what failed. */
export const logErrors =
  (log: Log) =>
  (error: unknown, doing: string): void => {
    const err = error instanceof Error ? error : new Error(String(error))
    log.error({ err, doing }, `While ${doing}: ${err.message}`)
  }
