import { getPicture, UPLOAD, uploadPicture } from '@fairlot/contract'
import type { Api, UploadCall } from '../http/api.ts'
import { createHolding, createLimit } from '../http/rate-limits.ts'
import { isRefusal, refuse } from '../http/refusal.ts'
import { createRoom } from '../http/room.ts'
import type { Pictures } from './pictures.ts'

const HOUR_S = 3_600
/** Uploads of one user at once. */
const OWN_AT_ONCE = 2
/** What bodies of all uploads together may take in memory, and how many uploads wait for some of it. */
const ROOM_BYTES = 64 * 1024 * 1024
const WAITING_MAX = 200
/** Even a small body takes some. */
const ROOM_BYTES_MIN = 512 * 1024
/** What stands around the picture in its body. */
const FRAME_BYTES_MAX = 8 * 1024

/** Pictures that users send, for themselves and the desk to see. */
export function registerFiles(
  api: Api,
  pictures: Pictures,
  limits: { readonly uploadsPerHour: number },
): void {
  const isWithin = createLimit(() => limits.uploadsPerHour, HOUR_S)
  const holding = createHolding(OWN_AT_ONCE)
  const room = createRoom(ROOM_BYTES, WAITING_MAX)

  const takeIn = async ({ user, bytes, receive }: UploadCall) => {
    const most = bytes ?? UPLOAD.bytesMax
    const leave = await room.take(Math.max(most, ROOM_BYTES_MIN))
    if (!leave) return refuse('tooManyRequests')
    try {
      const original = await receive(UPLOAD.field, Math.min(most, UPLOAD.bytesMax))
      return isRefusal(original) ? original : await pictures.keep(user.id, original)
    } finally {
      leave()
    }
  }

  api.upload(uploadPicture, async (call) => {
    if ((call.bytes ?? 0) > UPLOAD.bytesMax + FRAME_BYTES_MAX) return refuse('payloadTooLarge')
    const release = holding(String(call.user.id))
    if (!release) return refuse('tooManyRequests')
    try {
      return (await isWithin(call.user.id)) ? await takeIn(call) : refuse('tooManyRequests')
    } finally {
      release()
    }
  })

  api.file(getPicture, async ({ user, input: { key } }) => {
    const file = await pictures.find(key)
    // Somebody else's is not there, as if its key were made up.
    const bytes = file?.userId === user.id ? await pictures.bytesOf(file) : null
    return file && bytes ? { bytes, type: file.type, name: 'picture.jpg' } : refuse('fileUnknown')
  })
}
