import { REQUEST_MEMORY_MS } from '@fairlot/core'
import type { Transaction } from 'kysely'
import { inserted, updated, upserted, type TableChange, type Written } from '../../database/bulk.ts'
import type { Database, Queries } from '../../database/open.ts'
import type { ReceiptTable, Tables } from '../../database/schema.ts'
import type { ProjectionPosition, Segment } from './backlog.ts'
import type { OperationRows } from './projection-operations.ts'
import type { ProjectedRows } from './projection-orders.ts'
import type { TermsRows } from './projection-terms.ts'

const PROJECTION = 'tables'
const FORGOTTEN_AT_ONCE = 5_000

/** One statement, so that the figures belong together. */
export async function readProjectionPosition(queries: Queries): Promise<ProjectionPosition> {
  const newest = (table: 'transfer' | 'receipt' | 'operator_act') =>
    queries.selectFrom(table).select((select) => select.fn.max('id').as('id'))
  const row = await queries
    .selectNoFrom((select) => [
      select.selectFrom('projection').select('journal_seq').where('name', '=', PROJECTION).as('seq'),
      newest('transfer').as('transferId'),
      newest('receipt').as('receiptId'),
      newest('operator_act').as('actId'),
      select
        .selectFrom('terms_change')
        .select(({ fn }) => fn.max('version').as('version'))
        .as('termsVersion'),
    ])
    .executeTakeFirstOrThrow()
  const numbers = {
    transferId: Number(row.transferId ?? 0n),
    receiptId: Number(row.receiptId ?? 0n),
    actId: Number(row.actId ?? 0n),
    termsVersion: Number(row.termsVersion ?? 0n),
  }
  return { seq: Number(row.seq ?? 0n), numbers }
}

/**
 * Writes one segment of the journal to the tables in one transaction, together with how far it reaches. Throws, and writes
 * nothing, when the tables are not where the segment begins.
 */
export async function writeSegment(
  { writeRows }: Pick<Database, 'writeRows'>,
  queries: Queries,
  { from, to, rows }: Segment,
  receipts: readonly Written<ReceiptTable>[],
): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await advance(transaction, BigInt(from), BigInt(to))
    for (const change of changesOf(rows, receipts)) {
      if (change.rows.length > 0) await writeRows(transaction, change)
    }
    if (rows.requests.size > 0) await forgetRequests(transaction, newestRequest(rows) - REQUEST_MEMORY_MS)
  })
}

const changesOf = (rows: ProjectedRows, receipts: readonly Written<ReceiptTable>[]): TableChange[] => [
  inserted('account', rows.accounts),
  updated('account', ['id'], rows.operations.statuses.values()),
  inserted('trade_order', rows.newOrders),
  updated('trade_order', ['id'], rows.openings.values()),
  updated('trade_order', ['id'], rows.rests.values()),
  updated('trade_order', ['id'], rows.stops.values()),
  updated('trade_order', ['id'], rows.trails.values()),
  updated('trade_order', ['id'], rows.financings.values()),
  updated('trade_order', ['id'], rows.ends.values()),
  inserted('receipt', receipts),
  inserted('transfer', rows.transfers),
  upserted('ledger_account', ['id'], rows.ledgerAccounts.values()),
  upserted('engine_fact', ['name'], rows.facts.values()),
  inserted('notice', rows.notices),
  ...operationChanges(rows.operations),
  ...termsChanges(rows.terms),
  // A request id may come back after it was forgotten.
  upserted('request', ['account_id', 'call', 'request_id'], rows.requests.values()),
]

const operationChanges = ({ newCases, caseEnds, acts }: OperationRows): TableChange[] => [
  inserted('money_case', newCases),
  updated('money_case', ['id'], caseEnds.values()),
  inserted('operator_act', acts),
]

const termsChanges = (rows: TermsRows): TableChange[] => [
  inserted('terms_change', rows.changes),
  updated('terms_change', ['change_id'], rows.inEffect.values()),
  updated('terms_change', ['change_id'], rows.withdrawn.values()),
  // A price that was missing at a moment comes with one more event of it.
  upserted('price_moment', ['moment'], rows.moments.values()),
  inserted('price_mark', rows.marks),
  upserted('night', ['rollover'], rows.nights.values()),
  // Nights of the first version end without having begun here.
  upserted('night', ['rollover'], rows.nightEnds.values()),
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

const newestRequest = ({ requests }: ProjectedRows): number =>
  [...requests.values()].reduce((newest, { at }) => Math.max(newest, Number(at)), 0)

/** The oldest that are too old, more than a segment can bring and few enough not to hold it up. */
async function forgetRequests(transaction: Transaction<Tables>, before: number): Promise<void> {
  const key = ['account_id', 'call', 'request_id'] as const
  await transaction
    .deleteFrom('request')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple(...key),
        'in',
        selectFrom('request')
          .select(key)
          .where('at', '<', BigInt(before))
          .orderBy('at')
          .limit(FORGOTTEN_AT_ONCE)
          .$asTuple(...key),
      ),
    )
    .execute()
}
