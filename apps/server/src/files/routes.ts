import { getPicture, uploadPicture } from '@fairlot/contract'
import type { Api } from '../http/api.ts'
import { refuse } from '../http/refusal.ts'
import type { Intake } from './intake.ts'
import type { Pictures } from './pictures.ts'

/** Pictures that users send, for themselves and the desk to see. */
export function registerFiles(api: Api, pictures: Pictures, takeIn: Intake): void {
  api.upload(uploadPicture, (call) =>
    takeIn(`user ${call.user.id}`, call, (original) => pictures.keep(call.user.id, original)),
  )

  api.file(getPicture, async ({ user, input: { key } }) => {
    const file = await pictures.find(key)
    // Somebody else's is not there, as if its key were made up.
    const bytes = file?.userId === user.id ? await pictures.bytesOf(file) : null
    return file && bytes ? { bytes, type: file.type, name: 'picture.jpg' } : refuse('fileUnknown')
  })
}
