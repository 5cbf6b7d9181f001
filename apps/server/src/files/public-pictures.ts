import { PUBLIC_PICTURE_PATH } from '@fairlot/contract'
import type { FastifyInstance } from 'fastify'
import { refused, translatorOf } from '../http/api.ts'
import { sendPublicFile } from '../http/file-answer.ts'
import { refuse } from '../http/refusal.ts'
import type { Pictures } from './pictures.ts'

/** Whoever reads this waits for a bucket or a database that does not answer. */
const ANSWER_WITHIN_MS = 4_500

/** Pictures of texts and logos, for anybody who knows their names. What users have sent is never among them. */
export function registerPublicPictures(server: FastifyInstance, pictures: Pictures): void {
  server.get<{ Params: { name: string } }>(
    `${PUBLIC_PICTURE_PATH}:name`,
    { schema: { hide: true }, handlerTimeout: ANSWER_WITHIN_MS },
    async (request, reply) => {
      const file = await pictures.findPublic(request.params.name)
      const bytes = file && (await pictures.bytesOf(file))
      return file && bytes
        ? sendPublicFile(reply, { bytes, type: file.type })
        : refused(reply.header('cache-control', 'no-store'), translatorOf(request), refuse('fileUnknown'))
    },
  )
}
