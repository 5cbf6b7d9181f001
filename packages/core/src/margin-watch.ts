import { LevelHeap, type Mark } from './level-heap.ts'
import type { Tick } from './quote.ts'

/** Prices within which an account cannot reach its stop-out; null: that side cannot hurt it. */
export type SafeRange = { readonly bidFloor: number | null; readonly askCeiling: number | null }

type AccountMark = Mark & { readonly accountId: number }
type Watch = { readonly below: LevelHeap<AccountMark>; readonly above: LevelHeap<AccountMark> }

/**
 * Accounts by the prices at which their margin level has to be looked at again. A tick looks at two heap tops; an
 * account costs nothing while prices stay within its safe range.
 */
export class MarginWatch {
  readonly #byInstrument = new Map<number, Watch>()
  readonly #byAccount = new Map<number, { heap: LevelHeap<AccountMark>; mark: AccountMark }[]>()

  /** Watches an account at the edges of its safe ranges, by instrument; what was watched before is forgotten. */
  watch(accountId: number, ranges: ReadonlyMap<number, SafeRange>): void {
    this.forget(accountId)
    const watched: { heap: LevelHeap<AccountMark>; mark: AccountMark }[] = []
    const add = (heap: LevelHeap<AccountMark>, level: number) =>
      watched.push({ heap, mark: heap.add({ accountId, level, slot: -1 }) })
    for (const [instrumentId, { bidFloor, askCeiling }] of ranges) {
      const { below, above } = this.#watchOf(instrumentId)
      if (bidFloor !== null) add(below, bidFloor - 1)
      if (askCeiling !== null) add(above, askCeiling + 1)
    }
    if (watched.length > 0) this.#byAccount.set(accountId, watched)
  }

  forget(accountId: number): void {
    for (const { heap, mark } of this.#byAccount.get(accountId) ?? []) heap.remove(mark)
    this.#byAccount.delete(accountId)
  }

  /** True when a tick leaves anybody's safe range; the cheap question asked on every tick. */
  isReachedBy({ instrumentId, bid, ask }: Pick<Tick, 'instrumentId' | 'bid' | 'ask'>): boolean {
    const watch = this.#byInstrument.get(instrumentId)
    return watch !== undefined && (watch.below.isReachedBy(bid) || watch.above.isReachedBy(ask))
  }

  /** Accounts whose safe range a tick leaves, by id. */
  due({ instrumentId, bid, ask }: Pick<Tick, 'instrumentId' | 'bid' | 'ask'>): number[] {
    const watch = this.#byInstrument.get(instrumentId)
    if (!watch) return []
    const found = new Set([...watch.below.due(bid), ...watch.above.due(ask)].map((mark) => mark.accountId))
    return [...found].toSorted((a, b) => a - b)
  }

  #watchOf(instrumentId: number): Watch {
    const known = this.#byInstrument.get(instrumentId)
    if (known) return known
    const watch: Watch = { below: new LevelHeap('down'), above: new LevelHeap('up') }
    this.#byInstrument.set(instrumentId, watch)
    return watch
  }
}
