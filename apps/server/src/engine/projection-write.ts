import { REQUEST_MEMORY_MS } from '@fairlot/core'
import type { Transaction } from 'kysely'
import { inserted, updated, upserted, type TableChange, type Written } from '../database/bulk.ts'
import type { Database, Queries } from '../database/open.ts'
import type { ReceiptTable, Tables } from '../database/schema.ts'
import type { Reached, Stretch } from './backlog.ts'
import type { ProjectedRows } from './projection-rows.ts'

const PROJECTION = 'tables'

/** One statement, so that the figures belong together. */
export async function readReached(queries: Queries): Promise<Reached> {
  const newest = (table: 'transfer' | 'receipt') =>
    queries.selectFrom(table).select((select) => select.fn.max('id').as('id'))
  const row = await queries
    .selectNoFrom((select) => [
      select.selectFrom('projection').select('journal_seq').where('name', '=', PROJECTION).as('seq'),
      newest('transfer').as('transferId'),
      newest('receipt').as('receiptId'),
    ])
    .executeTakeFirstOrThrow()
  const numbers = { transferId: Number(row.transferId ?? 0n), receiptId: Number(row.receiptId ?? 0n) }
  return { seq: Number(row.seq ?? 0n), numbers }
}

/**
 * Writes one stretch of the journal to the tables in one transaction, together with how far it reaches. Throws, and writes
 * nothing, when the tables are not where the stretch begins.
 */
export async function writeStretch(
  { writeRows }: Pick<Database, 'writeRows'>,
  queries: Queries,
  { from, to, at, rows }: Stretch,
  receipts: readonly Written<ReceiptTable>[],
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await advance(transaction, BigInt(from), BigInt(to))
    for (const change of changesOf(rows, receipts)) {
      if (change.rows.length > 0) await writeRows(transaction, change)
    }
    if (rows.requests.size > 0) await forgetRequests(transaction, at - REQUEST_MEMORY_MS)
  })
}

const changesOf = (rows: ProjectedRows, receipts: readonly Written<ReceiptTable>[]): TableChange[] => [
  inserted('account', rows.accounts),
  inserted('trade_order', rows.newOrders),
  updated('trade_order', ['id'], rows.openings.values()),
  updated('trade_order', ['id'], rows.rests.values()),
  updated('trade_order', ['id'], rows.stops.values()),
  updated('trade_order', ['id'], rows.financings.values()),
  updated('trade_order', ['id'], rows.ends.values()),
  inserted('receipt', receipts),
  inserted('transfer', rows.transfers),
  upserted('ledger_account', ['id'], rows.ledgerAccounts.values()),
  upserted('engine_fact', ['name'], rows.facts.values()),
  // A request id may come back after it was forgotten.
  upserted('request', ['account_id', 'call', 'request_id'], rows.requests.values()),
]

/** Fails when another writer was here, such as the end of a transaction whose outcome we never heard. */
async function advance(transaction: Transaction<Tables>, from: bigint, to: bigint): Promise<void> {
  if (from === 0n) {
    await transaction.insertInto('projection').values({ name: PROJECTION, journal_seq: to }).execute()
    return
  }
  const { numUpdatedRows } = await transaction
    .updateTable('projection')
    .set({ journal_seq: to })
    .where('name', '=', PROJECTION)
    .where('journal_seq', '=', from)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error(`the tables are no longer at journal row ${from}`)
}

async function forgetRequests(transaction: Transaction<Tables>, before: number): Promise<void> {
  await transaction.deleteFrom('request').where('at', '<', BigInt(before)).execute()
}
