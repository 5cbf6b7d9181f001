import { getPicture, PUBLIC_PICTURE_PATH, uploadPicture } from '@fairlot/contract'
import { type Api, refused, translatorOf } from '../http/api.ts'
import { refuse } from '../refusal.ts'
import type { Intake } from './intake.ts'
import type { Pictures } from './pictures.ts'
import type { FastifyInstance } from 'fastify'
import { sendPublicFile } from '../http/file-transfer.ts'

/** Endpoints for pictures of users. */
export function registerFiles(api: Api, pictures: Pictures, takeIn: Intake): void {
  api.upload(uploadPicture, (call) =>
    takeIn(`user ${call.user.id}`, call, (original) => pictures.keep(call.user.id, original)),
  )

  api.file(getPicture, async ({ user, input: { key } }) => {
    const file = await pictures.find(key)
    // A picture of another user is answered like an unknown key.
    const bytes = file?.userId === user.id ? await pictures.bytesOf(file) : null
    return file && bytes ? { bytes, type: file.type, name: 'picture.jpg' } : refuse('fileUnknown')
  })
}

/** Limits the wait for a bucket or a database that does not answer, ms. */
const ANSWER_WITHIN_MS = 4_500

/** Serves the public pictures of texts and logos. Pictures of users are never public. */
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
