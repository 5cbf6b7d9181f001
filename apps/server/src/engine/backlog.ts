import {
  isPacked,
  packBatch,
  unpackBatch,
  weightOf,
  type CommittedBatch,
  type PackedBatch,
  type PendingBatch,
} from './committed.ts'
import type { WrittenEntry } from './entry-codec.ts'
import { emptyRows, projectEntry, type ProjectedRows, type RowNumbers } from './projection-rows.ts'

export type { Change } from './committed.ts'

/** Events that wait in memory with all that belongs to them; of those that come on top only their places are kept. */
export const MOST_WHOLE = 60_000

/** How far the tables follow the journal, and the numbers of their last rows. */
export type Reached = { readonly seq: number; readonly numbers: Readonly<RowNumbers> }

/** A piece of the journal as rows of the tables: after which row it begins, and its last row. */
export type Stretch = {
  readonly from: number
  to: number
  eventCount: number
  readonly rows: ProjectedRows
}

/** Reads journal rows again, from the first to the last. Null when they cannot be had now. */
export type ReadAgain = (
  first: number,
  last: number,
) => Promise<ReadonlyMap<number, readonly WrittenEntry[]> | null>

/** The journal rows that the tables do not hold yet, and who waits for them. */
export class Backlog {
  #unfolded: PendingBatch[] = []
  readonly #stretches: Stretch[] = []
  readonly #readers = new Set<{ seq: number; resolve: () => void }>()
  readonly #numbers: RowNumbers
  #foldedTo: number
  #taken: Stretch | undefined
  #eventCount = 0
  /** Of these, the events that lie in memory whole. */
  #wholeCount = 0

  readonly #stretchSize: number
  readonly #mostWhole: number

  /** `stretchSize`: events in one stretch; a batch that has more makes one by itself. */
  constructor({ seq, numbers }: Reached, stretchSize: number, mostWhole = MOST_WHOLE) {
    this.#stretchSize = stretchSize
    this.#mostWhole = mostWhole
    this.#foldedTo = seq
    this.#numbers = { ...numbers }
  }

  /** Events that the tables do not hold yet. */
  get eventCount(): number {
    return this.#eventCount
  }

  get isAwaited(): boolean {
    return this.#readers.size > 0
  }

  push(batch: PendingBatch): void {
    const weight = weightOf(batch)
    this.#eventCount += weight
    if (isPacked(batch)) this.#unfolded.push(batch)
    else if (this.#wholeCount + weight > this.#mostWhole) this.#unfolded.push(packBatch(batch))
    else {
      this.#wholeCount += weight
      this.#unfolded.push(batch)
    }
  }

  /** Turns what has been pushed into rows, up to the first that has to be read again. Best done while the process waits. */
  fold(): void {
    const packed = this.#unfolded.findIndex(isPacked)
    if (packed === 0) return
    const whole = packed < 0 ? this.#unfolded : this.#unfolded.slice(0, packed)
    this.#unfolded = packed < 0 ? [] : this.#unfolded.slice(packed)
    for (const batch of whole) if (!isPacked(batch)) this.#foldBatch(batch)
  }

  /**
   * The oldest stretch; it grows no more and stays until it is dropped. Undefined when there is none, or when it has to be read
   * again and cannot be.
   */
  async take(readAgain: ReadAgain): Promise<Stretch | undefined> {
    this.fold()
    if (this.#stretches.length === 0) await this.#unpack(readAgain)
    this.#taken = this.#stretches[0]
    return this.#taken
  }

  /** Forgets everything up to a journal row, and tells those who wait for it. */
  drop(seq: number): void {
    if (seq === Infinity) {
      this.#unfolded = []
      this.#stretches.length = this.#eventCount = this.#wholeCount = 0
    }
    while (this.#stretches[0] && this.#stretches[0].to <= seq) {
      const count = this.#stretches.shift()?.eventCount ?? 0
      this.#eventCount -= count
      this.#wholeCount -= count
    }
    for (const reader of this.#readers) {
      if (reader.seq > seq) continue
      this.#readers.delete(reader)
      reader.resolve()
    }
  }

  /** Resolves once everything up to a journal row has been dropped. */
  dropped(seq: number): Promise<void> {
    const oldest = this.#stretches[0]?.from ?? this.#foldedTo
    if (this.#eventCount === 0 || oldest >= seq) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#readers.add({ seq, resolve })
    return promise
  }

  /** Reads as many rows again as fit into one stretch, or a single one that is larger. */
  async #unpack(readAgain: ReadAgain): Promise<void> {
    const packed = this.#packedStretch()
    const [first, last] = [packed[0], packed.at(-1)]
    if (!first || !last) return
    const rows = await readAgain(first.seq, last.seq)
    // Meanwhile everything may have been dropped.
    if (!rows || this.#unfolded[0] !== first) return
    this.#unfolded.splice(0, packed.length)
    for (const batch of packed) {
      const entries = rows.get(batch.seq)
      if (!entries) throw new Error(`journal row ${batch.seq} is not there any more`)
      this.#wholeCount += batch.weight
      this.#foldBatch(unpackBatch(batch, entries))
    }
  }

  #packedStretch(): PackedBatch[] {
    const taken: PackedBatch[] = []
    let weight = 0
    for (const batch of this.#unfolded) {
      weight += weightOf(batch)
      if (!isPacked(batch) || (taken.length > 0 && weight > this.#stretchSize)) return taken
      taken.push(batch)
    }
    return taken
  }

  #foldBatch(batch: CommittedBatch): void {
    const { seq, changes } = batch
    const weight = weightOf(batch)
    const stretch = this.#roomFor(weight)
    for (const change of changes) projectEntry(stretch.rows, this.#numbers, seq, change)
    stretch.eventCount += weight
    stretch.to = seq
    this.#foldedTo = seq
  }

  #roomFor(count: number): Stretch {
    const last = this.#stretches.at(-1)
    if (last && last !== this.#taken && last.eventCount + count <= this.#stretchSize) return last
    const place = { from: this.#foldedTo, to: this.#foldedTo }
    const next = { ...place, eventCount: 0, rows: emptyRows() }
    this.#stretches.push(next)
    return next
  }
}
