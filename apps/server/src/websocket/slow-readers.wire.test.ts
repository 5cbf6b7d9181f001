import { describe, expect, test, vi } from 'vitest'
import type { ServerSocket } from './protocol/server-socket.ts'
import { makePlace, serverOn, startServer, type PricedServer } from '../testing/running-server.ts'
import { openSocket, type SocketReader } from '../testing/socket-reader.ts'

const SUBSCRIBE = { type: 'sub', params: ['DAY_MARKET', 'KLINE.EURUSD'] }

/** Prices every instrument, so that the first frame of a subscription has some weight. */
async function priceAll(server: PricedServer): Promise<void> {
  for (const { instrument, referencePrice, typicalSpread } of server.deployment.market.registry.instruments) {
    const unit = 10 ** instrument.priceDecimals
    await server.price(instrument.code, [referencePrice / unit, (referencePrice + typicalSpread) / unit])
  }
}

/** The server's end of the newest connection. */
const serverEnd = ({ app }: PricedServer): ServerSocket => {
  const newest = [...app.websocketServer.clients].at(-1)
  if (!newest) throw new Error('nobody is connected')
  return newest
}

/** A reader that has stopped reading, with every buffer on the way to it full and so many bytes waiting in the server. */
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

describe('a reader that has stopped reading', () => {
  const server = serverOn('sqlite')
  let bid = 1.085
  const nextPrice = () => {
    bid = Number((bid + 0.00001).toFixed(5))
    return server().price('EURUSD', [bid, Number((bid + 0.00006).toFixed(5))])
  }
  /** So many rounds of prices have gone out to a neighbour. */
  const rounds = async (neighbour: SocketReader, count: number) => {
    for (let round = 0; round < count; round++) {
      await nextPrice()
      await neighbour.next('DAY_MARKET', ({ quotation }) => (quotation as { bid: number }).bid === bid)
    }
  }

  test('is left out of rounds instead of queueing them, and gets the newest of everything once it reads', async () => {
    await priceAll(server())
    const [reader, end] = await stuckReader(server(), 10_000)
    const neighbour = await openSocket(server())
    neighbour.send(SUBSCRIBE)
    await rounds(neighbour, 1)
    const queued = end.bufferedAmount
    await rounds(neighbour, 6)
    // Less than one round is: a frame that is of no round may have come.
    expect(end.bufferedAmount).toBeLessThan(queued + 500)
    const before = reader.messages.length
    reader.socket.resume()
    // Also when nothing moves any more: what it missed is told as soon as it can take it.
    await reader.next('DAY_MARKET', ({ quotation }) => (quotation as { bid: number }).bid === bid)
    const close = Number((bid + 0.00003).toFixed(5))
    await reader.next('KLINE', ({ kline }) => (kline as { Close: number }).Close === close)
    await reader.settled()
    const caughtUp = reader.messages.slice(before).filter(({ type }) => type === 'DAY_MARKET')
    expect(new Set(caughtUp.map(({ symbol }) => symbol)).size).toBe(55)
    // From then on only what moves, as everybody else: one price and six bars.
    const after = reader.messages.length
    await rounds(neighbour, 1)
    await reader.next('DAY_MARKET', ({ quotation }) => (quotation as { bid: number }).bid === bid)
    await reader.settled()
    expect(reader.messages.slice(after).map(({ type }) => type)).toEqual([
      ...['DAY_MARKET', 'KLINE', 'KLINE', 'KLINE', 'KLINE', 'KLINE', 'KLINE', 'pong'],
    ])
  })

  test('is dropped once a megabyte waits for it; others are unharmed', async () => {
    await priceAll(server())
    const neighbour = await openSocket(server())
    neighbour.send(SUBSCRIBE)
    const [reader, end] = await stuckReader(server(), 900_000)
    // Each asking is answered with all prices: what is said to one reader alone cannot be merged.
    for (let count = 0; count < 40; count++) reader.send(SUBSCRIBE)
    await vi.waitUntil(() => end.readyState !== end.OPEN)
    expect(end.bufferedAmount).toBeLessThan(1_100_000)
    reader.socket.resume()
    expect(await reader.closed).toBe(1006)
    await rounds(neighbour, 1)
  })
})

describe('a reader that does not answer', () => {
  const server = serverOn('sqlite', { timing: { heartbeatMs: 150 } })

  test('is dropped after two heartbeats; one that does is kept', async () => {
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
  test('does not wait for readers who have stopped reading', async () => {
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
