import type { Order } from '../model/order.ts'
import type { Tick } from '../model/quote.ts'
import { nextTrailLevel } from '../model/trailing-stop.ts'
import { LevelHeap, type HeapEntry } from './level-heap.ts'

/**
 * What an order waits for: its target, take profit, stop loss, a move of its trailing stop, or (as a time) its
 * expiry.
 */
export type TriggerKind = 'takeProfit' | 'stopLoss' | 'trail' | 'target' | 'expiry'

export type Trigger = HeapEntry & {
  readonly orderId: number
  readonly kind: TriggerKind
  /** Its heap. */
  readonly heap: LevelHeap<Trigger>
  /**
   * Another one of the same order: a separate list for each of a million orders would need more memory than the
   * triggers.
   */
  readonly next: Trigger | null
}

type PriceWatch = `${'bid' | 'ask'}${'Up' | 'Down'}`

/** The triggers of one instrument, by the side of the quote they watch and the direction of the price. */
type InstrumentTriggers = Record<PriceWatch, LevelHeap<Trigger>>

const PRICE_WATCHES: readonly PriceWatch[] = ['bidUp', 'bidDown', 'askUp', 'askDown']

/** A trigger and what it watches: a side of an instrument's price in one direction, or the time. */
export type WatchedTrigger = {
  readonly orderId: number
  readonly kind: TriggerKind
  readonly level: number
  readonly instrumentId: number | null
  readonly watch: PriceWatch | 'time'
}

/** The side and direction that a trigger watches (trading-rules §2). */
function watchOf(order: Order, kind: TriggerKind): PriceWatch {
  const isBuy = order.side === 'buy'
  switch (kind) {
    // Stops fire on the closing side: the bid for a buy, the ask for a sell.
    case 'takeProfit':
      return isBuy ? 'bidUp' : 'askDown'
    case 'stopLoss':
      return isBuy ? 'bidDown' : 'askUp'
    // A target fires on its opening side; a limit waits for a better price, a stop for a worse one.
    case 'target':
      if (order.kind === 'limit') return isBuy ? 'askDown' : 'bidUp'
      return isBuy ? 'askUp' : 'bidDown'
    // A trailing stop follows the closing side as the price improves.
    case 'trail':
      return isBuy ? 'bidUp' : 'askDown'
    case 'expiry':
      throw new RangeError('an expiry is not watched on a price')
  }
}

/** For one order the take profit comes before the stop loss, and closing before moving a stop. */
const FIRING_ORDER: Record<TriggerKind, number> = {
  takeProfit: 0,
  stopLoss: 1,
  trail: 2,
  target: 3,
  expiry: 4,
}

/** All triggers of all active orders. A tick peeks at four heap tops and accesses only what it fires. */
export class TriggerBook {
  readonly #byInstrument = new Map<number, InstrumentTriggers>()
  readonly #expiries = new LevelHeap<Trigger>('up')
  /** The last trigger of each order. */
  readonly #byOrder = new Map<number, Trigger>()

  /** Watches what an order waits for now, replacing what was watched before. */
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
      const trailLevel = nextTrailLevel(order)
      if (trailLevel !== null) add(this.#heapOf(order, 'trail'), 'trail', trailLevel)
    }
    if (next !== null) this.#byOrder.set(order.id, next)
  }

  forget(orderId: number): void {
    let trigger = this.#byOrder.get(orderId) ?? null
    if (!trigger) return
    for (; trigger; trigger = trigger.next) trigger.heap.remove(trigger)
    this.#byOrder.delete(orderId)
  }

  /** True when a tick fires anything: a cheap check for every tick. */
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

  /** Triggers fired by a tick: stops first, then pending orders, each by order id (trading-rules §9). */
  due(tick: Pick<Tick, 'instrumentId' | 'bid' | 'ask'>): Trigger[] {
    return this.#reachedBy(tick).filter(({ kind }) => kind !== 'trail')
  }

  /** Trailing stops that a price improves, by order id. */
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
      (a, b) => rank(a) - rank(b) || a.orderId - b.orderId || FIRING_ORDER[a.kind] - FIRING_ORDER[b.kind],
    )
  }

  /** True when a pending order has expired at `at`. */
  isAnyExpired(at: number): boolean {
    return this.#expiries.isReachedBy(at)
  }

  /** Pending orders that have expired at `at`, by order id. */
  expired(at: number): Trigger[] {
    return this.#expiries.due(at).toSorted((a, b) => a.orderId - b.orderId)
  }

  /** Everything that is watched in no particular order, for checks. */
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
