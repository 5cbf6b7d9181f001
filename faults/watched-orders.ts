import type { Trader } from './client.ts'
import type { JournalReader } from './journal-reader.ts'
import type { MovingPrices } from './moving-prices.ts'
import { until } from '../testing/wait.ts'

/** The instrument whose price is moved past the watched orders: nobody else trades it. */
export const WATCHED_CODE = 'GBPUSD'
const REACH_TICKS = 60
const JUMP_TICKS = 100
const FIRES_WITHIN_MS = 60_000

/** A stop and a pending order that are active when the fault strikes, and a price that reaches both after it. */
export type Watched = {
  /** Places both near the current price. */
  place(): Promise<void>
  /** Moves the price past both. With `once` the tick that reaches them is sent once, and later ones differ. */
  jump(times: 'once' | 'always'): void
  /** True while neither has fired. */
  isWaiting(): Promise<boolean>
  /** Resolves once both have fired. */
  fired(): Promise<void>
  /** Problems: orders that did not fire exactly as they should have. */
  check(journal: JournalReader): string[]
  end(): Promise<void>
}

export function createWatched(trader: Trader, source: MovingPrices, instrumentId: number): Watched {
  let isFalling = false
  let held = 0
  let waiting = 0
  let start = 0
  let first = 0

  const mustBeThere = (orderId: number | null, reason: string | null): number => {
    if (orderId === null) throw new Error(`an order to be watched was not accepted: ${reason}`)
    return orderId
  }
  const checkFill = (journal: JournalReader, orderId: number, name: 'openPrice' | 'closePrice'): string[] => {
    const history = journal.history(orderId)
    const spread = source.ask(WATCHED_CODE) - source.bid(WATCHED_CODE)
    const expected = isFalling ? first : first + spread
    if (history?.[name] === expected) return []
    return [
      `order ${orderId} was watched: its ${name} is ${history?.[name]}, the first tick to reach it was ${expected}`,
    ]
  }

  return {
    place: async () => {
      isFalling = !isFalling
      start = source.bid(WATCHED_CODE)
      const sign = isFalling ? -1 : 1
      const level = (isFalling ? source.bid(WATCHED_CODE) : source.ask(WATCHED_CODE)) + sign * REACH_TICKS
      const side = isFalling ? 'buy' : 'sell'
      const stopped = await trader.submit({ instrumentId, side, stopLoss: level })
      held = mustBeThere(stopped.orderId, stopped.reason)
      const pending = await trader.submit({
        instrumentId,
        side: isFalling ? 'sell' : 'buy',
        target: level,
      })
      waiting = mustBeThere(pending.orderId, pending.reason)
    },
    jump: (times) => {
      const sign = isFalling ? -1 : 1
      first = start + sign * JUMP_TICKS
      source.set(WATCHED_CODE, first, times === 'once' ? first + sign : first)
    },
    isWaiting: async () => {
      const [pending, holding] = [await trader.orders('pending'), await trader.orders('holding')]
      return pending.orders.some(({ id }) => id === waiting) && holding.orders.some(({ id }) => id === held)
    },
    fired: () =>
      until('the watched orders fire', FIRES_WITHIN_MS, async () => {
        const page = await trader.orders('holding').catch(() => null)
        const ids = page?.orders.map(({ id }) => id)
        return ids?.includes(waiting) === true && !ids.includes(held) ? true : null
      }).then(() => undefined),
    check: (journal) => [
      ...checkFill(journal, held, 'closePrice'),
      ...checkFill(journal, waiting, 'openPrice'),
      ...(journal.history(held)?.endReason === 'stopLoss'
        ? []
        : [`order ${held} did not end by its stop loss`]),
    ],
    end: async () => {
      const { orderId, reason } = await trader.close(waiting)
      mustBeThere(orderId, reason)
    },
  }
}
