import type { Order } from './order.ts'
import type { Tick } from '../market/quote.ts'
import { LevelHeap, type Mark } from './level-heap.ts'

/** What an order waits for: its target, take profit, stop loss, a step of its trailing stop, or (as a time) its expiry. */
export type TriggerKind = 'takeProfit' | 'stopLoss' | 'trail' | 'target' | 'expiry'

export type Trigger = Mark & {
  readonly orderId: number
  readonly kind: TriggerKind
  /** Where it waits. */
  readonly heap: LevelHeap<Trigger>
  /** Another one of the same order: a list of its own for each of a million orders would take more room than they do. */
  readonly next: Trigger | null
}

type PriceWatch = `${'bid' | 'ask'}${'Up' | 'Down'}`

/** The triggers of one instrument, by the side of the quote they watch and the way the price must go. */
type InstrumentTriggers = Record<PriceWatch, LevelHeap<Trigger>>

const PRICE_WATCHES: readonly PriceWatch[] = ['bidUp', 'bidDown', 'askUp', 'askDown']

/** A trigger and what it looks at: a side of an instrument's price going one way, or the time. */
export type WatchedTrigger = {
  readonly orderId: number
  readonly kind: TriggerKind
  readonly level: number
  readonly instrumentId: number | null
  readonly watch: PriceWatch | 'time'
}

/** Which side and way a trigger of an order watches (trading-rules §2). */
function watchOf(order: Order, kind: TriggerKind): PriceWatch {
  const isBuy = order.side === 'buy'
  switch (kind) {
    // Stops fire on the closing side: the bid for a buy, the ask for a sell.
    case 'takeProfit':
      return isBuy ? 'bidUp' : 'askDown'
    case 'stopLoss':
      return isBuy ? 'bidDown' : 'askUp'
    // A target fires on the side it would fill at; a limit waits for a better price, a stop for a worse one.
    case 'target':
      if (order.kind === 'limit') return isBuy ? 'askDown' : 'bidUp'
      return isBuy ? 'askUp' : 'bidDown'
    // A trailing stop follows the closing side as the price gets better.
    case 'trail':
      return isBuy ? 'bidUp' : 'askDown'
    case 'expiry':
      throw new RangeError('an expiry is not watched on a price')
  }
}

/** The closing price at which a trailing stop moves by one tick; null where none trails. */
function nextTrailLevel(order: Order): number | null {
  if (order.trailingDistance === null || order.stopLoss === null) return null
  return order.side === 'buy'
    ? order.stopLoss + order.trailingDistance + 1
    : order.stopLoss - order.trailingDistance - 1
}

/** Of one order the take profit comes before the stop loss, and what ends it before what only moves its stop. */
const TURNS: Record<TriggerKind, number> = { takeProfit: 0, stopLoss: 1, trail: 2, target: 3, expiry: 4 }

/** All triggers of all living orders. A tick looks at four heap tops and touches only what it fires. */
export class TriggerBook {
  readonly #byInstrument = new Map<number, InstrumentTriggers>()
  readonly #expiries = new LevelHeap<Trigger>('up')
  /** The last of each order's. */
  readonly #byOrder = new Map<number, Trigger>()

  /** Watches what an order waits for now; whatever was watched for it before is forgotten. */
  watch(order: Order): void {
    this.forget(order.id)
    let next: Trigger | null = null
    const add = (heap: LevelHeap<Trigger>, kind: TriggerKind, level: number) => {
      next = heap.add({ orderId: order.id, kind, level, slot: -1, heap, next })
    }
    if (order.status === 'pending') {
      if (order.targetPrice !== null) add(this.#heapOf(order, 'target'), 'target', order.targetPrice)
      if (order.expiresAt !== null) add(this.#expiries, 'expiry', order.expiresAt)
    } else {
      if (order.takeProfit !== null) add(this.#heapOf(order, 'takeProfit'), 'takeProfit', order.takeProfit)
      if (order.stopLoss !== null) add(this.#heapOf(order, 'stopLoss'), 'stopLoss', order.stopLoss)
      const step = nextTrailLevel(order)
      if (step !== null) add(this.#heapOf(order, 'trail'), 'trail', step)
    }
    if (next !== null) this.#byOrder.set(order.id, next)
  }

  forget(orderId: number): void {
    let trigger = this.#byOrder.get(orderId) ?? null
    if (!trigger) return
    for (; trigger; trigger = trigger.next) trigger.heap.remove(trigger)
    this.#byOrder.delete(orderId)
  }

  /** True when a tick fires anything; the cheap question asked on every tick. */
  isReachedBy(tick: Pick<Tick, 'instrumentId' | 'bid' | 'ask'>): boolean {
    const heaps = this.#byInstrument.get(tick.instrumentId)
    if (!heaps) return false
    return (
      heaps.bidUp.isReachedBy(tick.bid) ||
      heaps.bidDown.isReachedBy(tick.bid) ||
      heaps.askUp.isReachedBy(tick.ask) ||
      heaps.askDown.isReachedBy(tick.ask)
    )
  }

  /** What a tick fires: stops first, then pending orders, each by order id (trading-rules §9). */
  due(tick: Pick<Tick, 'instrumentId' | 'bid' | 'ask'>): Trigger[] {
    return this.#reachedBy(tick).filter(({ kind }) => kind !== 'trail')
  }

  /** Trailing stops that a price is better for, by order id. */
  trailing(tick: Pick<Tick, 'instrumentId' | 'bid' | 'ask'>): Trigger[] {
    return this.#reachedBy(tick).filter(({ kind }) => kind === 'trail')
  }

  #reachedBy(tick: Pick<Tick, 'instrumentId' | 'bid' | 'ask'>): Trigger[] {
    const heaps = this.#byInstrument.get(tick.instrumentId)
    if (!heaps) return []
    const found = [
      ...heaps.bidUp.due(tick.bid),
      ...heaps.bidDown.due(tick.bid),
      ...heaps.askUp.due(tick.ask),
      ...heaps.askDown.due(tick.ask),
    ]
    const rank = (trigger: Trigger) => (trigger.kind === 'target' ? 1 : 0)
    return found.toSorted(
      (a, b) => rank(a) - rank(b) || a.orderId - b.orderId || TURNS[a.kind] - TURNS[b.kind],
    )
  }

  /** True when a pending order's time is over at `at`. */
  isAnyExpired(at: number): boolean {
    return this.#expiries.isReachedBy(at)
  }

  /** Pending orders whose time is over at `at`, by order id. */
  expired(at: number): Trigger[] {
    return this.#expiries.due(at).toSorted((a, b) => a.orderId - b.orderId)
  }

  /** Everything that is watched, in no order: for checking, not for deciding. */
  *all(): Generator<WatchedTrigger> {
    for (const [instrumentId, heaps] of this.#byInstrument) {
      for (const watch of PRICE_WATCHES) {
        for (const { orderId, kind, level } of heaps[watch].all()) {
          yield { orderId, kind, level, instrumentId, watch }
        }
      }
    }
    for (const { orderId, kind, level } of this.#expiries.all()) {
      yield { orderId, kind, level, instrumentId: null, watch: 'time' }
    }
  }

  #heapOf(order: Order, kind: TriggerKind): LevelHeap<Trigger> {
    let heaps = this.#byInstrument.get(order.instrumentId)
    if (!heaps) {
      heaps = {
        bidUp: new LevelHeap<Trigger>('up'),
        bidDown: new LevelHeap<Trigger>('down'),
        askUp: new LevelHeap<Trigger>('up'),
        askDown: new LevelHeap<Trigger>('down'),
      }
      this.#byInstrument.set(order.instrumentId, heaps)
    }
    return heaps[watchOf(order, kind)]
  }
}
