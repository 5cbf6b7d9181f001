import { openPriceSource } from '../../apps/server/src/testing/price-source.ts'

/** A price source that a journey speaks for: the server listens to it as to any other. */
export type Prices = {
  /** What FEED takes. */
  readonly url: string
  /** Sets a price, and says it again and again so that it stays fresh. Plain figures, as a source sends them. */
  readonly set: (code: string, bid: number, ask: number) => void
  readonly close: () => void
}

const SAY_MS = 500

export async function openPrices(): Promise<Prices> {
  const source = await openPriceSource()
  const prices = new Map<string, { bid: number; ask: number }>()
  const say = () => {
    for (const [symbol, price] of prices) void source.say(JSON.stringify({ symbol, ...price }))
  }
  const timer = setInterval(say, SAY_MS)
  return {
    url: source.url,
    set: (code, bid, ask) => {
      prices.set(code, { bid, ask })
      say()
    },
    close: () => {
      clearInterval(timer)
      source.close()
    },
  }
}
