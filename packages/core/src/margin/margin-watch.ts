import { LevelHeap, type Mark } from '../orders/level-heap.ts'
import type { Tick } from '../market/quote.ts'

/** Prices within which an account cannot reach its stop-out. */
export type SafeRange = { readonly bidFloor: number; readonly askCeiling: number }

/** The range of an instrument without a price: its first price is outside of it, whatever it is. */
export const AWAITED: SafeRange = { bidFloor: Infinity, askCeiling: Infinity }

/** The safe range on each instrument that an account depends on; null: no price is safe, look at every tick. */
export type SafeRanges = ReadonlyMap<number, SafeRange | null>

type Prices = Pick<Tick, 'instrumentId' | 'bid' | 'ask'>
type AccountMark = Mark & { readonly accountId: number }

/** Who is watched on one instrument. */
type Watch = {
  readonly below: LevelHeap<AccountMark>
  readonly above: LevelHeap<AccountMark>
  /** Accounts without a safe range: looked at on every tick. */
  readonly unsafe: Set<number>
}

/** Where an account is watched. */
type Place = { readonly instrumentId: number; readonly watch: Watch; readonly marks: readonly AccountMark[] }

/** What is watched for an account on an instrument, as it stands. */
export type WatchedRange = {
  readonly accountId: number
  readonly instrumentId: number
  readonly range: SafeRange | null
}

/**
 * Accounts by the prices at which their margin level has to be looked at again. A tick looks at two heap tops; an
 * account costs nothing while prices stay within its safe range.
 */
export class MarginWatch {
  readonly #byInstrument = new Map<number, Watch>()
  readonly #byAccount = new Map<number, Place[]>()

  /** Watches an account at the edges of its safe ranges; what was watched before is forgotten. */
  watch(accountId: number, ranges: SafeRanges): void {
    const known = this.#byAccount.get(accountId)
    if (known && known.length === ranges.size && known.every((place) => canMove(place, ranges))) {
      for (const place of known) move(place, ranges)
      return
    }
    this.forget(accountId)
    const places: Place[] = []
    for (const [instrumentId, range] of ranges) {
      const watch = this.#watchOf(instrumentId)
      places.push({ instrumentId, watch, marks: addTo(watch, accountId, range) })
    }
    if (places.length > 0) this.#byAccount.set(accountId, places)
  }

  forget(accountId: number): void {
    for (const { watch, marks } of this.#byAccount.get(accountId) ?? []) {
      watch.unsafe.delete(accountId)
      const [below, above] = marks
      if (below) watch.below.remove(below)
      if (above) watch.above.remove(above)
    }
    this.#byAccount.delete(accountId)
  }

  /** True when a tick concerns anybody; the cheap question asked on every tick. */
  isReachedBy({ instrumentId, bid, ask }: Prices): boolean {
    const watch = this.#byInstrument.get(instrumentId)
    if (!watch) return false
    return watch.unsafe.size > 0 || watch.below.isReachedBy(bid) || watch.above.isReachedBy(ask)
  }

  /** Accounts whose safe range a tick leaves, by id. */
  leaving({ instrumentId, bid, ask }: Prices): number[] {
    const watch = this.#byInstrument.get(instrumentId)
    if (!watch) return []
    const marks = [...watch.below.due(bid), ...watch.above.due(ask)]
    return byId(new Set(marks.map(({ accountId }) => accountId)))
  }

  /** Accounts to look at on a tick: who leaves the safe range, who has none, and those of `others`. By id. */
  due(prices: Prices, others: Iterable<number> = []): number[] {
    const unsafe = this.#byInstrument.get(prices.instrumentId)?.unsafe ?? []
    return byId(new Set([...this.leaving(prices), ...unsafe, ...others]))
  }

  /** Everything that is watched, in no order: for checking, not for deciding. */
  *all(): Generator<WatchedRange> {
    for (const [accountId, places] of this.#byAccount) {
      for (const { instrumentId, marks } of places) {
        const [below, above] = marks
        const range = below && above && { bidFloor: below.level + 1, askCeiling: above.level - 1 }
        yield { accountId, instrumentId, range: range ?? null }
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

/** Most often the instruments are the same as before, and only the edges have changed. */
const canMove = ({ instrumentId, marks }: Place, ranges: SafeRanges): boolean =>
  marks.length > 0 && !!ranges.get(instrumentId)

function move({ instrumentId, watch, marks }: Place, ranges: SafeRanges): void {
  const range = ranges.get(instrumentId)
  const [below, above] = marks
  if (!range || !below || !above) return
  watch.below.move(below, range.bidFloor - 1)
  watch.above.move(above, range.askCeiling + 1)
}

function addTo(watch: Watch, accountId: number, range: SafeRange | null): readonly AccountMark[] {
  if (!range) {
    watch.unsafe.add(accountId)
    return NONE
  }
  return [
    watch.below.add({ accountId, level: range.bidFloor - 1, slot: -1 }),
    watch.above.add({ accountId, level: range.askCeiling + 1, slot: -1 }),
  ]
}

const NONE: readonly AccountMark[] = []

const byId = (ids: Set<number>): number[] => [...ids].toSorted((a, b) => a - b)
