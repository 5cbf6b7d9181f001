import { deflateRawSync, constants } from 'node:zlib'

/** Kinds of frames (RFC 6455, 5.2). */
export const OPCODE = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

/** Close codes (RFC 6455, 7.4.1). */
export const CLOSE_CODE = {
  normal: 1000,
  goingAway: 1001,
  protocolError: 1002,
  noCodeGiven: 1005,
  notText: 1007,
  tooLarge: 1009,
  internalError: 1011,
  tryAgainLater: 1013,
} as const

/** The deflate window of the server as a power of two: 4 KB, so that clients need little memory. */
export const SERVER_WINDOW_BITS = 12
/** Shorter messages are not compressed, bytes. */
const COMPRESS_FROM_BYTES = 1024
/** The end of a deflate flush, which permessage-deflate removes (RFC 7692, 7.2.1). */
export const FLUSH_TAIL = Buffer.from([0x00, 0x00, 0xff, 0xff])

/** The bytes of a server frame, unmasked and unfragmented. */
export function serverFrame(opcode: number, payload: Buffer, isCompressed = false): Buffer {
  const { length } = payload
  const sizeBytes = length < 126 ? 0 : length < 65_536 ? 2 : 8
  const frame = Buffer.allocUnsafe(2 + sizeBytes + length)
  frame[0] = 0x80 | (isCompressed ? 0x40 : 0) | opcode
  frame[1] = sizeBytes === 0 ? length : sizeBytes === 2 ? 126 : 127
  if (sizeBytes === 2) frame.writeUInt16BE(length, 2)
  if (sizeBytes === 8) frame.writeBigUInt64BE(BigInt(length), 2)
  payload.copy(frame, 2 + sizeBytes)
  return frame
}

/** The bytes of a text message for one reader. */
export const textFrame = (text: string): Buffer => serverFrame(OPCODE.text, Buffer.from(text))

/** A text message for many clients: each of its two forms is encoded once, when it is first needed. */
export type SharedFrame = {
  plain(): Buffer
  /** For clients with permessage-deflate; the plain form of a short message. */
  compressed(): Buffer
}

export function shareFrame(text: string): SharedFrame {
  let plain: Buffer | null = null
  let compressed: Buffer | null = null
  const toPlain = () => (plain ??= textFrame(text))
  return {
    plain: toPlain,
    compressed: () => (compressed ??= compressedFrame(text) ?? toPlain()),
  }
}

/** Messages are compressed without context takeover, so the same bytes are valid for every client. */
function compressedFrame(text: string): Buffer | null {
  const payload = Buffer.from(text)
  if (payload.length < COMPRESS_FROM_BYTES) return null
  const deflated = deflateRawSync(payload, {
    level: 3,
    memLevel: 5,
    windowBits: SERVER_WINDOW_BITS,
    finishFlush: constants.Z_SYNC_FLUSH,
  })
  return serverFrame(OPCODE.text, deflated.subarray(0, -FLUSH_TAIL.length), true)
}
