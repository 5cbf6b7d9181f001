import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { WebSocket as Peer } from 'ws'
import type { SocketTiming } from './reconnecting-socket.ts'

/** The socket's behaviour at a pace for tests. */
export const quick: SocketTiming = {
  connectTimeoutMs: 2000,
  pingEveryMs: 10,
  missedPongsMax: 3,
  quietMs: 2000,
  answerMs: 2000,
  firstRetryMs: 1,
  longestRetryMs: 5,
}

/** Collects values and lets a test wait for the next one that fits. */
export function queue<Value>() {
  const values: Value[] = []
  const waiting: { fits: (value: Value) => boolean; resolve: (value: Value) => void }[] = []
  return {
    values,
    push(value: Value) {
      values.push(value)
      const at = waiting.findIndex(({ fits }) => fits(value))
      if (at >= 0) waiting.splice(at, 1)[0]?.resolve(value)
    },
    next: (fits: (value: Value) => boolean = () => true) =>
      new Promise<Value>((resolve) => waiting.push({ fits, resolve })),
  }
}

export type Frame = { type: string; params?: unknown }

/** A real socket server on loopback that records what it gets; pings are counted but not answered. */
export async function serve() {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  const peers = queue<Peer>()
  const frames = queue<Frame>()
  server.on('connection', (peer) => {
    peer.on('message', (data) => frames.push(JSON.parse(String(data)) as Frame))
    peers.push(peer)
  })
  await once(server, 'listening')
  const close = () => {
    for (const peer of server.clients) peer.terminate()
    server.close()
  }
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, peers, frames, close }
}
