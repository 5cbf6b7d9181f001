import { finished } from 'node:stream/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { refuse, type Refusal } from './refusal.ts'

/** An upload takes at most this long, from its first byte to its answer, ms. A photo on a slow line takes its time. */
export const UPLOAD_WITHIN_MS = 60_000

/** A body that brings a file. */
export type SentFile = {
  /** Takes the body in, once: the file of this field, or why there is none. Throws for a client that is too slow or gone. */
  readonly receive: (field: string, bytesMax: number) => Promise<Buffer | Refusal>
  /** How long the body says that it is; null when it does not say. */
  readonly bytes: number | null
}

export const sentFileOf = (request: FastifyRequest): SentFile => {
  const length = Number(request.headers['content-length'])
  return {
    receive: (field, bytesMax) => receiveFile(request, field, bytesMax),
    bytes: Number.isSafeInteger(length) ? length : null,
  }
}

/** Less than so many bytes in so long, and a body counts as one that nobody means to send. */
const PACE = { everyMs: 5_000, bytesMin: 10_000 }

/** What is left of a refused body is read for this long, ms. */
const REST_WITHIN_MS = 10_000
const TOO_SLOW = 408

/**
 * Reads what is left of a body before its answer goes, for a hook before sending: whoever closes the connection with the answer, as some
 * proxies do, would not see it while they still send. A body that was too slow is not waited for.
 */
export async function readRest({ raw }: FastifyRequest, { statusCode }: FastifyReply): Promise<void> {
  if (raw.complete || raw.destroyed || statusCode === TOO_SLOW) return
  raw.resume()
  await finished(raw, { signal: AbortSignal.timeout(REST_WITHIN_MS) }).catch(() => undefined)
}

/** Beside the file there may be a few short fields, which nobody reads. */
const LIMITS = { files: 1, fields: 4, parts: 5, fieldSize: 1_024, fieldNameSize: 100, headerPairs: 20 }

/**
 * The one file of a multipart body, which must be in this field and have at most so many bytes. What is read goes into one buffer of
 * that size; the pages of it that no byte has reached cost nothing. Throws for a client that is too slow or has gone.
 */
async function receiveFile(
  request: FastifyRequest,
  field: string,
  bytesMax: number,
): Promise<Buffer | Refusal> {
  if (!request.isMultipart()) return refuse('fileMissing', { field })
  // Gone while it waited: nothing would ever end its reading.
  if (request.raw.destroyed) return refuse('malformed')
  const pace = watchPace(request)
  try {
    const reading = readParts(request, field, bytesMax)
    return await Promise.race([reading, pace.isTooSlow])
  } finally {
    pace.stop()
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
    // All that can go wrong in here comes from what was sent.
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

/** Rejects once a body comes slower than anybody would send a picture. */
function watchPace({ raw }: FastifyRequest) {
  const { promise: isTooSlow, reject } = Promise.withResolvers<never>()
  isTooSlow.catch(() => undefined)
  let seen = raw.socket.bytesRead
  const timer = setInterval(() => {
    const { bytesRead } = raw.socket
    if (!raw.complete && bytesRead - seen < PACE.bytesMin) reject(new SlowBody())
    seen = bytesRead
  }, PACE.everyMs)
  return { isTooSlow, stop: () => clearInterval(timer) }
}

class SlowBody extends Error {
  readonly statusCode = TOO_SLOW
}
