import type { RefusalReason } from '@fairlot/contract'
import type { FastifyError, FastifyInstance } from 'fastify'
import { refused, sayOf } from './api.ts'
import { refuse } from './refusal.ts'

/** What could not be understood, by the HTTP status that the server's own checks gave it. */
const REASONS: Record<number, RefusalReason> = {
  413: 'payloadTooLarge',
  429: 'tooManyRequests',
}

/** Whatever goes wrong answers with the envelope; our own bugs are logged and never shown. */
export function registerErrors(server: FastifyInstance): void {
  server.setErrorHandler((error: FastifyError, request, reply) => {
    const status = error.statusCode ?? 500
    if (status >= 500) request.log.error({ error }, 'a call failed')
    const reason = status >= 500 ? 'internal' : (REASONS[status] ?? 'malformed')
    return refused(reply, sayOf(request), refuse(reason))
  })
}
