import {
  isPacked,
  packBatch,
  unpackBatch,
  weightOf,
  type CommittedBatch,
  type PackedBatch,
  type PendingBatch,
} from './committed-batch.ts'
import type { WrittenEntry } from '../journal/entry-codec.ts'
import { emptyRows, projectEntry, type ProjectedRows, type RowNumbers } from './project-entry.ts'

/** Events kept in memory unpacked; batches beyond that are packed and read from the journal again. */
export const MAX_UNPACKED = 60_000

/** How far the tables follow the journal, and the numbers of their last rows. */
export type ProjectionPosition = { readonly seq: number; readonly numbers: Readonly<RowNumbers> }

/** A piece of the journal as rows of the tables: after journal row `from`, up to and including `to`. */
export type Segment = {
  readonly from: number
  to: number
  eventCount: number
  readonly rows: ProjectedRows
}

/** Reads the journal rows from `first` to `last` again; null when they cannot be read now. */
export type ReadAgain = (
  first: number,
  last: number,
) => Promise<ReadonlyMap<number, readonly WrittenEntry[]> | null>

/** The journal rows that the tables do not hold yet, and the readers that wait for them. */
export class Backlog {
  #unfolded: PendingBatch[] = []
  readonly #segments: Segment[] = []
  readonly #readers = new Set<{ seq: number; resolve: () => void }>()
  readonly #numbers: RowNumbers
  #foldedTo: number
  #taken: Segment | undefined
  #eventCount = 0
  /** Of these, the events in unpacked batches. */
  #unpackedCount = 0

  readonly #segmentSize: number
  readonly #maxUnpacked: number

  /** `segmentSize`: most events in one segment; a larger batch is a segment by itself. */
  constructor({ seq, numbers }: ProjectionPosition, segmentSize: number, maxUnpacked = MAX_UNPACKED) {
    this.#segmentSize = segmentSize
    this.#maxUnpacked = maxUnpacked
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
    else if (this.#unpackedCount + weight > this.#maxUnpacked) this.#unfolded.push(packBatch(batch))
    else {
      this.#unpackedCount += weight
      this.#unfolded.push(batch)
    }
  }

  /** Turns pushed batches into rows, up to the first packed one. Best done while the process waits for the database. */
  fold(): void {
    const packed = this.#unfolded.findIndex(isPacked)
    if (packed === 0) return
    const unpacked = packed < 0 ? this.#unfolded : this.#unfolded.slice(0, packed)
    this.#unfolded = packed < 0 ? [] : this.#unfolded.slice(packed)
    for (const batch of unpacked) if (!isPacked(batch)) this.#foldBatch(batch)
  }

  /**
   * The oldest segment; it is closed, and stays until it is dropped. Undefined when there is none, or when it cannot be read
   * again now.
   */
  async take(readAgain: ReadAgain): Promise<Segment | undefined> {
    this.fold()
    if (this.#segments.length === 0) await this.#unpack(readAgain)
    this.#taken = this.#segments[0]
    return this.#taken
  }

  /** Drops everything up to a journal row, and resolves the readers that wait for it. */
  drop(seq: number): void {
    if (seq === Infinity) {
      this.#unfolded = []
      this.#segments.length = this.#eventCount = this.#unpackedCount = 0
    }
    while (this.#segments[0] && this.#segments[0].to <= seq) {
      const count = this.#segments.shift()?.eventCount ?? 0
      this.#eventCount -= count
      this.#unpackedCount -= count
    }
    for (const reader of this.#readers) {
      if (reader.seq > seq) continue
      this.#readers.delete(reader)
      reader.resolve()
    }
  }

  /** Resolves once everything up to a journal row has been dropped. */
  dropped(seq: number): Promise<void> {
    const oldest = this.#segments[0]?.from ?? this.#foldedTo
    if (this.#eventCount === 0 || oldest >= seq) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#readers.add({ seq, resolve })
    return promise
  }

  /** Reads as many packed batches again as fit into one segment, or a single larger one. */
  async #unpack(readAgain: ReadAgain): Promise<void> {
    const packed = this.#packedSegment()
    const [first, last] = [packed[0], packed.at(-1)]
    if (!first || !last) return
    const rows = await readAgain(first.seq, last.seq)
    // Everything may have been dropped in the meantime.
    if (!rows || this.#unfolded[0] !== first) return
    this.#unfolded.splice(0, packed.length)
    for (const batch of packed) {
      const entries = rows.get(batch.seq)
      if (!entries) throw new Error(`journal row ${batch.seq} is missing`)
      this.#unpackedCount += batch.weight
      this.#foldBatch(unpackBatch(batch, entries))
    }
  }

  #packedSegment(): PackedBatch[] {
    const taken: PackedBatch[] = []
    let weight = 0
    for (const batch of this.#unfolded) {
      weight += weightOf(batch)
      if (!isPacked(batch) || (taken.length > 0 && weight > this.#segmentSize)) return taken
      taken.push(batch)
    }
    return taken
  }

  #foldBatch(batch: CommittedBatch): void {
    const { seq, changes } = batch
    const weight = weightOf(batch)
    const segment = this.#segmentFor(weight)
    for (const change of changes) projectEntry(segment.rows, this.#numbers, seq, change)
    segment.eventCount += weight
    segment.to = seq
    this.#foldedTo = seq
  }

  #segmentFor(count: number): Segment {
    const last = this.#segments.at(-1)
    if (last && last !== this.#taken && last.eventCount + count <= this.#segmentSize) return last
    const place = { from: this.#foldedTo, to: this.#foldedTo }
    const next = { ...place, eventCount: 0, rows: emptyRows() }
    this.#segments.push(next)
    return next
  }
}
