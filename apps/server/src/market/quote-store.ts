import { price, type Quote } from '@fairlot/core'
import type { Queries } from '../database/open.ts'

/**
 * Numbers set aside for ticks that were accepted after the last save. A crash loses at most those of one flush, far
 * fewer than this, so that the numbers of a tick never come back.
 */
const SEQUENCE_RESERVE = 1_000_000

/** Last quotes of the run before; a run that was not ended in order leaves a gap in the numbers. */
export async function loadQuotes(queries: Queries): Promise<Quote[]> {
  const rows = await queries.selectFrom('quote').selectAll().execute()
  return rows.map((row) => ({
    instrumentId: Number(row.instrument_id),
    bid: price(Number(row.bid)),
    ask: price(Number(row.ask)),
    time: Number(row.time),
    receivedAt: Number(row.received_at),
    seq: Number(row.seq) + SEQUENCE_RESERVE,
    source: row.source,
  }))
}

export async function saveQuotes(queries: Queries, quotes: readonly Quote[]): Promise<void> {
  if (quotes.length === 0) return
  await queries
    .insertInto('quote')
    .values(
      quotes.map((quote) => ({
        instrument_id: BigInt(quote.instrumentId),
        bid: BigInt(quote.bid),
        ask: BigInt(quote.ask),
        time: BigInt(quote.time),
        received_at: BigInt(quote.receivedAt),
        seq: BigInt(quote.seq),
        source: quote.source,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('instrument_id').doUpdateSet((excluded) => ({
        bid: excluded.ref('excluded.bid'),
        ask: excluded.ref('excluded.ask'),
        time: excluded.ref('excluded.time'),
        received_at: excluded.ref('excluded.received_at'),
        seq: excluded.ref('excluded.seq'),
        source: excluded.ref('excluded.source'),
      })),
    )
    .execute()
}
