import { once } from 'node:events'
import { SOCKET } from '@fairlot/contract'
import { WebSocket, type ClientOptions } from 'ws'
import type { RunningServer } from './running-server.ts'

type Message = { readonly type: string; readonly [field: string]: unknown }

/** A plain socket client that keeps what it reads, in order. */
export type SocketReader = {
  readonly socket: WebSocket
  /** All messages so far; several in one frame count one by one. */
  readonly messages: readonly Message[]
  /** An object goes as JSON, text as it is. */
  send(message: object | string): void
  /** The first message that was not taken before and fits. What comes before it stays for others to take. */
  next(type: string, fits?: (message: Message) => boolean): Promise<Message>
  /** Everything sent before has been answered once this resolves. */
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
    for (const look of waiting) look()
  })
  const send: SocketReader['send'] = (message) =>
    socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  const next: SocketReader['next'] = (type, fits = () => true) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`no ${type} came; the last were ${JSON.stringify(messages.slice(-5))}`))
      }, PATIENCE_MS)
      const look = () => {
        const found = messages.find(
          (message) => message.type === type && !taken.has(message) && fits(message),
        )
        if (!found) return
        taken.add(found)
        waiting.delete(look)
        clearTimeout(timer)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  const settled = async () => {
    send({ type: 'ping' })
    await next('pong')
  }
  return { socket, messages, send, next, settled, closed }
}
