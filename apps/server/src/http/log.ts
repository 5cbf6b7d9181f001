import type { FastifyBaseLogger } from 'fastify'
import { pino } from 'pino'

/** One line of JSON each, on standard output: requests, what went wrong, and what operators should know. */
export type Log = FastifyBaseLogger

/** `level` as LOG_LEVEL has it. No line holds the token of a session. */
export const createLog = (level: string): Log => pino({ level, redact: ['req.headers.authorization'] })

/** Writes what went wrong behind the answers as an error with its stack, and under `doing` what was being done. */
export const tellErrors =
  (log: Log) =>
  (error: unknown, doing: string): void => {
    const err = error instanceof Error ? error : new Error(String(error))
    log.error({ err, doing }, `While ${doing}: ${err.message}`)
  }
