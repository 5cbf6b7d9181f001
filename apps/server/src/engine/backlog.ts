import type { Entry, Posting, TrailedStop } from '@fairlot/core'
import { emptyRows, projectEntry, type ProjectedRows, type RowNumbers } from './projection-rows.ts'

/** A committed entry with what it left behind besides the state: ledger rows, and where trailing stops stand. */
export type Change = {
  readonly entry: Entry
  readonly postings: readonly Posting[]
  readonly trailed: readonly TrailedStop[]
}

/** A change with the text of each of its events, as the journal has them. */
export type WrittenChange = Change & { readonly texts: readonly string[] }

/** A journal row on its way to the tables. */
export type CommittedBatch = { readonly seq: number; readonly changes: readonly WrittenChange[] }

/** How far the tables follow the journal, and the numbers of their last rows. */
export type Reached = { readonly seq: number; readonly numbers: Readonly<RowNumbers> }

/** A piece of the journal as rows of the tables: after which row it begins, its last row and the time of that. */
export type Stretch = {
  readonly from: number
  to: number
  at: number
  eventCount: number
  readonly rows: ProjectedRows
}

/** The journal rows that the tables do not hold yet, and who waits for them. */
export class Backlog {
  readonly #unfolded: CommittedBatch[] = []
  readonly #stretches: Stretch[] = []
  readonly #readers = new Set<{ seq: number; resolve: () => void }>()
  readonly #numbers: RowNumbers
  #foldedTo: number
  #taken: Stretch | undefined
  #eventCount = 0

  readonly #stretchSize: number

  /** `stretchSize`: events in one stretch; a batch that has more makes one by itself. */
  constructor({ seq, numbers }: Reached, stretchSize: number) {
    this.#stretchSize = stretchSize
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

  push(batch: CommittedBatch): void {
    this.#unfolded.push(batch)
    this.#eventCount += countEvents(batch)
  }

  /** Turns what has been pushed into rows. Best done while the process waits for something else. */
  fold(): void {
    for (const batch of this.#unfolded.splice(0)) {
      const { seq, changes } = batch
      const eventCount = countEvents(batch)
      const stretch = this.#roomFor(eventCount)
      for (const change of changes) projectEntry(stretch.rows, this.#numbers, change)
      stretch.eventCount += eventCount
      stretch.at = changes.at(-1)?.entry.at ?? stretch.at
      stretch.to = seq
      this.#foldedTo = seq
    }
  }

  /** The oldest stretch; it grows no more and stays until it is dropped. */
  take(): Stretch | undefined {
    this.fold()
    this.#taken = this.#stretches[0]
    return this.#taken
  }

  /** Forgets everything up to a journal row, and tells those who wait for it. */
  drop(seq: number): void {
    if (seq === Infinity) this.#unfolded.length = this.#stretches.length = this.#eventCount = 0
    while (this.#stretches[0] && this.#stretches[0].to <= seq) {
      this.#eventCount -= this.#stretches.shift()?.eventCount ?? 0
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

  #roomFor(count: number): Stretch {
    const last = this.#stretches.at(-1)
    if (last && last !== this.#taken && last.eventCount + count <= this.#stretchSize) return last
    const place = { from: this.#foldedTo, to: this.#foldedTo, at: 0 }
    const next = { ...place, eventCount: 0, rows: emptyRows() }
    this.#stretches.push(next)
    return next
  }
}

const countEvents = ({ changes }: CommittedBatch): number =>
  changes.reduce((sum, { entry }) => sum + entry.events.length, 0)
