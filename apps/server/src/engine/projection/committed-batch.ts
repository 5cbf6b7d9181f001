/** Journal rows on their way to the tables. */
import { money, price, type Entry, type Posting, type TrailedStop, type Transfer } from '@fairlot/core'
import type { WrittenEntry } from '../journal/entry-codec.ts'

/** A committed entry with what it left behind besides the state: ledger rows, and where trailing stops stand. */
export type Change = {
  readonly entry: Entry
  readonly postings: readonly Posting[]
  readonly trailed: readonly TrailedStop[]
}

type MovedStop = Omit<TrailedStop, 'accountId'>

/** A change with the text of each of its events, as the journal has them: what the tables need of it. */
export type WrittenChange = Omit<Change, 'trailed'> & {
  readonly trailed: readonly MovedStop[]
  readonly texts: readonly string[]
}

/** A whole row. */
export type CommittedBatch = { readonly seq: number; readonly changes: readonly WrittenChange[] }

/**
 * A row whose contents are read from the journal when their turn comes: many of them may wait. What they left behind is not in
 * the journal, so that is kept: 40 bytes a transfer, 16 a moved stop.
 */
export type PackedBatch = {
  readonly seq: number
  readonly weight: number
  /** Time, balances and entry counts of the ledger rows, in the order of the transfers. */
  readonly figures: BigInt64Array
  /** By entry: the orders whose stops moved, each with its price. */
  readonly trailed: readonly Float64Array[]
}

export type PendingBatch = CommittedBatch | PackedBatch

/** A moved stop is a small part of what an event is, in memory and in the tables. */
const STOPS_AS_EVENT = 20
const FIGURES = 5
const NO_STOPS = new Float64Array()

export const isPacked = (batch: PendingBatch): batch is PackedBatch => 'figures' in batch

/** How much of the tables' time and of memory a row takes, in events. */
export const weightOf = (batch: PendingBatch): number =>
  isPacked(batch)
    ? batch.weight
    : batch.changes.reduce(
        (sum, { entry, trailed }) => sum + entry.events.length + Math.ceil(trailed.length / STOPS_AS_EVENT),
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

/** The row as it was, with its entries as the journal has them. */
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
