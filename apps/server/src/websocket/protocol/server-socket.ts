import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import type { FrameLimits } from './frame-reader.ts'
import { CLOSE_CODE, OPCODE, serverFrame, textFrame, type SharedFrame } from './frame.ts'
import { createMessageReader, type Incoming, type MessageReader } from './message-reader.ts'

/** A socket that has said good-bye is cut after this long, ms, whatever the other end does. */
const GOODBYE_MS = 5_000
/** Answers to pings wait for a reader who has stopped reading up to so many bytes; then it is dropped. */
const UNREAD_PONGS_MAX_BYTES = 65_536

export type SocketEvents = {
  /** The text of a message; null for one that is binary. */
  message: [text: string | null]
  ping: []
  pong: []
  /** It is over; nothing comes after it. */
  close: []
}

export type ServerSocketSetup = FrameLimits & {
  /** Told of errors in our own code; they end this socket and nothing else. */
  readonly onError: (error: unknown) => void
}

/** The server's end of a WebSocket. Whatever comes in is read in one synchronous call, whose every error ends this socket. */
export class ServerSocket extends EventEmitter<SocketEvents> {
  readonly OPEN = 1
  #state: 'open' | 'closing' | 'closed' = 'open'
  readonly #stream: Socket
  readonly #setup: ServerSocketSetup
  readonly #reader: MessageReader

  constructor(stream: Socket, setup: ServerSocketSetup) {
    super()
    this.#stream = stream
    this.#setup = setup
    this.#reader = createMessageReader(setup)
    stream.setTimeout(0)
    stream.setNoDelay(true)
    stream.on('data', (bytes) => this.#receive(bytes))
    stream.on('error', () => stream.destroy())
    stream.on('end', () => this.#hangUp())
    stream.on('close', () => this.#end())
  }

  /** As browsers tell it: `OPEN`, 2 while it closes, 3 afterwards. */
  get readyState(): number {
    return this.#state === 'open' ? this.OPEN : this.#state === 'closing' ? 2 : 3
  }

  /** Bytes that the other end has not taken yet. */
  get bufferedAmount(): number {
    return this.#stream.writableLength
  }

  /** Sends a message, unless the socket is no longer open. */
  send(message: string | SharedFrame): void {
    if (this.#state !== 'open') return
    if (typeof message === 'string') this.#stream.write(textFrame(message))
    else this.#stream.write(this.#setup.mayCompress ? message.compressed() : message.plain())
  }

  ping(): void {
    if (this.#state === 'open') this.#stream.write(serverFrame(OPCODE.ping, Buffer.alloc(0)))
  }

  /** Sends a close frame, and waits a while for the other end's. */
  close(code: number = CLOSE_CODE.normal): void {
    if (this.#state !== 'open') return
    this.#state = 'closing'
    const payload = Buffer.alloc(code === CLOSE_CODE.noCodeGiven ? 0 : 2)
    if (payload.length > 0) payload.writeUInt16BE(code)
    this.#stream.write(serverFrame(OPCODE.close, payload))
    const cut = setTimeout(() => this.#stream.destroy(), GOODBYE_MS)
    this.#stream.once('close', () => clearTimeout(cut))
  }

  /** Cuts the connection. */
  terminate(): void {
    if (this.#state === 'open') this.#state = 'closing'
    this.#stream.destroy()
  }

  /** Takes bytes of the other end, however they were cut. */
  #receive(bytes: Buffer): void {
    try {
      for (const incoming of this.#reader.read(bytes)) {
        this.#take(incoming)
        if (this.#stream.destroyed) return
      }
    } catch (error) {
      this.#setup.onError(error)
      this.terminate()
    }
  }

  #take(incoming: Incoming): void {
    if (this.#state !== 'open') {
      // Of what comes after our good-bye only the other end's counts.
      if (incoming.type === 'close' || incoming.type === 'broken') this.#hangUp()
      return
    }
    switch (incoming.type) {
      case 'text':
        return void this.emit('message', incoming.text)
      case 'binary':
        return void this.emit('message', null)
      case 'ping':
        return this.#answerPing(incoming.payload)
      case 'pong':
        return void this.emit('pong')
      case 'close':
      case 'broken':
        this.close(incoming.code)
        return this.#hangUp()
    }
  }

  #answerPing(payload: Buffer): void {
    if (this.bufferedAmount > UNREAD_PONGS_MAX_BYTES) return this.terminate()
    this.#stream.write(serverFrame(OPCODE.pong, payload))
    this.emit('ping')
  }

  /** Nothing more is sent; the connection ends once the other end has taken what there is. */
  #hangUp(): void {
    if (this.#state === 'open') this.#state = 'closing'
    this.#stream.end()
  }

  #end(): void {
    this.#state = 'closed'
    try {
      this.emit('close')
    } catch (error) {
      this.#setup.onError(error)
    }
  }
}
