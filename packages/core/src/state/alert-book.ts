import type { Alert, AlertDirection, AlertSide } from '../model/alert.ts'
import type { Tick } from '../model/quote.ts'
import { LevelHeap, type HeapEntry } from './level-heap.ts'
import { MarginWatch } from './margin-watch.ts'

type Prices = Pick<Tick, 'instrumentId' | 'bid' | 'ask'>

/** The price that an alert waits for: a level of a side. The mid is watched as bid + ask, in half ticks. */
export type AlertLevel = {
  readonly instrumentId: number
  readonly side: AlertSide
  readonly direction: AlertDirection
  readonly level: number
}

type AlertEntry = HeapEntry & { readonly alertId: number; readonly accountId: number }

/** The alerts on one instrument by side and direction. */
type InstrumentAlerts = Record<AlertSide, Record<AlertDirection, LevelHeap<AlertEntry>>>

/** Where an alert waits. `nowhere`: its level is not known yet. */
type Place =
  | {
      readonly kind: 'price'
      readonly heap: LevelHeap<AlertEntry>
      readonly entry: AlertEntry
      at: AlertLevel
    }
  | { readonly kind: 'asleep'; readonly entry: AlertEntry }
  | { readonly kind: 'margin' | 'nowhere' }

/** What is watched for an alert, for checks. */
export type WatchedAlert = {
  readonly alertId: number
  readonly place: Place['kind']
  readonly level: AlertLevel | null
  /** When it ends by itself, epoch ms; null: never. */
  readonly endsAt: number | null
}

export const SIDES: readonly AlertSide[] = ['bid', 'ask', 'mid']

/** The value of a side on the scale of its levels. */
export const valueOf = (side: AlertSide, { bid, ask }: Pick<Tick, 'bid' | 'ask'>): number =>
  side === 'mid' ? bid + ask : side === 'bid' ? bid : ask

/**
 * All alerts by what they wait for, as `TriggerBook` holds orders: a quiet tick peeks at the tops of six heaps, and
 * at the margin levels that alerts of accounts wait for. Alerts in their pause wait for its end.
 */
export class AlertBook {
  readonly #byInstrument = new Map<number, InstrumentAlerts>()
  readonly #asleep = new LevelHeap<AlertEntry>('up')
  readonly #places = new Map<number, Place>()
  readonly #ends = new LevelHeap<AlertEntry>('up')
  readonly #endsByAlert = new Map<number, AlertEntry>()
  /** By account: the margin levels in percent that its alerts wait for now. */
  readonly #marginLevels = new Map<number, Map<number, number>>()
  /** Accounts by the prices at which the highest of these levels must be checked. */
  readonly margins = new MarginWatch()

  /** Watches a price; null: its level is not known yet. */
  watchPrice({ id: alertId, accountId }: Alert, at: AlertLevel | null): void {
    this.#leave(alertId, accountId)
    if (!at) return void this.#places.set(alertId, { kind: 'nowhere' })
    const heap = this.#heapsOf(at.instrumentId)[at.side][at.direction]
    const entry = heap.add({ alertId, accountId, level: at.level, slot: -1 })
    this.#places.set(alertId, { kind: 'price', heap, entry, at })
  }

  /** Watches the margin level of the account; its price bands are those of `highestMarginLevel`. */
  watchMarginLevel({ id: alertId, accountId }: Alert, level: number): void {
    this.#leave(alertId, accountId)
    const levels = this.#marginLevels.get(accountId) ?? new Map<number, number>()
    this.#marginLevels.set(accountId, levels.set(alertId, level))
    this.#places.set(alertId, { kind: 'margin' })
  }

  /** Keeps an alert in its pause until `wakesAt`, epoch ms. */
  sleep({ id: alertId, accountId, wakesAt }: Alert): void {
    this.#leave(alertId, accountId)
    const entry = this.#asleep.add({ alertId, accountId, level: wakesAt, slot: -1 })
    this.#places.set(alertId, { kind: 'asleep', entry })
  }

  /** Ends an alert at `at`, epoch ms, whatever it waits for; null: not by itself. */
  endAt({ id: alertId, accountId }: Pick<Alert, 'id' | 'accountId'>, at: number | null): void {
    const known = this.#endsByAlert.get(alertId)
    if (known?.level === at) return
    if (known) this.#ends.remove(known)
    if (at === null) this.#endsByAlert.delete(alertId)
    else this.#endsByAlert.set(alertId, this.#ends.add({ alertId, accountId, level: at, slot: -1 }))
  }

  forget(alertId: number, accountId: number): void {
    this.endAt({ id: alertId, accountId }, null)
    this.#leave(alertId, accountId)
  }

  #leave(alertId: number, accountId: number): void {
    const place = this.#places.get(alertId)
    if (!place) return
    this.#places.delete(alertId)
    if (place.kind === 'price') place.heap.remove(place.entry)
    else if (place.kind === 'asleep') this.#asleep.remove(place.entry)
    else if (place.kind === 'margin') {
      const levels = this.#marginLevels.get(accountId)
      levels?.delete(alertId)
      if (levels?.size === 0) this.#marginLevels.delete(accountId)
    }
  }

  isAsleep(alertId: number): boolean {
    return this.#places.get(alertId)?.kind === 'asleep'
  }

  /** The highest margin level in percent that alerts of an account wait for; null: none does. */
  highestMarginLevel(accountId: number): number | null {
    const levels = this.#marginLevels.get(accountId)
    return levels ? Math.max(...levels.values()) : null
  }

  /** Alerts of an account that wait for its margin level, by id. */
  marginAlertsOf(accountId: number): number[] {
    return [...(this.#marginLevels.get(accountId)?.keys() ?? [])].toSorted((a, b) => a - b)
  }

  /** True when a tick may fire an alert: a cheap check for every tick. */
  isReachedBy(prices: Prices): boolean {
    if (this.margins.isReachedBy(prices)) return true
    const heaps = this.#byInstrument.get(prices.instrumentId)
    if (!heaps) return false
    const { bid, ask } = prices
    const mid = bid + ask
    return (
      heaps.bid.above.isReachedBy(bid) ||
      heaps.bid.below.isReachedBy(bid) ||
      heaps.ask.above.isReachedBy(ask) ||
      heaps.ask.below.isReachedBy(ask) ||
      heaps.mid.above.isReachedBy(mid) ||
      heaps.mid.below.isReachedBy(mid)
    )
  }

  /** Alerts on prices that a tick fires, by id. */
  due(prices: Prices): { readonly alertId: number; readonly accountId: number }[] {
    const heaps = this.#byInstrument.get(prices.instrumentId)
    if (!heaps) return []
    const found = SIDES.flatMap((side) => {
      const value = valueOf(side, prices)
      return [...heaps[side].above.due(value), ...heaps[side].below.due(value)]
    })
    return found.toSorted((a, b) => a.alertId - b.alertId)
  }

  /** Accounts whose margin level a tick may have brought to that of an alert; of `others` those with such alerts. By id. */
  dueMargins(prices: Prices, others: Iterable<number>): number[] {
    return this.margins.due(
      prices,
      [...others].filter((accountId) => this.#marginLevels.has(accountId)),
    )
  }

  /** True when a pause has ended at `at`, epoch ms. */
  isAnyAwake(at: number): boolean {
    return this.#asleep.isReachedBy(at)
  }

  /** Alerts whose pause has ended at `at` (epoch ms), by id. */
  awake(at: number): { readonly alertId: number; readonly accountId: number }[] {
    return this.#asleep.due(at).toSorted((a, b) => a.alertId - b.alertId)
  }

  /** True when an alert is to end at `at`, epoch ms: a cheap check for every tick. */
  isAnyOver(at: number): boolean {
    return this.#ends.isReachedBy(at)
  }

  /** Alerts that are to end at `at` (epoch ms), by id. */
  over(at: number): { readonly alertId: number; readonly accountId: number }[] {
    return this.#ends.due(at).toSorted((a, b) => a.alertId - b.alertId)
  }

  /** Everything that is watched in no particular order, for checks. */
  *all(): Generator<WatchedAlert> {
    for (const [alertId, place] of this.#places) {
      const level = place.kind === 'price' ? { ...place.at, level: place.entry.level } : null
      yield { alertId, place: place.kind, level, endsAt: this.#endsByAlert.get(alertId)?.level ?? null }
    }
  }

  #heapsOf(instrumentId: number): InstrumentAlerts {
    let heaps = this.#byInstrument.get(instrumentId)
    if (!heaps) {
      const both = () => ({
        above: new LevelHeap<AlertEntry>('up'),
        below: new LevelHeap<AlertEntry>('down'),
      })
      heaps = { bid: both(), ask: both(), mid: both() }
      this.#byInstrument.set(instrumentId, heaps)
    }
    return heaps
  }
}
