import { UPLOAD } from '@fairlot/contract'
import type { SentFile } from '../http/file-transfer.ts'
import { createConcurrencyLimit, createLimit } from '../rate-limits.ts'
import { isRefusal, refuse, type Refusal } from '../refusal.ts'
import { createSemaphore } from '../concurrency.ts'

const HOUR_S = 3_600
/** Uploads of one sender at once. */
const PER_SENDER_AT_ONCE = 2
/** The memory that all upload bodies share, and the number of uploads that may wait for some of it. */
const MEMORY_BYTES = 64 * 1024 * 1024
const WAITING_MAX = 200
/** Counted for even the smallest body. */
const MEMORY_BYTES_MIN = 512 * 1024
/** The multipart framing around the picture. */
const FRAME_BYTES_MAX = 8 * 1024

/** Receives a picture from a sender, such as `user 7`, within the limits on uploads, and passes it to `keep`. */
export type Intake = <Kept>(
  sender: string,
  sent: SentFile,
  keep: (original: Buffer) => Promise<Kept | Refusal>,
) => Promise<Kept | Refusal>

export function createIntake(limits: { readonly uploadsPerHour: number }): Intake {
  const isWithin = createLimit(() => limits.uploadsPerHour, HOUR_S)
  const startUpload = createConcurrencyLimit(PER_SENDER_AT_ONCE)
  const memory = createSemaphore(MEMORY_BYTES, WAITING_MAX)

  const receive = async ({ bytes, receive: read }: SentFile): Promise<Buffer | Refusal> =>
    read(UPLOAD.field, Math.min(bytes ?? UPLOAD.bytesMax, UPLOAD.bytesMax))

  return async (sender, sent, keep) => {
    if ((sent.bytes ?? 0) > UPLOAD.bytesMax + FRAME_BYTES_MAX) return refuse('payloadTooLarge')
    const endUpload = startUpload(sender)
    if (!endUpload) return refuse('tooManyRequests')
    try {
      if (!(await isWithin(sender))) return refuse('tooManyRequests')
      const release = await memory.acquire(Math.max(sent.bytes ?? UPLOAD.bytesMax, MEMORY_BYTES_MIN))
      if (!release) return refuse('tooManyRequests')
      try {
        const original = await receive(sent)
        return isRefusal(original) ? original : await keep(original)
      } finally {
        release()
      }
    } finally {
      endUpload()
    }
  }
}
