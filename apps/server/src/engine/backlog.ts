import type { Entry, Posting } from '@fairlot/core'

/** A committed entry with the ledger rows it made. */
export type Change = { readonly entry: Entry; readonly postings: readonly Posting[] }

/** A journal row on its way to the tables. */
export type CommittedBatch = { readonly seq: number; readonly changes: readonly Change[] }

/** The journal rows that the tables do not hold yet, and who waits for them. */
export class Backlog {
  readonly #batches: CommittedBatch[] = []
  readonly #readers = new Set<{ seq: number; resolve: () => void }>()
  #entryCount = 0

  /** Oldest first. */
  get batches(): readonly CommittedBatch[] {
    return this.#batches
  }

  get entryCount(): number {
    return this.#entryCount
  }

  get isAwaited(): boolean {
    return this.#readers.size > 0
  }

  push(batch: CommittedBatch): void {
    this.#batches.push(batch)
    this.#entryCount += batch.changes.length
  }

  /** Resolves once everything up to a journal row has been dropped. */
  dropped(seq: number): Promise<void> {
    if ((this.#batches[0]?.seq ?? Infinity) > seq) return Promise.resolve()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#readers.add({ seq, resolve })
    return promise
  }

  /** Forgets everything up to a journal row, and tells those who wait for it. */
  drop(seq: number): void {
    const rest = this.#batches.findIndex((batch) => batch.seq > seq)
    const dropped = this.#batches.splice(0, rest < 0 ? this.#batches.length : rest)
    for (const batch of dropped) this.#entryCount -= batch.changes.length
    for (const reader of this.#readers) {
      if (reader.seq > seq) continue
      this.#readers.delete(reader)
      reader.resolve()
    }
  }
}
