import { isUtf8 } from 'node:buffer'
import { constants, inflateRawSync } from 'node:zlib'
import { createFrameReader, type ClientFrame, type FrameLimits } from './frame-reader.ts'
import { CLOSE_CODE, FLUSH_TAIL, OPCODE } from './frame.ts'

/** What a client says: a whole message, or a frame about the connection itself. */
export type Incoming =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'binary' }
  | { readonly type: 'ping'; readonly payload: Buffer }
  | { readonly type: 'pong' }
  | { readonly type: 'close'; readonly code: number }
  /** The bytes are no WebSocket, or more than we take; nothing comes after it. */
  | { readonly type: 'broken'; readonly code: number }

export type MessageReader = { read(bytes: Buffer): Iterable<Incoming> }

/** A message of our own clients is one frame; browsers may cut a long one. */
const FRAGMENTS_MAX = 32

type Frame = Extract<ClientFrame, { type: 'frame' }>
/** A message whose last frame has not come yet. */
type Unfinished = { readonly first: Frame; readonly payloads: Buffer[]; bytes: number }

const broken = (code: number): Incoming => ({ type: 'broken', code })
const isControl = ({ opcode }: Frame): boolean => opcode >= OPCODE.close

/**
 * Reads what a client sends (RFC 6455, 5.4; RFC 7692 without context takeover). A message is unpacked alone, at once and
 * up to `bytesMax`, so that nothing of it outlives the call: neither a half-done state nor a callback.
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
  const whole = Buffer.concat(payloads)
  const content = first.isCompressed ? inflate(whole, bytesMax) : whole
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

/** Those that may travel: 1004 to 1006 never do. */
const isCloseCode = (code: number): boolean =>
  (code >= 1000 && code <= 1014 && (code < 1004 || code > 1006)) || (code >= 3000 && code <= 4999)
