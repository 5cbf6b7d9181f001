import { money, price, type Entry, type Posting, type TrailedStop, type Transfer } from '@fairlot/core'
import type { WrittenEntry } from '../journal/entry-codec.ts'

/** A committed entry with its effects outside the entry: ledger rows and moved trailing stops. */
export type Change = {
  readonly entry: Entry
  readonly postings: readonly Posting[]
  readonly trailed: readonly TrailedStop[]
}

type MovedStop = Omit<TrailedStop, 'accountId'>

/** A change with the text of each of its events as in the journal: everything that the tables need. */
export type WrittenChange = Omit<Change, 'trailed'> & {
  readonly trailed: readonly MovedStop[]
  readonly texts: readonly string[]
}

/** A journal row with its changes. */
export type CommittedBatch = { readonly seq: number; readonly changes: readonly WrittenChange[] }

/**
 * A batch whose entries are read from the journal again when they are due, to save memory. Only the effects that are not in
 * the journal are kept: 40 bytes per transfer, 16 per moved stop.
 */
export type PackedBatch = {
  readonly seq: number
  readonly weight: number
  /** Time, balances and entry counts of the ledger rows, in the order of the transfers. */
  readonly figures: BigInt64Array
  /** For each entry: orders whose stops moved, each followed by its price. */
  readonly trailed: readonly Float64Array[]
}

export type PendingBatch = CommittedBatch | PackedBatch

/** Moved stops that weigh as much as one event, in memory and in the tables. */
const STOPS_PER_EVENT = 20
const FIGURES = 5
const NO_STOPS = new Float64Array()

export const isPacked = (batch: PendingBatch): batch is PackedBatch => 'figures' in batch

/** The cost of a batch in memory and in writing the tables, in events. */
export const weightOf = (batch: PendingBatch): number =>
  isPacked(batch)
    ? batch.weight
    : batch.changes.reduce(
        (sum, { entry, trailed }) => sum + entry.events.length + Math.ceil(trailed.length / STOPS_PER_EVENT),
        0,
      )

export function packBatch(batch: CommittedBatch): PackedBatch {
  const postings = batch.changes.flatMap((change) => change.postings)
  const figures = new BigInt64Array(postings.length * FIGURES)
  postings.forEach(({ at, debitBalance, debitEntry, creditBalance, creditEntry }, index) => {
    figures.set(
      [BigInt(at), debitBalance, BigInt(debitEntry), creditBalance, BigInt(creditEntry)],
      index * FIGURES,
    )
  })
  const trailed = batch.changes.map((change) =>
    change.trailed.length === 0
      ? NO_STOPS
      : Float64Array.from(change.trailed.flatMap(({ orderId, stopLoss }) => [orderId, stopLoss])),
  )
  return { seq: batch.seq, weight: weightOf(batch), figures, trailed }
}

/** The original batch, from its entries as read from the journal. */
export function unpackBatch(
  { seq, figures, trailed }: PackedBatch,
  entries: readonly WrittenEntry[],
): CommittedBatch {
  let count = 0
  const postingOf = (transfer: Transfer): Posting => {
    const place = FIGURES * count
    count += 1
    const [at = 0n, debitBalance = 0n, debitEntry = 0n, creditBalance = 0n, creditEntry = 0n] =
      figures.subarray(place, place + FIGURES)
    return {
      ...transfer,
      at: Number(at),
      debitBalance: money(debitBalance),
      debitEntry: Number(debitEntry),
      creditBalance: money(creditBalance),
      creditEntry: Number(creditEntry),
    }
  }
  const changes = entries.map(({ entry, texts }, index) => ({
    entry,
    texts,
    postings: entry.events.flatMap((event) => ('transfers' in event ? event.transfers.map(postingOf) : [])),
    trailed: stopsOf(trailed[index] ?? NO_STOPS),
  }))
  return { seq, changes }
}

const stopsOf = (packed: Float64Array): MovedStop[] =>
  Array.from({ length: packed.length / 2 }, (_, index) => ({
    orderId: packed[2 * index] ?? 0,
    stopLoss: price(packed[2 * index + 1] ?? 0),
  }))
