import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { RawTick } from '../feed.ts'
import { createManualPace } from '../test-kit.ts'
import { createWebsocketFeed, pauseMs, readFrame } from './websocket-feed.ts'

const line = (code: string) => JSON.stringify({ symbol: code, bid: 1.1, ask: '1.2', time: 1_700_000_000_000 })

/** A real source on a free port, and a feed that listens to it. */
async function connected(onConnection: (socket: WebSocket, connections: number) => void) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  let connections = 0
  server.on('connection', (socket) => onConnection(socket, ++connections))
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const feed = createWebsocketFeed({ url: `ws://127.0.0.1:${port}`, pace: createManualPace(0) })
  onTestFinished(async () => {
    await feed.stop()
    server.close()
  })
  return { feed, port, server, connectionsNow: () => connections }
}

/** Starts the feed and waits for its first `count` ticks. */
const firstTicks = (feed: ReturnType<typeof createWebsocketFeed>, count: number): Promise<RawTick[]> =>
  new Promise((resolve) => {
    const ticks: RawTick[] = []
    void feed.start((tick) => ticks.push(tick) === count && resolve(ticks))
  })

test('emits each line of each frame, with the name of its source', async () => {
  const { feed, port } = await connected((socket) => {
    socket.send(line('EURUSD'))
    socket.send(`${line('GBPUSD')}\n${line('USDJPY')}\n`)
  })
  const ticks = await firstTicks(feed, 3)
  expect(ticks.map(({ code }) => code)).toEqual(['EURUSD', 'GBPUSD', 'USDJPY'])
  expect(ticks[0]).toEqual({
    code: 'EURUSD',
    bid: 1.1,
    ask: '1.2',
    time: 1_700_000_000_000,
    source: `ws:127.0.0.1:${port}`,
  })
  expect(feed.counters()).toEqual({ received: 3, broken: 0 })
})

test('counts broken frames and continues', async () => {
  const { feed } = await connected((socket) => {
    socket.send('nonsense')
    socket.send(Buffer.from([0, 255, 7]))
    socket.send(Buffer.from(line('EURUSD')))
    socket.send('[]')
    socket.send(`{"symbol":"EURUSD"}\n${line('EURUSD')}`)
  })
  await firstTicks(feed, 1)
  expect(feed.counters()).toEqual({ received: 1, broken: 5 })
})

test('connects again after the source has gone', async () => {
  const { feed, connectionsNow } = await connected((socket) => {
    socket.send(line('EURUSD'), () => socket.terminate())
  })
  expect(await firstTicks(feed, 3)).toHaveLength(3)
  expect(connectionsNow()).toBeGreaterThanOrEqual(3)
})

test('disconnects from a source that sends too large a frame, counts it, and reconnects', async () => {
  const { feed } = await connected((socket, connections) => {
    socket.send(connections === 1 ? 'x'.repeat(2_000_000) : line('EURUSD'))
  })
  await firstTicks(feed, 1)
  expect(feed.counters()).toEqual({ received: 1, broken: 1 })
})

test('waits for a source that is not available yet', async () => {
  const { server, port } = await connected(() => undefined)
  server.close()
  await once(server, 'close')
  const pace = createManualPace(0)
  const feed = createWebsocketFeed({ url: `ws://127.0.0.1:${port}`, pace })
  const ticks = firstTicks(feed, 1)
  const later = new WebSocketServer({ host: '127.0.0.1', port })
  onTestFinished(async () => {
    await feed.stop()
    later.close()
  })
  later.on('connection', (socket) => socket.send(line('EURUSD')))
  expect(await ticks).toHaveLength(1)
})

test('emits nothing after it is stopped', async () => {
  const { feed, connectionsNow } = await connected((socket) => socket.send(line('EURUSD')))
  await firstTicks(feed, 1)
  await feed.stop()
  expect(feed.counters().received).toBe(1)
  expect(connectionsNow()).toBe(1)
})

test('doubles pauses from a quarter of a second to ten seconds, with random jitter', () => {
  expect([0, 1, 2, 5, 6, 1_000].map((failures) => pauseMs(failures, 1))).toEqual([
    250, 500, 1_000, 8_000, 10_000, 10_000,
  ])
  expect(pauseMs(1_000, 0)).toBe(5_000)
})

test('reads one tick per line, with and without a time', () => {
  const text =
    '{"symbol":"EURUSD","bid":1.1,"ask":"1.2","time":1700000000000.7}\n\r\n{"symbol":"X","bid":1,"ask":2}\n'
  expect(readFrame(text)).toEqual({
    ticks: [
      { code: 'EURUSD', bid: 1.1, ask: '1.2', time: 1_700_000_000_000 },
      { code: 'X', bid: 1, ask: 2, time: null },
    ],
    broken: 0,
  })
})

test.each([
  'nonsense',
  '[]',
  'null',
  '7',
  '{}',
  '[{"symbol":"EURUSD","bid":1,"ask":2}]',
  '{"symbol":1,"bid":1,"ask":2}',
  '{"symbol":"","bid":1,"ask":2}',
  `{"symbol":"${'A'.repeat(33)}","bid":1,"ask":2}`,
  '{"symbol":"EURUSD","bid":null,"ask":2}',
  '{"symbol":"EURUSD","bid":[1],"ask":2}',
  '{"symbol":"EURUSD","bid":1}',
  `{"symbol":"EURUSD","bid":"${'1'.repeat(33)}","ask":2}`,
  '{"symbol":"EURUSD","bid":1,"ask":2,"time":"now"}',
  '{"symbol":"EURUSD","bid":1,"ask":2,"time":1e309}',
  '{"__proto__":{"symbol":"EURUSD","bid":1,"ask":2}}',
  '['.repeat(500_000),
  `${'['.repeat(500_000)}${']'.repeat(500_000)}`,
])('counts a line that is not a tick and continues (%#)', (line) => {
  const { ticks, broken } = readFrame(`${line}\n{"symbol":"EURUSD","bid":1,"ask":2}`)
  expect([ticks.length, broken]).toEqual([1, 1])
})
