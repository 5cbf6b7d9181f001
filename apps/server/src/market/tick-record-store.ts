import { price, type TickRefusal } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { HeldPriceTable, RefusedPriceTable } from '../database/market-schema.ts'
import {
  slotOf,
  type HeldTick,
  type KeptTickRecords,
  type TickRecord,
  type TickRecords,
} from './tick-records.ts'

/** Rows in one statement. */
const ROWS_AT_ONCE = 200

export async function loadTickRecords(queries: Queries): Promise<KeptTickRecords> {
  const last = await queries
    .selectFrom('refused_price')
    .select((select) => ['instrument_id', select.fn.max('number').as('number')])
    .groupBy('instrument_id')
    .execute()
  const held = await queries.selectFrom('held_price').selectAll().execute()
  return {
    lastNumbers: new Map(last.map((row) => [Number(row.instrument_id), Number(row.number)])),
    held: held.map(heldOf),
  }
}

/** Answers how to write what has been refused since the last time, and what is held now. */
export function createTickRecordSaving(
  queries: Queries,
  records: Pick<TickRecords, 'takeNew' | 'held' | 'heldVersion'>,
  onHeld: () => void,
): () => Promise<void> {
  const unsaved = new Map<string, TickRecord>()
  let savedVersion = records.heldVersion()
  return async () => {
    for (const record of records.takeNew()) unsaved.set(slotOf(record), record)
    const version = records.heldVersion()
    if (unsaved.size === 0 && version === savedVersion) return
    const [rows, held] = [[...unsaved.values()].map(rowOf), records.held().map(heldRowOf)]
    await queries.transaction().execute(async (within) => {
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
        await upsertRecords(within, rows.slice(from, from + ROWS_AT_ONCE))
      if (version === savedVersion) return
      await within.deleteFrom('held_price').execute()
      for (let from = 0; from < held.length; from += ROWS_AT_ONCE)
        await within
          .insertInto('held_price')
          .values(held.slice(from, from + ROWS_AT_ONCE))
          .execute()
    })
    unsaved.clear()
    if (version !== savedVersion) onHeld()
    savedVersion = version
  }
}

const upsertRecords = (within: Queries, rows: readonly RefusedPriceTable[]): Promise<unknown> =>
  within
    .insertInto('refused_price')
    .values(rows)
    .onConflict((conflict) =>
      conflict.column('slot').doUpdateSet((excluded) => ({
        number: excluded.ref('excluded.number'),
        source: excluded.ref('excluded.source'),
        bid: excluded.ref('excluded.bid'),
        ask: excluded.ref('excluded.ask'),
        time: excluded.ref('excluded.time'),
        at: excluded.ref('excluded.at'),
        reason: excluded.ref('excluded.reason'),
      })),
    )
    .execute()

/** Times of a source may be anything; beyond counting they are none. */
const timeOf = (time: number | null): bigint | null =>
  time !== null && Number.isSafeInteger(time) ? BigInt(time) : null

const rowOf = (record: TickRecord): RefusedPriceTable => ({
  ...{ slot: slotOf(record), instrument_id: BigInt(record.instrumentId), number: BigInt(record.number) },
  ...{ source: record.source, bid: record.bid, ask: record.ask, reason: record.reason },
  ...{ time: timeOf(record.time), at: BigInt(record.at) },
})

const heldRowOf = (tick: HeldTick): HeldPriceTable => ({
  ...{ key: `${tick.instrumentId}:${tick.source}`, instrument_id: BigInt(tick.instrumentId) },
  ...{ number: BigInt(tick.number), source: tick.source, bid: BigInt(tick.bid), ask: BigInt(tick.ask) },
  ...{ price_decimals: BigInt(tick.priceDecimals), time: BigInt(tick.time), at: BigInt(tick.at) },
  reason: tick.reason,
})

const heldOf = (row: HeldPriceTable): HeldTick => ({
  ...{ instrumentId: Number(row.instrument_id), number: Number(row.number), source: row.source },
  ...{ bid: price(Number(row.bid)), ask: price(Number(row.ask)), priceDecimals: Number(row.price_decimals) },
  ...{ time: Number(row.time), at: Number(row.at), reason: row.reason as TickRefusal },
})
