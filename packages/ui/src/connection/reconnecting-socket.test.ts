import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { queue, quick, serve } from './socket.fixture.ts'
import { type ConnectionState, createSocket, retryPauseMs, type Socket } from './reconnecting-socket.ts'

const NEWS = '{"type":"news","text":"hello"}'

const typeOf = (frame: unknown): unknown =>
  typeof frame === 'object' && frame !== null && 'type' in frame ? frame.type : null

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
  const silences = queue<boolean>()
  const states = queue<ConnectionState>()
  const opened = queue<boolean>()
  const messages = queue<unknown>()
  const socket: Socket = createSocket({
    url: () => url,
    timing,
    ping: '{"type":"ping"}',
    random: () => 0,
    onState: states.push,
    onSilent: silences.push,
    onOpen: opened.push,
    read: (frame) => (typeOf(frame) === 'pong' ? 'pong' : typeOf(frame) === 'news' ? frame : null),
    onMessage: messages.push,
  })
  closers.push(socket.stop)
  return { socket, states, opened, messages, silences }
}

describe('the socket', () => {
  test('waits longer after each failure, with jitter and up to a maximum', () => {
    const pauses = (random: number) =>
      [0, 1, 2, 9].map((failures) =>
        retryPauseMs(failures, { firstRetryMs: 500, longestRetryMs: 15_000 }, random),
      )
    expect(pauses(1)).toEqual([500, 1000, 2000, 15_000])
    expect(pauses(0)).toEqual([250, 500, 1000, 7500])
  })

  test('reports when an open connection falls silent, and when it receives again', async () => {
    const { url, peers, frames } = await started()
    const slow = { ...quick, pingEveryMs: 60_000, quietMs: 20, answerMs: 20 }
    const { socket, silences, states } = connect(url, slow)
    const [peer, pinged, silent] = [peers.next(), frames.next(({ type }) => type === 'ping'), silences.next()]
    socket.start()
    await pinged
    expect(await silent).toBe(true)
    expect(states.values.at(-1)).toBe('open')
    const again = silences.next()
    ;(await peer).send(NEWS)
    expect(await again).toBe(false)
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

  test('passes decoded messages on, but neither pongs nor unknown frames', async () => {
    const { url, peers } = await started()
    const { socket, messages } = connect(url)
    const peer = peers.next()
    const got = messages.next()
    socket.start()
    const texts = ['{"type":"pong"}', 'no json', '{"type":"other"}', 'null', NEWS]
    for (const text of texts) (await peer).send(text)
    expect(await got).toEqual({ type: 'news', text: 'hello' })
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

  test('reconnects after three unanswered pings', async () => {
    const { url, peers, frames } = await started()
    const { socket, opened, states } = connect(url)
    const again = opened.next((isAgain) => isAgain)
    socket.start()
    await again
    expect(frames.values.filter(({ type }) => type === 'ping')).toHaveLength(3)
    expect(peers.values).toHaveLength(2)
    expect(states.values).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open'])
  })

  test('reconnects when the server closes the connection, and reports a reconnect', async () => {
    const { url, peers } = await started()
    const { socket, opened } = connect(url)
    const peer = peers.next()
    const again = opened.next((isAgain) => isAgain)
    socket.start()
    ;(await peer).terminate()
    await again
    expect(opened.values).toEqual([false, true])
  })

  test('connects at once when it is started during the pause before an attempt', async () => {
    const { url, peers } = await started()
    const { socket, opened, states } = connect(url, {
      ...quick,
      firstRetryMs: 60_000,
      longestRetryMs: 60_000,
    })
    const peer = peers.next()
    const again = opened.next((isAgain) => isAgain)
    const waited = states.next((state) => state === 'waiting')
    socket.start()
    ;(await peer).terminate()
    await waited
    socket.start()
    await again
    expect(states.values).toEqual(['connecting', 'open', 'waiting', 'connecting', 'open'])
  })

  test('waits longer each time for a server that accepts and closes at once', async () => {
    const { url, peers } = await started()
    const pauses: number[] = []
    const schedule = globalThis.setTimeout
    const { socket } = connect(url, { ...quick, firstRetryMs: 3, longestRetryMs: 100 })
    vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms: number) => {
      if (ms < 100) pauses.push(ms)
      return schedule(callback, ms)
    }) as typeof setTimeout)
    socket.start()
    for (let count = 0; count < 3; count += 1) (await peers.next()).terminate()
    await peers.next()
    vi.restoreAllMocks()
    expect(pauses.filter((ms) => ms !== quick.pingEveryMs)).toEqual([1.5, 3, 6])
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
