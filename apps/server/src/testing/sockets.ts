import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { constants, deflateRawSync } from 'node:zlib'
import { WebSocket, type ClientOptions } from 'ws'
import { SOCKET } from '@fairlot/contract'
import type { RunningServer } from './running-server.ts'

export const TEXT = 1

/** Header fields of a client's frame; missing ones are valid. */
export type FrameOptions = {
  readonly opcode?: number
  readonly isFinal?: boolean
  readonly isCompressed?: boolean
  readonly mask?: Buffer | null
}

/** The bytes of a client's frame. The payload is not compressed here. */
export function clientFrame(payload: Buffer, options: FrameOptions = {}): Buffer {
  const { opcode = TEXT, isFinal = true, isCompressed = false, mask = Buffer.from([1, 2, 3, 4]) } = options
  const start = (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0) | opcode
  const masked = mask ? 0x80 : 0
  const length = Buffer.alloc(payload.length < 126 ? 0 : 2)
  if (length.length > 0) length.writeUInt16BE(payload.length)
  const head = Buffer.from([start, masked | (length.length > 0 ? 126 : payload.length)])
  const body = mask ? payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : payload
  return Buffer.concat([head, length, mask ?? Buffer.alloc(0), body])
}

/** Compressed for permessage-deflate, without the end of the last block (RFC 7692, 7.2.1). */
export const deflated = (payload: Buffer): Buffer =>
  deflateRawSync(payload, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, -4)

/** A connection after the handshake, on which a test sends any bytes. */
export type RawSocket = {
  readonly stream: Socket
  /** The server's answer to the handshake. */
  readonly answer: string
  /** Resolves once the bytes are sent. */
  write(bytes: Buffer): Promise<void>
  /** Resolves when either side has closed the connection. */
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

type Message = { readonly type: string; readonly [field: string]: unknown }

/** A plain socket client that keeps the messages it reads, in order. */
export type SocketReader = {
  readonly socket: WebSocket
  /** All messages so far; several in one frame are separate messages. */
  readonly messages: readonly Message[]
  /** An object is sent as JSON, text unchanged. */
  send(message: object | string): void
  /** The first matching message that no earlier call has returned. Messages before it stay available. */
  next(type: string, fits?: (message: Message) => boolean): Promise<Message>
  /** Resolves once everything sent before is answered. */
  settled(): Promise<void>
  /** The close code, once it is closed. */
  readonly closed: Promise<number>
}

const PATIENCE_MS = 8_000

export async function openSocket(
  { url }: Pick<RunningServer, 'url'>,
  options: ClientOptions = {},
  query = '',
): Promise<SocketReader> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}${SOCKET.path}${query}`, options)
  const reader = readerOf(socket)
  await once(socket, 'open')
  return reader
}

function readerOf(socket: WebSocket): SocketReader {
  const messages: Message[] = []
  const taken = new Set<Message>()
  const waiting = new Set<() => void>()
  const closed = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('error', () => undefined)
  socket.on('message', (data) => {
    const read = JSON.parse(String(data)) as Message | Message[]
    messages.push(...(Array.isArray(read) ? read : [read]))
    for (const check of waiting) check()
  })
  const send: SocketReader['send'] = (message) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  const next: SocketReader['next'] = (type, fits = () => true) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(check)
        reject(new Error(`no ${type} was received; the last were ${JSON.stringify(messages.slice(-5))}`))
      }, PATIENCE_MS)
      const check = () => {
        const found = messages.find(
          (message) => message.type === type && !taken.has(message) && fits(message),
        )
        if (!found) return
        taken.add(found)
        waiting.delete(check)
        clearTimeout(timer)
        resolve(found)
      }
      waiting.add(check)
      check()
    })
  const settled = async () => {
    send({ type: 'ping' })
    await next('pong')
  }
  return { socket, messages, send, next, settled, closed }
}
