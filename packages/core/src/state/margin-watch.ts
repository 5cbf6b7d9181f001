import { LevelHeap, type HeapEntry } from './level-heap.ts'
import type { Tick } from '../model/quote.ts'

/** Prices within which an account cannot reach its stop-out. */
export type StopOutPriceBand = { readonly bidFloor: number; readonly askCeiling: number }

/** The band of an instrument without a price: every first price is outside of it. */
export const AWAITED: StopOutPriceBand = { bidFloor: Infinity, askCeiling: Infinity }

/** The stop-out price band on each instrument that an account depends on; null: check on every tick. */
export type StopOutPriceBands = ReadonlyMap<number, StopOutPriceBand | null>

type Prices = Pick<Tick, 'instrumentId' | 'bid' | 'ask'>
type AccountEntry = HeapEntry & { readonly accountId: number }

/** The accounts watched on one instrument. */
type Watch = {
  readonly below: LevelHeap<AccountEntry>
  readonly above: LevelHeap<AccountEntry>
  /** Accounts without a stop-out price band, checked on every tick. */
  readonly unsafe: Set<number>
}

/** Where an account is watched. */
type Place = {
  readonly instrumentId: number
  readonly watch: Watch
  readonly entries: readonly AccountEntry[]
}

/** What is watched for an account on an instrument. */
export type WatchedBand = {
  readonly accountId: number
  readonly instrumentId: number
  readonly band: StopOutPriceBand | null
}

/**
 * Accounts by the prices at which their margin level must be checked again. A tick peeks at two heap tops; an account
 * costs nothing while prices stay within its stop-out price bands.
 */
export class MarginWatch {
  readonly #byInstrument = new Map<number, Watch>()
  readonly #byAccount = new Map<number, Place[]>()

  /** Watches an account at the edges of its stop-out price bands, replacing what was watched before. */
  watch(accountId: number, bands: StopOutPriceBands): void {
    const known = this.#byAccount.get(accountId)
    if (known && known.length === bands.size && known.every((place) => canMove(place, bands))) {
      for (const place of known) move(place, bands)
      return
    }
    this.forget(accountId)
    const places: Place[] = []
    for (const [instrumentId, band] of bands) {
      const watch = this.#watchOf(instrumentId)
      places.push({ instrumentId, watch, entries: addTo(watch, accountId, band) })
    }
    if (places.length > 0) this.#byAccount.set(accountId, places)
  }

  forget(accountId: number): void {
    for (const { watch, entries } of this.#byAccount.get(accountId) ?? []) {
      watch.unsafe.delete(accountId)
      const [below, above] = entries
      if (below) watch.below.remove(below)
      if (above) watch.above.remove(above)
    }
    this.#byAccount.delete(accountId)
  }

  /** True when a tick concerns any account: a cheap check for every tick. */
  isReachedBy({ instrumentId, bid, ask }: Prices): boolean {
    const watch = this.#byInstrument.get(instrumentId)
    if (!watch) return false
    return watch.unsafe.size > 0 || watch.below.isReachedBy(bid) || watch.above.isReachedBy(ask)
  }

  /** Accounts whose stop-out price band a tick leaves, by id. */
  leaving({ instrumentId, bid, ask }: Prices): number[] {
    const watch = this.#byInstrument.get(instrumentId)
    if (!watch) return []
    const entries = [...watch.below.due(bid), ...watch.above.due(ask)]
    return byId(new Set(entries.map(({ accountId }) => accountId)))
  }

  /** Accounts to check on a tick: those that leave their band, those without one, and `others`. By id. */
  due(prices: Prices, others: Iterable<number> = []): number[] {
    const unsafe = this.#byInstrument.get(prices.instrumentId)?.unsafe ?? []
    return byId(new Set([...this.leaving(prices), ...unsafe, ...others]))
  }

  /** Everything that is watched in no particular order, for checks. */
  *all(): Generator<WatchedBand> {
    for (const [accountId, places] of this.#byAccount) {
      for (const { instrumentId, entries } of places) {
        const [below, above] = entries
        const band = below && above && { bidFloor: below.level + 1, askCeiling: above.level - 1 }
        yield { accountId, instrumentId, band: band ?? null }
      }
    }
  }

  #watchOf(instrumentId: number): Watch {
    const known = this.#byInstrument.get(instrumentId)
    if (known) return known
    const watch: Watch = { below: new LevelHeap('down'), above: new LevelHeap('up'), unsafe: new Set() }
    this.#byInstrument.set(instrumentId, watch)
    return watch
  }
}

/** Usually the instruments are the same as before, and only the edges have changed. */
const canMove = ({ instrumentId, entries }: Place, bands: StopOutPriceBands): boolean =>
  entries.length > 0 && !!bands.get(instrumentId)

function move({ instrumentId, watch, entries }: Place, bands: StopOutPriceBands): void {
  const band = bands.get(instrumentId)
  const [below, above] = entries
  if (!band || !below || !above) return
  watch.below.move(below, band.bidFloor - 1)
  watch.above.move(above, band.askCeiling + 1)
}

function addTo(watch: Watch, accountId: number, band: StopOutPriceBand | null): readonly AccountEntry[] {
  if (!band) {
    watch.unsafe.add(accountId)
    return NONE
  }
  return [
    watch.below.add({ accountId, level: band.bidFloor - 1, slot: -1 }),
    watch.above.add({ accountId, level: band.askCeiling + 1, slot: -1 }),
  ]
}

const NONE: readonly AccountEntry[] = []

const byId = (ids: Set<number>): number[] => [...ids].toSorted((a, b) => a - b)
