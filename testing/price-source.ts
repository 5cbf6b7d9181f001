import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Quote } from '@fairlot/core'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Engine } from '../apps/server/src/engine/engine.ts'

/** A real source of prices that the test speaks for: the server listens to it as to any other. */
export type PriceSource = {
  /** What FEED takes. */
  readonly url: string
  /** Sends a frame as it is, to whoever listens now. Answers whether somebody does. */
  tell(frame: string | Uint8Array): boolean
  /** Sends a frame as it is. Resolves once somebody listens and it is on its way. */
  say(frame: string | Uint8Array): Promise<void>
  /** Calls back for everybody who begins to listen. */
  onListener(callback: () => void): void
  close(): void
}

/** Resolves once a listener has answered, or has gone. */
const isAlive = async (client: WebSocket): Promise<void> => {
  const asking = new AbortController()
  const { signal } = asking
  const heard = Promise.race([once(client, 'pong', { signal }), once(client, 'close', { signal })])
  if (client.readyState === client.OPEN) client.ping()
  await heard.catch(() => undefined)
  asking.abort()
}

export async function openPriceSource(): Promise<PriceSource> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  server.on('connection', (client) => client.setMaxListeners(0).on('error', () => undefined))
  const { port } = server.address() as AddressInfo
  const tell: PriceSource['tell'] = (frame) => {
    for (const client of server.clients) client.send(frame)
    return server.clients.size > 0
  }
  return {
    url: `ws://127.0.0.1:${port}`,
    tell,
    say: async (frame) => {
      // A listener that has just gone may not have been heard of.
      await Promise.all([...server.clients].map(isAlive))
      while (!tell(frame)) await once(server, 'connection')
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
  /** What FEED takes. */
  readonly url: string
  /** Sets a price, and says it again and again so that it stays fresh. Plain figures, as a source sends them. */
  readonly set: (code: string, bid: number, ask: number) => void
  readonly close: () => void
}

const SAY_MS = 500

export async function openHeldPrices(): Promise<HeldPrices> {
  const source = await openPriceSource()
  const prices = new Map<string, { bid: number; ask: number }>()
  const tell = () => {
    for (const [symbol, price] of prices) source.tell(JSON.stringify({ symbol, ...price }))
  }
  source.onListener(tell)
  const timer = setInterval(tell, SAY_MS)
  return {
    url: source.url,
    set: (code, bid, ask) => {
      prices.set(code, { bid, ask })
      tell()
    },
    close: () => {
      clearInterval(timer)
      source.close()
    },
  }
}

/** Sends a price and waits until the engine has taken it, and what it led to is committed. */
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
  await source.say(JSON.stringify({ symbol: code, bid, ask, ...(time !== undefined && { time }) }))
  const accepted = await taken
  // Commands take effect in their order: once this one is refused the price's own commit is over.
  await engine.execute({ type: 'cancelOrder', accountId: 0, orderId: 0 })
  return accepted
}
