import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, refuse } from '../refusal.ts'
import type { Readable } from 'node:stream'

/** The time limit of an upload, from its first byte to its answer, ms: a photo on a slow connection takes long. */
export const UPLOAD_WITHIN_MS = 60_000

/** A multipart body with a file. */
export type SentFile = {
  /** Receives the file of a field, once, or the reason why there is none. Throws for a client that is too slow or gone. */
  readonly receive: (field: string, bytesMax: number) => Promise<Buffer | Refusal>
  /** The declared length of the body; null without one. */
  readonly bytes: number | null
}

export const sentFileOf = (request: FastifyRequest): SentFile => {
  const length = Number(request.headers['content-length'])
  return {
    receive: (field, bytesMax) => receiveFile(request, field, bytesMax),
    bytes: Number.isSafeInteger(length) ? length : null,
  }
}

/** A body with fewer bytes in this time is too slow. */
const MIN_RATE = { everyMs: 5_000, bytesMin: 10_000 }

/** The rest of a refused body is read for at most this long, ms. */
const REST_WITHIN_MS = 10_000
const TOO_SLOW = 408

/**
 * Reads the rest of a body before its answer is sent, as a hook before sending: a client that still sends would miss the
 * answer if it or a proxy closes the connection then. Does not wait for a body that was too slow.
 */
export async function readRest({ raw }: FastifyRequest, { statusCode }: FastifyReply): Promise<void> {
  if (raw.complete || raw.destroyed || statusCode === TOO_SLOW) return
  raw.resume()
  await finished(raw, { signal: AbortSignal.timeout(REST_WITHIN_MS) }).catch(() => undefined)
}

/** A few short fields beside the file are allowed and ignored. */
const LIMITS = { files: 1, fields: 4, parts: 5, fieldSize: 1_024, fieldNameSize: 100, headerPairs: 20 }

/**
 * The only file of a multipart body, which must be in this field and have at most `bytesMax` bytes. It is read into one
 * buffer of that size, whose unused pages take no memory. Throws for a client that is too slow or gone.
 */
async function receiveFile(
  request: FastifyRequest,
  field: string,
  bytesMax: number,
): Promise<Buffer | Refusal> {
  if (!request.isMultipart()) return refuse('fileMissing', { field })
  // The client is gone, so reading would never end.
  if (request.raw.destroyed) return refuse('malformed')
  const rate = watchRate(request)
  try {
    const reading = readParts(request, field, bytesMax)
    return await Promise.race([reading, rate.isTooSlow])
  } finally {
    rate.stop()
  }
}

async function readParts(
  request: FastifyRequest,
  field: string,
  bytesMax: number,
): Promise<Buffer | Refusal> {
  let file: Buffer | null = null
  try {
    for await (const part of request.parts({ limits: { ...LIMITS, fileSize: bytesMax } })) {
      if (part.type !== 'file') continue
      const bytes = await collect(part.file, bytesMax)
      if (part.file.truncated) return refuse('payloadTooLarge')
      if (part.fieldname === field) file = bytes
    }
  } catch (error) {
    // Every error here is caused by the body.
    return refuse(REASONS[codeOf(error)] ?? 'malformed')
  }
  return file !== null && file.length > 0 ? file : refuse('fileMissing', { field })
}

const REASONS: Readonly<Record<string, 'fileNotOne' | 'payloadTooLarge'>> = {
  FST_FILES_LIMIT: 'fileNotOne',
  FST_REQ_FILE_TOO_LARGE: 'payloadTooLarge',
}

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : ''

async function collect(chunks: AsyncIterable<Buffer>, bytesMax: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafeSlow(bytesMax)
  let length = 0
  for await (const chunk of chunks) length += chunk.copy(bytes, length)
  return bytes.subarray(0, length)
}

/** Rejects `isTooSlow` once the body is slower than the minimum rate. */
function watchRate({ raw }: FastifyRequest) {
  const { promise: isTooSlow, reject } = Promise.withResolvers<never>()
  isTooSlow.catch(() => undefined)
  let seen = raw.socket.bytesRead
  const timer = setInterval(() => {
    const { bytesRead } = raw.socket
    if (!raw.complete && bytesRead - seen < MIN_RATE.bytesMin) reject(new SlowBody())
    seen = bytesRead
  }, MIN_RATE.everyMs)
  return { isTooSlow, stop: () => clearInterval(timer) }
}

class SlowBody extends Error {
  readonly statusCode = TOO_SLOW
}

/** A file as an answer; a long one is a stream. */
export type FileAnswer = { readonly bytes: Buffer | Readable; readonly type: string; readonly name: string }

/** Sends an uploaded file, with headers that prevent it from running scripts when it is opened. */
export const sendFile = (reply: FastifyReply, { bytes, type, name }: FileAnswer): FastifyReply =>
  reply
    .type(type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(bytes)

/** Sends a public picture, which never changes under its name. */
export const sendPublicFile = (
  reply: FastifyReply,
  { bytes, type }: Omit<FileAnswer, 'name'>,
): FastifyReply =>
  reply
    .type(type)
    .header('content-disposition', 'inline')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'public, max-age=31536000, immutable')
    .send(bytes)
