import { openPriceSource } from '../testing/price-source.ts'
import type { Random } from '../testing/random.ts'

const INTERVAL_MS = 100
/** A few ticks of the calm source: what they trigger has fired after this. */
export const STILL_MS = 4 * INTERVAL_MS
const WANDER_TICKS = 15
const STEP_TICKS = 3
/** Decimals of the instruments used here. */
export const PRICE_DECIMALS = 5

/** Bids and spreads in ticks. GBPUSD is constant, for the watched orders. */
const INSTRUMENTS = {
  EURUSD: { bid: 108_500, spread: 6, isWandering: true },
  USDCHF: { bid: 88_200, spread: 10, isWandering: true },
  GBPUSD: { bid: 126_500, spread: 9, isWandering: false },
} as const
export type Code = keyof typeof INSTRUMENTS
const CODES = ['EURUSD', 'USDCHF', 'GBPUSD'] as const

/** The prices of a run, in ticks of 1e-5. The server under test receives them as from any live source. */
export type MovingPrices = {
  readonly url: string
  bid(code: Code): number
  ask(code: Code): number
  /** Sets a price: the first message carries `bid`, all later ones `then`. */
  set(code: Code, bid: number, then?: number): void
  /** `moving`: prices wander; `calm`: they are repeated; `silent`: nothing is sent. */
  mode: 'moving' | 'calm' | 'silent'
  /** Sends a frame unchanged. */
  publish(frame: string | Uint8Array): void
  /** Sends all prices now. */
  publishAll(): void
  close(): void
}

export async function openMovingPrices(random: Random): Promise<MovingPrices> {
  const source = await openPriceSource()
  const bids = new Map<Code, number>(CODES.map((code) => [code, INSTRUMENTS[code].bid]))
  const later = new Map<Code, number>()
  const bid = (code: Code) => bids.get(code) ?? 0
  const ask = (code: Code) => bid(code) + INSTRUMENTS[code].spread
  const line = (code: Code) => JSON.stringify({ symbol: code, bid: bid(code) / 1e5, ask: ask(code) / 1e5 })

  const wander = () => {
    for (const code of CODES.filter((each) => INSTRUMENTS[each].isWandering)) {
      const middle = INSTRUMENTS[code].bid
      const moved = bid(code) + random.int(-STEP_TICKS, STEP_TICKS)
      bids.set(code, Math.min(middle + WANDER_TICKS, Math.max(middle - WANDER_TICKS, moved)))
    }
  }
  const publishAll = () => {
    if (prices.mode === 'silent' || !source.publish(CODES.map(line).join('\n'))) return
    for (const [code, then] of later) bids.set(code, then)
    later.clear()
  }
  const prices: MovingPrices = {
    url: source.url,
    publish: source.publish,
    bid,
    ask,
    publishAll,
    mode: 'moving',
    set: (code, price, then = price) => {
      bids.set(code, price)
      later.set(code, then)
    },
    close: () => {
      clearInterval(timer)
      source.close()
    },
  }
  const timer = setInterval(() => {
    if (prices.mode === 'moving') wander()
    publishAll()
  }, INTERVAL_MS)
  source.onListener(publishAll)
  return prices
}
