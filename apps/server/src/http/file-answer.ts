import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** A file as an answer; one that may be long is made while it is read. */
export type FileAnswer = { readonly bytes: Buffer | Readable; readonly type: string; readonly name: string }

/** Sends bytes that somebody else once sent us: opened as a page they may do nothing at all. */
export const sendFile = (reply: FastifyReply, { bytes, type, name }: FileAnswer): FastifyReply =>
  reply
    .type(type)
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .send(bytes)

/** Sends a picture that everybody may see and that never changes under its name. */
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
