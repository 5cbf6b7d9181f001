import { formatDecimal } from '@fairlot/core'
import { seedInstruments } from '../../apps/server/src/seed/seed.ts'
import { openPriceSource } from '../../testing/price-source.ts'

const EVERY_MS = 200
const FURTHEST_PIPS = 20

type MovingPrices = { readonly url: string; stop(): Promise<void> }

/**
 * A price source that moves every instrument by a pip five times a second, randomly up or down near its reference.
 */
export async function openMovingPrices(): Promise<MovingPrices> {
  const source = await openPriceSource()
  const instruments = seedInstruments()
  const away = new Map<string, number>()
  const line = ({ instrument, referencePrice, pricePip, typicalSpread }: (typeof instruments)[number]) => {
    const { code, priceDecimals } = instrument
    const before = away.get(code) ?? 0
    const pips = before + (Math.random() * FURTHEST_PIPS * 2 > before + FURTHEST_PIPS ? 1 : -1)
    away.set(code, pips)
    const bid = referencePrice + pips * pricePip
    const ask = bid + Math.max(1, typicalSpread)
    const [bidText, askText] = [formatDecimal(bid, priceDecimals), formatDecimal(ask, priceDecimals)]
    return JSON.stringify({ symbol: code, bid: bidText, ask: askText })
  }
  let isSent = true
  const tick = () => {
    // Sending waits until the server listens.
    if (!isSent) return
    isSent = false
    void source.send(instruments.map(line).join('\n')).then(() => (isSent = true))
  }
  const timer = setInterval(tick, EVERY_MS)
  return {
    url: source.url,
    stop: async () => {
      clearInterval(timer)
      source.close()
    },
  }
}
