import type { Quote } from '@fairlot/core'
import type { Queries } from '../platform/database/open.ts'
import { tickFrom } from '../engine/projection/row-mapping.ts'
import type { QuoteTable } from '../platform/database/market-schema.ts'

/**
 * Tick numbers reserved at each start for ticks that are accepted but not saved yet. A crash loses at most those of one
 * flush, far fewer than this.
 */
const NUMBERS_PER_START = 1_000_000n

/** The last quotes of the previous run, and by instrument the last tick number that may be in use. */
export type LastQuotes = { readonly quotes: readonly Quote[]; readonly lastSeq: ReadonlyMap<number, number> }

/**
 * Loads the last quotes and reserves numbers in the database before the first tick, so that a published number is never used
 * again, however a run ends.
 */
export async function startQuotes(queries: Queries): Promise<LastQuotes> {
  const stored = await queries.selectFrom('quote').selectAll().execute()
  const known = stored.map((row) => ({ ...row, seq: row.seq + NUMBERS_PER_START }))
  await saveRows(queries, known)
  return {
    // With their published numbers, which receipts may name.
    quotes: stored.filter((row) => row.received_at > 0n).map(tickFrom),
    lastSeq: new Map(known.map((row) => [Number(row.instrument_id), Number(row.seq)])),
  }
}

/** Reserves numbers for instruments that have none yet, in a row without a price. */
export async function numberInstruments(queries: Queries, instrumentIds: readonly number[]): Promise<void> {
  if (instrumentIds.length === 0) return
  await queries
    .insertInto('quote')
    .values(instrumentIds.map(unpriced))
    .onConflict((conflict) => conflict.column('instrument_id').doNothing())
    .execute()
}

export const saveQuotes = (queries: Queries, quotes: readonly Quote[]): Promise<void> =>
  saveRows(queries, quotes.map(toRow))

const unpriced = (id: number): QuoteTable => ({
  instrument_id: BigInt(id),
  bid: 0n,
  ask: 0n,
  time: 0n,
  received_at: 0n,
  seq: NUMBERS_PER_START,
  source: '',
  mark_up: 0n,
})

const toRow = (quote: Quote): QuoteTable => ({
  instrument_id: BigInt(quote.instrumentId),
  bid: BigInt(quote.bid),
  ask: BigInt(quote.ask),
  time: BigInt(quote.time),
  received_at: BigInt(quote.receivedAt),
  seq: BigInt(quote.seq),
  source: quote.source,
  mark_up: BigInt(quote.markUp ?? 0),
})

async function saveRows(queries: Queries, rows: readonly QuoteTable[]): Promise<void> {
  if (rows.length === 0) return
  await queries
    .insertInto('quote')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('instrument_id').doUpdateSet((excluded) => ({
        bid: excluded.ref('excluded.bid'),
        ask: excluded.ref('excluded.ask'),
        time: excluded.ref('excluded.time'),
        received_at: excluded.ref('excluded.received_at'),
        seq: excluded.ref('excluded.seq'),
        source: excluded.ref('excluded.source'),
        mark_up: excluded.ref('excluded.mark_up'),
      })),
    )
    .execute()
}
