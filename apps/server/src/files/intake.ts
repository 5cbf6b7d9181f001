import { UPLOAD } from '@fairlot/contract'
import type { SentFile } from '../http/file-upload.ts'
import { createHolding, createLimit } from '../http/rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../http/refusal.ts'
import { createRoom } from '../http/room.ts'

const HOUR_S = 3_600
/** Uploads of one sender at once. */
const OWN_AT_ONCE = 2
/** What bodies of all uploads together may take in memory, and how many uploads wait for some of it. */
const ROOM_BYTES = 64 * 1024 * 1024
const WAITING_MAX = 200
/** Even a small body takes some. */
const ROOM_BYTES_MIN = 512 * 1024
/** What stands around the picture in its body. */
const FRAME_BYTES_MAX = 8 * 1024

/** Takes a picture in from a sender, such as `user 7`, within the limits that hold for all of them, and hands it on. */
export type Intake = <Kept>(
  sender: string,
  sent: SentFile,
  keep: (original: Buffer) => Promise<Kept | Refusal>,
) => Promise<Kept | Refusal>

export function createIntake(limits: { readonly uploadsPerHour: number }): Intake {
  const isWithin = createLimit(() => limits.uploadsPerHour, HOUR_S)
  const holding = createHolding(OWN_AT_ONCE)
  const room = createRoom(ROOM_BYTES, WAITING_MAX)

  const receive = async ({ bytes, receive: read }: SentFile): Promise<Buffer | Refusal> =>
    read(UPLOAD.field, Math.min(bytes ?? UPLOAD.bytesMax, UPLOAD.bytesMax))

  return async (sender, sent, keep) => {
    if ((sent.bytes ?? 0) > UPLOAD.bytesMax + FRAME_BYTES_MAX) return refuse('payloadTooLarge')
    const release = holding(sender)
    if (!release) return refuse('tooManyRequests')
    try {
      if (!(await isWithin(sender))) return refuse('tooManyRequests')
      const leave = await room.take(Math.max(sent.bytes ?? UPLOAD.bytesMax, ROOM_BYTES_MIN))
      if (!leave) return refuse('tooManyRequests')
      try {
        const original = await receive(sent)
        return isRefusal(original) ? original : await keep(original)
      } finally {
        leave()
      }
    } finally {
      release()
    }
  }
}
