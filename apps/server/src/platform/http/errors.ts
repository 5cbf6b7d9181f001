import type { Duplex } from 'node:stream'
import { statusOf, type RefusalReason } from '@fairlot/contract'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { envelopeOf, refused, translatorOf } from './api.ts'
import { STATUS_CODES } from './node-http.ts'
import { refuse } from '../refusal.ts'
import { languageOf, translatorFor } from '../i18n/translate.ts'

/** Reasons for errors of Fastify, by their HTTP status. */
const REASONS: Record<number, RefusalReason> = {
  404: 'unknownEndpoint',
  408: 'requestTooSlow',
  413: 'payloadTooLarge',
  431: 'payloadTooLarge',
  429: 'tooManyRequests',
  503: 'engineUnavailable',
}

/** Answers every error with an envelope; internal errors are logged, and their details never shown. */
export function registerErrors(server: FastifyInstance): void {
  server.setErrorHandler(answerError)
  server.setNotFoundHandler((request, reply) =>
    refused(reply, translatorOf(request), refuse('unknownEndpoint')),
  )
}

/** Answers a call that failed, before or in its route. */
export function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const reason = hasNotArrived(error, request) ? 'requestTooSlow' : reasonOf(error)
  // Does not wait for the rest of the body.
  if (reason === 'requestTooSlow') reply.header('connection', 'close')
  if (statusOf(reason) >= 500) request.log.error({ err: error }, 'a call failed')
  return refused(reply, translatorOf(request), refuse(reason))
}

/** The time limit has passed before the request was received completely, so nothing was done. */
const hasNotArrived = (error: FastifyError, request: FastifyRequest): boolean =>
  error.code === 'FST_ERR_HANDLER_TIMEOUT' && !request.raw.complete

function reasonOf(error: FastifyError): RefusalReason {
  if (isDatabaseAway(error)) return 'engineUnavailable'
  const status = error.statusCode ?? 500
  return REASONS[status] ?? (status >= 500 ? 'internal' : 'malformed')
}

/**
 * True for errors of an unavailable database: errors of the network and of the pool, SQLSTATE classes 08 (connection), 53
 * (resources) and 57 (shutdown), a closed connection, and SQLite's busy, full, read-only and I/O errors.
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

/** The time for a client to read the answer to a malformed request, ms. */
const READ_ANSWER_WITHIN_MS = 1_000

const BROKEN: Readonly<Record<string, RefusalReason>> = {
  HPE_HEADER_OVERFLOW: 'payloadTooLarge',
  ERR_HTTP_REQUEST_TIMEOUT: 'requestTooSlow',
}

/** Answers bytes that are no HTTP request, or one whose header is too long or too slow. */
export function answerBrokenRequest(error: Error & { code?: unknown }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const reason = BROKEN[String(error.code)] ?? 'malformed'
  const body = JSON.stringify(envelopeOf(translatorFor(languageOf(undefined)), refuse(reason)))
  const status = statusOf(reason)
  // The client may never close its side of the connection.
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
