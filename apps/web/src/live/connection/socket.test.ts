import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { accept, serverMessage } from '@fairlot/contract'
import { afterEach, describe, expect, test } from 'vitest'
import { queue, quick, serve } from './socket.fixture.ts'
import { createSocket, retryPauseMs, SOCKET_TIMING } from './socket.ts'
import type { ConnectionState, Socket } from './socket.ts'

const CLOSED = '{"type":"FOREX_CLOSED","id":[7],"seq":3}'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function started() {
  const server = await serve()
  closers.push(server.close)
  return server
}

function connect(url: string, timing = quick) {
  const states = queue<ConnectionState>()
  const opened = queue<boolean>()
  const messages = queue<unknown>()
  const socket: Socket = createSocket({
    url: () => url,
    timing,
    random: () => 0,
    onState: states.push,
    onOpen: opened.push,
    read: (frame) => {
      const read = accept(serverMessage, frame)
      return read.ok ? read.value : null
    },
    onMessage: messages.push,
  })
  closers.push(socket.stop)
  return { socket, states, opened, messages }
}

describe('the socket', () => {
  test('keeps to the times of the specification', () => {
    expect(SOCKET_TIMING).toMatchObject({ connectTimeoutMs: 5000, pingEveryMs: 5000, missedPongsMax: 3 })
  })

  test('waits longer after each failure, by chance between half and all of it, and never too long', () => {
    const pauses = (random: number) =>
      [0, 1, 2, 9].map((failures) => retryPauseMs(failures, SOCKET_TIMING, random))
    expect(pauses(1)).toEqual([500, 1000, 2000, 15_000])
    expect(pauses(0)).toEqual([250, 500, 1000, 7500])
  })

  test('opens once, however often it is started', async () => {
    const { url, peers } = await started()
    const { socket, opened } = connect(url)
    const first = opened.next()
    socket.start()
    socket.start()
    expect(await first).toBe(false)
    socket.start()
    expect(peers.values).toHaveLength(1)
  })

  test('hands on messages in our words, but neither pongs nor what it cannot read', async () => {
    const { url, peers } = await started()
    const { socket, messages } = connect(url)
    const peer = peers.next()
    const got = messages.next()
    socket.start()
    const texts = ['{"type":"pong"}', 'no json', '{"type":"news"}', '{"type":"FOREX_CLOSED"}', CLOSED]
    for (const text of texts) (await peer).send(text)
    expect(await got).toEqual({ type: 'closed', orderIds: [7], seq: 3 })
    expect(messages.values).toHaveLength(1)
  })

  test('stays on one connection while its pings are answered', async () => {
    const { url, peers, frames } = await started()
    const { socket, states } = connect(url)
    const peer = peers.next()
    socket.start()
    const server = await peer
    server.on('message', () => server.send('{"type":"pong"}'))
    for (let pings = 0; pings < 6; pings += 1) expect(await frames.next()).toEqual({ type: 'ping' })
    expect(peers.values).toHaveLength(1)
    expect(states.values).toEqual(['connecting', 'open'])
  })

  test('connects anew after three unanswered pings', async () => {
    const { url, peers, frames } = await started()
    const { socket, opened, states } = connect(url)
    const again = opened.next((isAgain) => isAgain)
    socket.start()
    await again
    expect(frames.values.filter(({ type }) => type === 'ping')).toHaveLength(3)
    expect(peers.values).toHaveLength(2)
    expect(states.values).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open'])
  })

  test('comes back when the server hangs up, and says that it is a reconnect', async () => {
    const { url, peers } = await started()
    const { socket, opened } = connect(url)
    const peer = peers.next()
    const again = opened.next((isAgain) => isAgain)
    socket.start()
    ;(await peer).terminate()
    await again
    expect(opened.values).toEqual([false, true])
  })

  test('gives up a handshake that is not answered in time and tries again', async () => {
    const server = (await import('node:net')).createServer(() => undefined)
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    closers.push(() => server.close())
    const { socket, states } = connect(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      ...quick,
      connectTimeoutMs: 10,
    })
    const waited = states.next((state) => state === 'waiting')
    socket.start()
    await waited
    expect(states.values).toEqual(['connecting', 'waiting'])
  })

  test('stays closed after stop', async () => {
    const { url } = await started()
    const { socket, opened, states } = connect(url)
    const open = opened.next()
    socket.start()
    await open
    socket.stop()
    expect(states.values.at(-1)).toBe('idle')
  })
})
