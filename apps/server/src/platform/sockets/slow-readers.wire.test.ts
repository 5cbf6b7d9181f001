import { describe, expect, test, vi } from 'vitest'
import type { ServerSocket } from './protocol/server-socket.ts'
import { makePlace, serverOn, startServer, type PricedServer } from '../../testing/running-server.ts'
import { openSocket, type SocketReader } from '../../testing/sockets.ts'
const SUBSCRIBE = { type: 'sub', params: ['DAY_MARKET', 'KLINE.EURUSD'] }

/** Sets a price for every instrument, so that the first frame of a subscription is large. */
async function priceAll(server: PricedServer): Promise<void> {
  for (const { instrument, referencePrice, typicalSpread } of server.deployment.market.registry.instruments) {
    const unit = 10 ** instrument.priceDecimals
    await server.price(instrument.code, [referencePrice / unit, (referencePrice + typicalSpread) / unit])
  }
}

/** The server's end of the newest connection. */
const serverEnd = ({ app }: PricedServer): ServerSocket => {
  const newest = [...app.websocketServer.clients].at(-1)
  if (!newest) throw new Error('no client is connected')
  return newest
}

/** A client that has stopped reading, with full network buffers and a number of unsent bytes in the server. */
async function stuckReader(server: PricedServer, unsentBytes: number): Promise<[SocketReader, ServerSocket]> {
  const reader = await openSocket(server, { perMessageDeflate: false })
  const end = serverEnd(server)
  reader.send(SUBSCRIBE)
  await reader.next('DAY_MARKET')
  reader.socket.pause()
  const filler = JSON.stringify({ type: 'filler', text: 'x'.repeat(50_000) })
  await vi.waitUntil(
    () => {
      if (end.bufferedAmount < unsentBytes) end.send(filler)
      return end.bufferedAmount >= unsentBytes
    },
    { interval: 1, timeout: 15_000 },
  )
  return [reader, end]
}

describe('a client that has stopped reading', () => {
  const server = serverOn('sqlite')
  let bid = 1.085
  const nextPrice = () => {
    bid = Number((bid + 0.00001).toFixed(5))
    return server().price('EURUSD', [bid, Number((bid + 0.00006).toFixed(5))])
  }
  /** Waits until a number of price rounds were sent to another client. */
  const rounds = async (neighbour: SocketReader, count: number) => {
    for (let round = 0; round < count; round++) {
      await nextPrice()
      await neighbour.next('DAY_MARKET', ({ quotation }) => (quotation as { bid: number }).bid === bid)
    }
  }

  test('is left out of price rounds, and gets the latest prices once it reads again', async () => {
    await priceAll(server())
    const [reader, end] = await stuckReader(server(), 10_000)
    const neighbour = await openSocket(server())
    neighbour.send(SUBSCRIBE)
    await rounds(neighbour, 1)
    const queued = end.bufferedAmount
    await rounds(neighbour, 6)
    // Less than two of six rounds: another frame may have been added, and at a full minute each bar that has ended.
    expect(end.bufferedAmount).toBeLessThan(queued + 1_500)
    const before = reader.messages.length
    reader.socket.resume()
    // Even when no price moves any more, it gets what it has missed as soon as it can.
    await reader.next('DAY_MARKET', ({ quotation }) => (quotation as { bid: number }).bid === bid)
    const close = Number((bid + 0.00003).toFixed(5))
    await reader.next('KLINE', ({ kline }) => (kline as { Close: number }).Close === close)
    await reader.settled()
    const caughtUp = reader.messages.slice(before).filter(({ type }) => type === 'DAY_MARKET')
    expect(new Set(caughtUp.map(({ symbol }) => symbol)).size).toBe(55)
    // From then on it gets only changes, like other clients: one price and six bars.
    const after = reader.messages.length
    await rounds(neighbour, 1)
    await reader.next('DAY_MARKET', ({ quotation }) => (quotation as { bid: number }).bid === bid)
    await reader.settled()
    const lastClose = Number((bid + 0.00003).toFixed(5))
    // At a full minute each bar that has ended comes as well, with an earlier price.
    const isNews = ({ type, kline }: SocketReader['messages'][number]) =>
      type !== 'KLINE' || (kline as { Close: number }).Close === lastClose
    const news = reader.messages.slice(after).filter(isNews)
    expect(news.map(({ type }) => type)).toEqual([
      'DAY_MARKET',
      'KLINE',
      'KLINE',
      'KLINE',
      'KLINE',
      'KLINE',
      'KLINE',
      'pong',
    ])
  })

  test('is dropped at a megabyte of unsent data; others are not affected', async () => {
    await priceAll(server())
    const neighbour = await openSocket(server())
    neighbour.send(SUBSCRIBE)
    const [reader, end] = await stuckReader(server(), 900_000)
    // Each subscription is answered with all prices, which cannot be merged.
    for (let count = 0; count < 40; count++) reader.send(SUBSCRIBE)
    await vi.waitUntil(() => end.readyState !== end.OPEN)
    expect(end.bufferedAmount).toBeLessThan(1_100_000)
    reader.socket.resume()
    expect(await reader.closed).toBe(1006)
    await rounds(neighbour, 1)
  })
})

describe('a client that does not answer pings', () => {
  const server = serverOn('sqlite', { timing: { heartbeatMs: 150 } })

  test('is dropped after two heartbeats; one that answers is kept', async () => {
    const [silent, alive] = [await openSocket(server()), await openSocket(server())]
    const ended = new Promise<void>((resolve) => {
      const [end] = server().app.websocketServer.clients
      end?.on('close', resolve)
    })
    silent.socket.pause()
    await ended
    await alive.settled()
    expect(server().app.websocketServer.clients.size).toBe(1)
  })
})

describe('a server that stops', () => {
  test('does not wait for clients that have stopped reading', async () => {
    const place = await makePlace('sqlite')
    const stopping = await startServer(place, { env: { FEED: 'ws://127.0.0.1:9' } })
    const reader = await openSocket(stopping)
    reader.socket.pause()
    const before = performance.now()
    await stopping.stop()
    expect(performance.now() - before).toBeLessThan(4_000)
    await place.remove()
  })
})
