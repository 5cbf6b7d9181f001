import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Quote } from '@fairlot/core'
import { WebSocketServer, type WebSocket } from 'ws'
import type { Engine } from '../engine/engine.ts'

/** A real source of prices that the test speaks for: the server listens to it as to any other. */
export type PriceSource = {
  readonly url: string
  /** Sends a text frame as it is. Resolves once somebody listens and it is on its way. */
  say(text: string): Promise<void>
  close(): void
}

export async function openPriceSource(): Promise<PriceSource> {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const listener = async (): Promise<WebSocket> => {
    const [first] = server.clients
    if (first) return first
    await once(server, 'connection')
    return listener()
  }
  return {
    url: `ws://127.0.0.1:${port}`,
    say: async (text) => (await listener()).send(text),
    close: () => {
      for (const client of server.clients) client.terminate()
      server.close()
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
