import { CLOSE_CODE, FLUSH_TAIL, OPCODE } from './frame.ts'
import { isUtf8 } from 'node:buffer'
import { constants, inflateRawSync } from 'node:zlib'

/** An unmasked frame of a client, or the close code for invalid bytes. */
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
  /** Compression was negotiated, so frames may be compressed. */
  readonly mayCompress: boolean
  /** The maximum length of a payload, compressed or not, bytes. */
  readonly bytesMax: number
}

export type FrameReader = {
  /** The frames that these bytes complete, however the stream is split. None follow a broken one. */
  read(bytes: Buffer): Iterable<ClientFrame>
}

const CONTROL_BYTES_MAX = 125
const MASK_BYTES = 4
/** The number of extended length bytes, by the value of the short length. */
const LENGTH_BYTES: Readonly<Record<number, number>> = { 126: 2, 127: 8 }

/** The content of the first two bytes of a frame. */
type Start = {
  readonly opcode: number
  readonly isFinal: boolean
  readonly isCompressed: boolean
  readonly shortLength: number
}
type Stage = 'start' | 'lengthAndMask' | 'payload'

const broken = (code: number) => ({ type: 'broken', code }) as const

/**
 * Splits the byte stream of a client into frames (RFC 6455, 5.2). It is synchronous and keeps at most one payload; nothing
 * is allocated before its length is known to be within the limit.
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

  /** Called when the current part of a frame is complete. */
  const complete = (): ClientFrame | null => {
    if (start === null || stage === 'start') {
      start = readStart(part, limits)
      if (start === null) return broken(CLOSE_CODE.protocolError)
      return expect('lengthAndMask', (LENGTH_BYTES[start.shortLength] ?? 0) + MASK_BYTES)
    }
    if (stage === 'lengthAndMask') {
      const length = lengthOf(start, part)
      if (length === null) return broken(CLOSE_CODE.protocolError)
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

/** Null for an invalid frame. */
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
  // Only the first frame of a message has the compression bit (RFC 7692, 6).
  if (isCompressed && (!mayCompress || isControl || opcode === OPCODE.continuation)) return null
  return { opcode, isFinal, isCompressed, shortLength }
}

/** Null for a length that is not in its shortest form, or has the highest of 64 bits set (RFC 6455, 5.2). */
function lengthOf({ shortLength }: Start, lengthAndMask: Buffer): number | null {
  if (shortLength < 126) return shortLength
  if (shortLength === 126) {
    const length = lengthAndMask.readUInt16BE(0)
    return length < 126 ? null : length
  }
  const length = lengthAndMask.readBigInt64BE(0)
  return length < 65_536n ? null : Number(length)
}

/** In place. */
function unmask(payload: Buffer, mask: Buffer): Buffer {
  for (let index = 0; index < payload.length; index++) {
    payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0)
  }
  return payload
}

/** A complete message of a client, or a control frame. */
export type Incoming =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'binary' }
  | { readonly type: 'ping'; readonly payload: Buffer }
  | { readonly type: 'pong' }
  | { readonly type: 'close'; readonly code: number }
  /** The bytes are invalid or exceed a limit; nothing follows. */
  | { readonly type: 'broken'; readonly code: number }

export type MessageReader = { read(bytes: Buffer): Iterable<Incoming> }

/** Our own clients send one frame per message; browsers may fragment a long one. */
const FRAGMENTS_MAX = 32

type Frame = Extract<ClientFrame, { type: 'frame' }>
/** A message whose last frame is still missing. */
type Unfinished = { readonly first: Frame; readonly payloads: Buffer[]; bytes: number }

const isControl = ({ opcode }: Frame): boolean => opcode >= OPCODE.close

/**
 * Reads the messages of a client (RFC 6455, 5.4; RFC 7692 without context takeover). A message is decompressed
 * synchronously, up to `bytesMax`, so that no state or callback outlives the call.
 */
export function createMessageReader(limits: FrameLimits): MessageReader {
  const frames = createFrameReader(limits)
  let unfinished: Unfinished | null = null
  let isBroken = false

  const take = (frame: Frame): Incoming | null => {
    if (isControl(frame)) return controlMessage(frame)
    const isContinued = frame.opcode === OPCODE.continuation
    if (isContinued !== (unfinished !== null)) return broken(CLOSE_CODE.protocolError)
    const message: Unfinished = unfinished ?? { first: frame, payloads: [], bytes: 0 }
    message.payloads.push(frame.payload)
    message.bytes += frame.payload.length
    if (message.bytes > limits.bytesMax || message.payloads.length > FRAGMENTS_MAX)
      return broken(CLOSE_CODE.tooLarge)
    unfinished = frame.isFinal ? null : message
    return frame.isFinal ? finish(message, limits.bytesMax) : null
  }

  function* read(bytes: Buffer): Generator<Incoming> {
    for (const frame of frames.read(bytes)) {
      if (isBroken) return
      const incoming = frame.type === 'broken' ? frame : take(frame)
      if (incoming?.type === 'broken') isBroken = true
      if (incoming !== null) yield incoming
    }
  }
  return { read }
}

function finish({ first, payloads }: Unfinished, bytesMax: number): Incoming {
  const joined = Buffer.concat(payloads)
  const content = first.isCompressed ? inflate(joined, bytesMax) : joined
  if (typeof content === 'number') return broken(content)
  if (first.opcode === OPCODE.binary) return { type: 'binary' }
  return isUtf8(content) ? { type: 'text', text: content.toString('utf8') } : broken(CLOSE_CODE.notText)
}

/** The content, or the code to close with. */
function inflate(compressed: Buffer, bytesMax: number): Buffer | number {
  try {
    return inflateRawSync(Buffer.concat([compressed, FLUSH_TAIL]), {
      finishFlush: constants.Z_SYNC_FLUSH,
      maxOutputLength: bytesMax,
    })
  } catch (error) {
    const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    return isLarge ? CLOSE_CODE.tooLarge : CLOSE_CODE.notText
  }
}

function controlMessage({ opcode, payload }: Frame): Incoming {
  if (opcode === OPCODE.ping) return { type: 'ping', payload }
  if (opcode === OPCODE.pong) return { type: 'pong' }
  if (payload.length === 0) return { type: 'close', code: CLOSE_CODE.noCodeGiven }
  const code = payload.length === 1 ? 0 : payload.readUInt16BE(0)
  if (!isCloseCode(code)) return broken(CLOSE_CODE.protocolError)
  return isUtf8(payload.subarray(2)) ? { type: 'close', code } : broken(CLOSE_CODE.notText)
}

/** True for codes that may be sent; 1004 to 1006 are reserved. */
const isCloseCode = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) || (code >= 3000 && code <= 4999)
