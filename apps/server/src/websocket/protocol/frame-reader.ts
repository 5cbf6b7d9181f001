import { CLOSE_CODE, OPCODE } from './frame.ts'

/** A frame as it came, unmasked; or that the bytes are none, with the code to close with. */
export type ClientFrame =
  | {
      readonly type: 'frame'
      readonly opcode: number
      readonly isFinal: boolean
      readonly isCompressed: boolean
      readonly payload: Buffer
    }
  | { readonly type: 'broken'; readonly code: number }

export type FrameLimits = {
  /** Compression was agreed on, so frames may say that they are compressed. */
  readonly mayCompress: boolean
  /** Bytes of a payload as it travels. */
  readonly bytesMax: number
}

export type FrameReader = {
  /** The frames that these bytes complete, however the stream was cut. After a broken one there are no more. */
  read(bytes: Buffer): Iterable<ClientFrame>
}

const CONTROL_BYTES_MAX = 125
const MASK_BYTES = 4
/** Bytes of the length that follow, by the short length that announces them. */
const LENGTH_BYTES: Readonly<Record<number, number>> = { 126: 2, 127: 8 }

/** What the first two bytes of a frame say. */
type Start = {
  readonly opcode: number
  readonly isFinal: boolean
  readonly isCompressed: boolean
  readonly shortLength: number
}
type Stage = 'start' | 'lengthAndMask' | 'payload'

const broken = (code: number): ClientFrame => ({ type: 'broken', code })

/**
 * Cuts the byte stream of a client into frames (RFC 6455, 5.2). All of it is synchronous and holds at most one payload:
 * nothing is allotted before its length is known to be within the limit.
 */
export function createFrameReader(limits: FrameLimits): FrameReader {
  let stage: Stage = 'start'
  let part = Buffer.allocUnsafe(2)
  let held = 0
  let start: Start | null = null
  let mask = Buffer.alloc(MASK_BYTES)
  let isBroken = false

  const expect = (next: Stage, bytes: number): null => {
    stage = next
    part = Buffer.allocUnsafe(bytes)
    held = 0
    return null
  }

  /** The part that was waited for is there in full. */
  const complete = (): ClientFrame | null => {
    if (start === null || stage === 'start') {
      start = readStart(part, limits)
      if (start === null) return broken(CLOSE_CODE.protocolError)
      return expect('lengthAndMask', (LENGTH_BYTES[start.shortLength] ?? 0) + MASK_BYTES)
    }
    if (stage === 'lengthAndMask') {
      const length = lengthOf(start, part)
      if (length > limits.bytesMax) return broken(CLOSE_CODE.tooLarge)
      mask = part.subarray(-MASK_BYTES)
      return expect('payload', length)
    }
    const payload = unmask(part, mask)
    expect('start', 2)
    const { opcode, isFinal, isCompressed } = start
    return { type: 'frame', opcode, isFinal, isCompressed, payload }
  }

  function* read(bytes: Buffer): Generator<ClientFrame> {
    let at = 0
    while (!isBroken) {
      const count = Math.min(part.length - held, bytes.length - at)
      bytes.copy(part, held, at, at + count)
      held += count
      at += count
      if (held < part.length) return
      const frame = complete()
      if (frame?.type === 'broken') isBroken = true
      if (frame !== null) yield frame
    }
  }
  return { read }
}

/** Null for what a client may not send. */
function readStart(bytes: Buffer, { mayCompress }: FrameLimits): Start | null {
  const [first = 0, second = 0] = bytes
  const opcode = first & 0x0f
  const isFinal = (first & 0x80) !== 0
  const isCompressed = (first & 0x40) !== 0
  const shortLength = second & 0x7f
  const hasReservedBits = (first & 0x30) !== 0
  const isMasked = (second & 0x80) !== 0
  const isControl = opcode >= OPCODE.close
  const isKnown = opcode <= OPCODE.binary || (isControl && opcode <= OPCODE.pong)
  if (hasReservedBits || !isMasked || !isKnown) return null
  if (isControl && (!isFinal || shortLength > CONTROL_BYTES_MAX)) return null
  // Only the first frame of a message says that it is compressed (RFC 7692, 6).
  if (isCompressed && (!mayCompress || isControl || opcode === OPCODE.continuation)) return null
  return { opcode, isFinal, isCompressed, shortLength }
}

function lengthOf({ shortLength }: Start, lengthAndMask: Buffer): number {
  if (shortLength === 126) return lengthAndMask.readUInt16BE(0)
  return shortLength === 127 ? Number(lengthAndMask.readBigUInt64BE(0)) : shortLength
}

/** In place. */
function unmask(payload: Buffer, mask: Buffer): Buffer {
  for (let index = 0; index < payload.length; index++) {
    payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0)
  }
  return payload
}
