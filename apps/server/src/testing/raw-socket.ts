import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { constants, deflateRawSync } from 'node:zlib'
import { SOCKET } from '@fairlot/contract'

export const TEXT = 1

/** How a client's frame may be dressed; what is left out is as it should be. */
export type FrameDress = {
  readonly opcode?: number
  readonly isFinal?: boolean
  readonly isCompressed?: boolean
  readonly mask?: Buffer | null
}

/** The bytes of a client's frame, with its payload as it is: nothing is compressed here. */
export function clientFrame(payload: Buffer, dress: FrameDress = {}): Buffer {
  const { opcode = TEXT, isFinal = true, isCompressed = false, mask = Buffer.from([1, 2, 3, 4]) } = dress
  const start = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode
  const masked = mask ? 0x80 : 0
  const length = Buffer.alloc(payload.length < 126 ? 0 : 2)
  if (length.length > 0) length.writeUInt16BE(payload.length)
  const head = Buffer.from([start, masked | (length.length > 0 ? 126 : payload.length)])
  const body = mask ? payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : payload
  return Buffer.concat([head, length, mask ?? Buffer.alloc(0), body])
}

/** As permessage-deflate wants it (RFC 7692, 7.2.1): the end of the last block is left out. */
export const deflated = (payload: Buffer): Buffer =>
  deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)

/** A connection that has shaken hands, and sends whatever bytes a test likes. */
export type RawSocket = {
  readonly stream: Socket
  /** The server's answer to the handshake. */
  readonly answer: string
  /** Resolves once the bytes have left. */
  write(bytes: Buffer): Promise<void>
  /** Resolves when the server has ended the connection, or this end has. */
  readonly closed: Promise<void>
}

export async function openRawSocket(
  url: string,
  headers = 'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits\r\n',
): Promise<RawSocket> {
  const { host, hostname, port } = new URL(url)
  const stream = connect({ host: hostname, port: Number(port), noDelay: true })
  stream.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => stream.once('close', () => resolve()))
  await once(stream, 'connect')
  const key = randomBytes(16).toString('base64')
  stream.write(
    `GET ${SOCKET.path} HTTP/1.1\r\nHost: ${host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
      `Sec-WebSocket-Key: ${key}\r\nSec-WebSocket-Version: 13\r\n${headers}\r\n`,
  )
  const [first] = (await once(stream, 'data')) as [Buffer]
  stream.resume()
  const write = (bytes: Buffer) => new Promise<void>((resolve) => void stream.write(bytes, () => resolve()))
  return { stream, answer: String(first), write, closed }
}
