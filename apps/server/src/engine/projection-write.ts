import type { Insertable, Transaction } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { Tables } from '../database/schema.ts'
import type { OrderChange, ProjectedRows } from './projection-rows.ts'

/** Both databases limit the parameters of one statement; SQLite to 32,766. */
const MAX_PARAMETERS = 30_000

/** Writes one stretch of the journal to the tables, together with how far it reaches, in one transaction. */
export async function writeRows(
  queries: Queries,
  rows: ProjectedRows,
  reached: { projection: string; seq: number },
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await insertAll(transaction, 'account', rows.accounts)
    await insertAll(transaction, 'trade_order', [...rows.newOrders.values()])
    for (const change of rows.orderChanges.values()) await updateOrder(transaction, change)
    await insertAll(transaction, 'receipt', rows.receipts)
    await insertAll(transaction, 'transfer', rows.transfers)
    await upsertBalances(transaction, rows)
    await upsertRequests(transaction, rows)
    await upsertReached(transaction, reached)
  })
}

async function insertAll<Name extends keyof Tables>(
  transaction: Transaction<Tables>,
  table: Name,
  rows: readonly Insertable<Tables[Name]>[],
): Promise<void> {
  for (const chunk of chunks(rows)) await transaction.insertInto(table).values(chunk).execute()
}

function chunks<Row extends object>(rows: readonly Row[]): Row[][] {
  const width = Object.keys(rows[0] ?? {}).length
  const size = Math.max(1, Math.floor(MAX_PARAMETERS / Math.max(1, width)))
  const count = Math.ceil(rows.length / size)
  return Array.from({ length: count }, (_, index) => rows.slice(index * size, (index + 1) * size))
}

async function updateOrder(transaction: Transaction<Tables>, { id, ...change }: OrderChange): Promise<void> {
  await transaction.updateTable('trade_order').set(change).where('id', '=', id).execute()
}

async function upsertBalances(transaction: Transaction<Tables>, rows: ProjectedRows): Promise<void> {
  for (const chunk of chunks([...rows.ledgerAccounts.values()])) {
    await transaction
      .insertInto('ledger_account')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet((excluded) => ({
          balance: excluded.ref('excluded.balance'),
          entry_count: excluded.ref('excluded.entry_count'),
        })),
      )
      .execute()
  }
}

/** A request id may come back after its 48 hours. */
async function upsertRequests(transaction: Transaction<Tables>, rows: ProjectedRows): Promise<void> {
  for (const chunk of chunks(rows.requests)) {
    await transaction
      .insertInto('request')
      .values(chunk)
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'call', 'request_id']).doUpdateSet((excluded) => ({
          digest: excluded.ref('excluded.digest'),
          at: excluded.ref('excluded.at'),
          events: excluded.ref('excluded.events'),
        })),
      )
      .execute()
  }
}

async function upsertReached(
  transaction: Transaction<Tables>,
  { projection, seq }: { projection: string; seq: number },
): Promise<void> {
  await transaction
    .insertInto('projection')
    .values({ name: projection, journal_seq: BigInt(seq) })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ journal_seq: BigInt(seq) }))
    .execute()
}
