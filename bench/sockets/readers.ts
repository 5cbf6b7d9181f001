// A separate program: opens so many sockets that subscribe to prices, and reports what they receive.
//   node bench/sockets/readers.ts <url> <sockets> [plain]      reads a line `count <seconds>` and answers with a line of JSON
import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { clientMessage, encode, quotesChannel, SOCKET, topicOf } from '@fairlot/contract'
import { createFrameCounter } from './frames.ts'

/** Connections opened at the same time. */
const AT_ONCE = 100
/** A shorter frame is not a round of prices, bytes. */
const ROUND_FROM_BYTES = 300
/** Rounds are 200 ms apart: a frame this long after the first of a round belongs to the next, ms. */
const ROUND_MS = 150

/** The result of `count`. `spreadP99Ms`: time from the first reader of a round to the 99th percentile. */
export type Reading = {
  readonly frames: number
  readonly bytes: number
  readonly spreadP99Ms: number
  readonly rounds: number
}

const [address = '', sockets = '0', isPlain] = process.argv.slice(2)
const { hostname, port, host } = new URL(address)
const subscribe = encode(clientMessage, { type: 'subscribe', topics: [topicOf(quotesChannel)] })

let frames = 0
let bytes = 0
let rounds = 0
let roundBegan = 0
/** Number of readers by lateness, in tenths of a millisecond after the first of the round. */
const late = new Map<number, number>()

function take(size: number): void {
  if (size < ROUND_FROM_BYTES) return
  const now = performance.now()
  if (now - roundBegan > ROUND_MS) {
    roundBegan = now
    rounds += 1
  }
  const tenths = Math.round((now - roundBegan) * 10)
  late.set(tenths, (late.get(tenths) ?? 0) + 1)
  frames += 1
  bytes += size
}

/** Masked with zeros, which leaves the text unchanged. */
function maskedText(text: string): Buffer {
  const payload = Buffer.from(text)
  return Buffer.concat([Buffer.from([0x81, 0x80 | payload.length, 0, 0, 0, 0]), payload])
}

const handshake = (): string =>
  [
    `GET ${SOCKET.path} HTTP/1.1`,
    `Host: ${host}`,
    'Upgrade: websocket',
    'Connection: Upgrade',
    'Sec-WebSocket-Version: 13',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    ...(isPlain === undefined ? ['Sec-WebSocket-Extensions: permessage-deflate'] : []),
    '',
    '',
  ].join('\r\n')

async function open(): Promise<Socket> {
  const socket = connect(Number(port), hostname)
  socket.setNoDelay(true)
  const opened = Promise.withResolvers<void>()
  const count = createFrameCounter()
  let isOpen = false
  socket.on('error', opened.reject)
  socket.on('close', () => opened.reject(new Error('the server has closed a socket')))
  socket.on('data', (piece) => {
    if (isOpen) return count(piece).forEach(take)
    isOpen = true
    if (piece.includes(' 101 ')) opened.resolve()
    else opened.reject(new Error(piece.toString('latin1').split('\r\n')[0]))
  })
  socket.write(handshake())
  await opened.promise
  socket.write(maskedText(JSON.stringify(subscribe)))
  return socket
}

function percentile(part: number): number {
  let left = frames * part
  for (const [tenths, readers] of [...late].toSorted(([a], [b]) => a - b)) {
    left -= readers
    if (left <= 0) return tenths / 10
  }
  return NaN
}

const all: Socket[] = []
while (all.length < Number(sockets)) {
  const wanted = Math.min(AT_ONCE, Number(sockets) - all.length)
  all.push(...(await Promise.all(Array.from({ length: wanted }, open))))
}
console.log(`Ready with ${all.length}`)
createInterface(process.stdin).on('line', (line) => {
  const seconds = Number(line.split(' ')[1])
  ;[frames, bytes, rounds] = [0, 0, 0]
  late.clear()
  void pause(seconds * 1_000).then(() => {
    const reading: Reading = { frames, bytes, rounds, spreadP99Ms: percentile(0.99) }
    console.log(JSON.stringify(reading))
  })
})
