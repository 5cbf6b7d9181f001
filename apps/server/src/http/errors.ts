import type { Duplex } from 'node:stream'
import { statusOf, type RefusalReason } from '@fairlot/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { envelopeOf, refused, translatorOf } from './api.ts'
import { STATUS_CODES } from './node-http.ts'
import { refuse } from './refusal.ts'
import { languageOf, translatorFor } from '../i18n/translate.ts'

/** What could not be served, by the HTTP status that the server's own checks gave it. */
const REASONS: Record<number, RefusalReason> = {
  404: 'unknownEndpoint',
  408: 'requestTooSlow',
  413: 'payloadTooLarge',
  431: 'payloadTooLarge',
  429: 'tooManyRequests',
  503: 'engineUnavailable',
}

/** Whatever goes wrong answers with the envelope; our own bugs are logged and never shown. */
export function registerErrors(server: FastifyInstance): void {
  server.setErrorHandler(answerError)
  server.setNotFoundHandler((request, reply) =>
    refused(reply, translatorOf(request), refuse('unknownEndpoint')),
  )
}

/** Answers a call that ended in an error, before or inside its route. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reason = hasNotArrived(error, request) ? 'requestTooSlow' : reasonOf(error)
  // The rest of its body is not waited for.
  if (reason === 'requestTooSlow') reply.header('connection', 'close')
  if (statusOf(reason) >= 500) request.log.error({ err: error }, 'a call failed')
  return refused(reply, translatorOf(request), refuse(reason))
}

/** The time for an answer is over, and the request is not even here: nothing was begun. */
const hasNotArrived = (error: FastifyError, request: FastifyRequest): boolean =>
  error.code === 'FST_ERR_HANDLER_TIMEOUT' && !request.raw.complete

function reasonOf(error: FastifyError): RefusalReason {
  if (isDatabaseAway(error)) return 'engineUnavailable'
  const status = error.statusCode ?? 500
  return REASONS[status] ?? (status >= 500 ? 'internal' : 'malformed')
}

/**
 * The database could not be reached or has gone: errors of the network, of the pool that waits for a connection, SQLSTATE
 * classes 08 (connection), 53 (resources) and 57 (shutdown), a connection that broke before it was asked, and SQLite's busy,
 * full, read-only and I/O errors.
 */
export function isDatabaseAway(
  error: Error & { code?: unknown; errcode?: unknown; syscall?: unknown },
): boolean {
  const { code, errcode, syscall, message } = error
  if (typeof errcode === 'number') return [5, 8, 10, 13, 14].includes(errcode & 0xff)
  if (typeof syscall === 'string') return true
  if (typeof code === 'string' && /^(08|53|57)[0-9A-Z]{3}$/.test(code)) return true
  return /^(Connection terminated|Query read timeout|timeout exceeded when trying to connect)|is not queryable$/.test(
    message,
  )
}

/** How long a client may take to read the answer to a malformed request, ms. */
const READ_ANSWER_WITHIN_MS = 1_000

const BROKEN: Readonly<Record<string, RefusalReason>> = {
  HPE_HEADER_OVERFLOW: 'payloadTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTooSlow',
}

/** Answers bytes that are no HTTP request, or one whose header is too long or too slow to come. */
export function answerBrokenRequest(error: Error & { code?: unknown }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const reason = BROKEN[String(error.code)] ?? 'malformed'
  const body = JSON.stringify(envelopeOf(translatorFor(languageOf(undefined)), refuse(reason)))
  const status = statusOf(reason)
  // The client may keep its side of the connection open for ever.
  const cut = setTimeout(() => socket.destroy(), READ_ANSWER_WITHIN_MS)
  socket.once('close', () => clearTimeout(cut))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}
