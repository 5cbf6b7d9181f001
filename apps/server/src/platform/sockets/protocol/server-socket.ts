import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { createMessageReader, type FrameLimits, type Incoming, type MessageReader } from './message-reader.ts'
import { CLOSE_CODE, OPCODE, serverFrame, textFrame, type SharedFrame } from './frame.ts'

/** A closing socket is terminated after this time, ms. */
const CLOSE_TIMEOUT_MS = 5_000
/** A client is dropped when it has this many unread bytes and sends a ping. */
const UNREAD_PONGS_MAX_BYTES = 65_536

export type SocketEvents = {
  /** The text of a message; null for one that is binary. */
  message: [text: string | null]
  ping: []
  pong: []
  /** The connection is closed; no further event follows. */
  close: []
}

export type ServerSocketSetup = FrameLimits & {
  /** Receives internal errors, which end this socket only. */
  readonly onError: (error: unknown) => void
}

/** The server's end of a WebSocket. Incoming bytes are read synchronously, and any error ends this socket only. */
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

  /** As in browsers: `OPEN`, 2 while it closes, 3 afterwards. */
  get readyState(): number {
    return this.#state === 'open' ? this.OPEN : this.#state === 'closing' ? 2 : 3
  }

  /** Bytes that the client has not received yet. */
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

  /** Sends a close frame and waits for the client's for a limited time. */
  close(code: number = CLOSE_CODE.normal): void {
    if (this.#state !== 'open') return
    this.#state = 'closing'
    const payload = Buffer.alloc(code === CLOSE_CODE.noCodeGiven ? 0 : 2)
    if (payload.length > 0) payload.writeUInt16BE(code)
    this.#stream.write(serverFrame(OPCODE.close, payload))
    const timeout = setTimeout(() => this.#stream.destroy(), CLOSE_TIMEOUT_MS)
    this.#stream.once('close', () => clearTimeout(timeout))
  }

  /** Closes the connection without a close frame. */
  terminate(): void {
    if (this.#state === 'open') this.#state = 'closing'
    this.#stream.destroy()
  }

  /** Reads bytes of the client, however they are split. */
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
      // After our close frame only the client's close frame matters.
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

  /** Ends the connection once the client has received what was sent. */
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
