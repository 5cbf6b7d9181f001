import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Quote } from '@fairlot/core'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Engine } from '../apps/server/src/engine/engine.ts'

/** A real price source that a test controls. */
export type PriceSource = {
  /** The value of FEED. */
  readonly url: string
  /** Sends a frame unchanged to all listeners. Returns whether there are any. */
  publish(frame: string | Uint8Array): boolean
  /** Sends a frame unchanged. Resolves once there is a listener and it is sent. */
  send(frame: string | Uint8Array): Promise<void>
  /** Calls back for every new listener. */
  onListener(callback: () => void): void
  close(): void
}

/** Resolves once a listener has answered a ping or has closed. */
const isAlive = async (client: WebSocket): Promise<void> => {
  const requesting = new AbortController()
  const { signal } = requesting
  const received = Promise.race([once(client, 'pong', { signal }), once(client, 'close', { signal })])
  if (client.readyState === client.OPEN) client.ping()
  await received.catch(() => undefined)
  requesting.abort()
}

export async function openPriceSource(): Promise<PriceSource> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  server.on('connection', (client) => client.setMaxListeners(0).on('error', () => undefined))
  const { port } = server.address() as AddressInfo
  const publish: PriceSource['publish'] = (frame) => {
    for (const client of server.clients) client.send(frame)
    return server.clients.size > 0
  }
  return {
    url: `ws://127.0.0.1:${port}`,
    publish,
    send: async (frame) => {
      // A listener may have gone without being noticed yet.
      await Promise.all([...server.clients].map(isAlive))
      while (!publish(frame)) await once(server, 'connection')
    },
    onListener: (callback) => void server.on('connection', callback),
    close: () => {
      for (const client of server.clients) client.terminate()
      server.close()
    },
  }
}

/** Prices that stay until they are changed. */
export type HeldPrices = {
  /** The value of FEED. */
  readonly url: string
  /** Sets a price and repeats it so that it stays fresh. Plain numbers, as a source sends them. */
  readonly set: (code: string, bid: number, ask: number) => void
  readonly close: () => void
}

const REPEAT_MS = 500

export async function openHeldPrices(): Promise<HeldPrices> {
  const source = await openPriceSource()
  const prices = new Map<string, { bid: number; ask: number }>()
  const publish = () => {
    for (const [symbol, price] of prices) source.publish(JSON.stringify({ symbol, ...price }))
  }
  source.onListener(publish)
  const timer = setInterval(publish, REPEAT_MS)
  return {
    url: source.url,
    set: (code, bid, ask) => {
      prices.set(code, { bid, ask })
      publish()
    },
    close: () => {
      clearInterval(timer)
      source.close()
    },
  }
}

/** Sends a price and waits until the engine has accepted it and its consequences are committed. */
export async function quote(
  source: PriceSource,
  engine: Engine,
  code: string,
  prices: readonly [bid: number, ask: number],
  time?: number,
): Promise<Quote> {
  const instrument = [...engine.state().instruments.values()].find((known) => known.code === code)
  if (!instrument) throw new Error(`no instrument ${code}`)
  const [bid, ask] = prices
  const taken = new Promise<Quote>((resolve) => {
    const stop = engine.onQuote((accepted) => {
      if (accepted.instrumentId !== instrument.id) return
      stop()
      resolve(accepted)
    })
  })
  await source.send(JSON.stringify({ symbol: code, bid, ask, ...(time !== undefined && { time }) }))
  const accepted = await taken
  // Commands run in order: once this one is rejected, the price's commit is done.
  await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
  return accepted
}
