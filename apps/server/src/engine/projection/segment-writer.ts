import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { REQUEST_RETENTION_MS } from '@fairlot/core'
import { inserted, updated, upserted, type TableChange, type Written } from '../../platform/database/bulk.ts'
import type { Database, Queries } from '../../platform/database/open.ts'
import type { ReceiptTable, Tables } from '../../platform/database/schema.ts'
import { readWritten } from '../journal/journal.ts'
import { alertChanges } from './alert-rows.ts'
import type { ProjectionPosition, ReadAgain, Segment } from './backlog.ts'
import type { CopyingRows } from './copying-rows.ts'
import type { CaseRows } from './money-cases.ts'
import type { ProjectedRows } from './project-entry.ts'
import type { TermsRows } from './terms-rows.ts'
import { createReceiptChain } from './receipt-chain.ts'

const CONNECTION_OPTIONS = { timeoutMs: 10_000, isDurable: false }
const RETRY_MS = 500

/** `diverged`: the tables are neither at the beginning nor at the end of the segment. */
type WriteResult = 'written' | 'failed' | 'diverged'

type SegmentWriter = {
  /** Writes a segment; after an error, reads its outcome over a new connection, after a pause. */
  write(segment: Segment): Promise<WriteResult>
  /** Reads journal rows again that were not kept in memory. After an error: null, after a pause. */
  readonly readAgain: ReadAgain
  /** Closes the connection. Called when nothing is being written any more. */
  close(): Promise<void>
}

/** Writes to the tables over a dedicated connection. */
export function createSegmentWriter(
  database: Database,
  onError: (error: unknown) => void,
  stopping: AbortSignal,
): SegmentWriter {
  const chain = createReceiptChain()
  let connection = database.openConnection(CONNECTION_OPTIONS)

  const reconnect = async () => {
    await pause(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined)
    const broken = connection
    // A connection that cannot be closed must not be used again.
    connection = database.openConnection(CONNECTION_OPTIONS)
    await broken.close().catch(onError)
  }

  /** A failed write may have taken effect, so the position is read from the tables. */
  const readOutcome = async ({ from, to }: Segment): Promise<WriteResult> => {
    await reconnect()
    const { seq } = await readProjectionPosition(connection.queries)
    if (seq === to) return 'written'
    return seq === from ? 'failed' : 'diverged'
  }

  const failed = (error: unknown): WriteResult => {
    onError(error)
    return 'failed'
  }

  return {
    write: async (segment) => {
      try {
        const receipts = await chain.seal(connection.queries, segment.rows.proofs)
        await writeSegment(database, connection.queries, segment, receipts)
        return 'written'
      } catch (error) {
        chain.forget()
        onError(error)
        return await readOutcome(segment).catch(failed)
      }
    },
    readAgain: async (first, last) => {
      try {
        return await readWritten(connection.queries, first, last)
      } catch (error) {
        onError(error)
        await reconnect()
        return null
      }
    },
    close: () => connection.close(),
  }
}

const PROJECTION = 'tables'
const MAX_DROPPED = 5_000

/** Read in one statement, so that the values are consistent. */
export async function readProjectionPosition(queries: Queries): Promise<ProjectionPosition> {
  const newest = (table: 'transfer' | 'receipt' | 'operator_act') =>
    queries.selectFrom(table).select((select) => select.fn.max('id').as('id'))
  const row = await queries
    .selectNoFrom((select) => [
      select.selectFrom('projection').select('journal_seq').where('name', '=', PROJECTION).as('seq'),
      newest('transfer').as('transferId'),
      newest('receipt').as('receiptId'),
      newest('operator_act').as('actionId'),
      select
        .selectFrom('terms_change')
        .select(({ fn }) => fn.max('version').as('version'))
        .as('termsVersion'),
    ])
    .executeTakeFirstOrThrow()
  const numbers = {
    transferId: Number(row.transferId ?? 0n),
    receiptId: Number(row.receiptId ?? 0n),
    actionId: Number(row.actionId ?? 0n),
    termsVersion: Number(row.termsVersion ?? 0n),
  }
  return { seq: Number(row.seq ?? 0n), numbers }
}

/**
 * Writes one segment of the journal to the tables in one transaction, together with the new position. Throws, and writes
 * nothing, when the tables are not at the beginning of the segment.
 */
async function writeSegment(
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
    if (rows.requests.size > 0)
      await dropExpiredRequests(transaction, newestRequest(rows) - REQUEST_RETENTION_MS)
  })
}

const changesOf = (rows: ProjectedRows, receipts: readonly Written<ReceiptTable>[]): TableChange[] => [
  inserted('account', rows.accounts),
  updated('account', ['id'], rows.statuses.values()),
  inserted('trade_order', rows.newOrders),
  updated('trade_order', ['id'], rows.openings.values()),
  updated('trade_order', ['id'], rows.rests.values()),
  updated('trade_order', ['id'], rows.stops.values()),
  updated('trade_order', ['id'], rows.trails.values()),
  updated('trade_order', ['id'], rows.swaps.values()),
  updated('trade_order', ['id'], rows.ends.values()),
  inserted('receipt', receipts),
  inserted('transfer', rows.transfers),
  upserted('ledger_account', ['id'], rows.ledgerAccounts.values()),
  upserted('engine_fact', ['name'], rows.facts.values()),
  inserted('notice', rows.notices),
  ...copyingChanges(rows.copying),
  ...caseChanges(rows.cases),
  ...alertChanges(rows.alerts),
  inserted('operator_act', rows.actions),
  ...termsChanges(rows.terms),
  // A request id may be used again after it was dropped.
  upserted('request', ['account_id', 'call', 'request_id'], rows.requests.values()),
]

const copyingChanges = (rows: CopyingRows): TableChange[] => [
  inserted('strategy', rows.strategies),
  updated('strategy', ['id'], rows.strategyFees.values()),
  updated('strategy', ['id'], rows.strategyEnds.values()),
  inserted('copy', rows.copies),
  updated('copy', ['account_id'], rows.statuses.values()),
  updated('copy', ['account_id'], rows.stopLosses.values()),
  updated('copy', ['account_id'], rows.terms.values()),
  updated('copy', ['account_id'], rows.bases.values()),
  updated('copy', ['account_id'], rows.marks.values()),
  updated('copy', ['account_id'], rows.fees.values()),
  updated('copy', ['account_id'], rows.ends.values()),
  inserted('copy_skip', rows.skips),
  inserted('equity_range', rows.ranges),
]

const caseChanges = (rows: CaseRows): TableChange[] => [
  inserted('money_case', rows.opened),
  updated('money_case', ['id'], rows.approvals.values()),
  updated('money_case', ['id'], rows.payments.values()),
  inserted('money_decision', rows.decisions),
  updated('money_case', ['id'], rows.ends.values()),
]

const termsChanges = (rows: TermsRows): TableChange[] => [
  inserted('terms_change', rows.changes),
  updated('terms_change', ['change_id'], rows.inEffect.values()),
  updated('terms_change', ['change_id'], rows.withdrawn.values()),
  // A price that was missing arrives with another event of the same snapshot.
  upserted('price_moment', ['moment'], rows.snapshots.values()),
  inserted('price_mark', rows.snapshotPrices),
  upserted('night', ['rollover'], rows.rollovers.values()),
  // Rollovers of the first version have an end but no beginning here.
  upserted('night', ['rollover'], rows.rolloverEnds.values()),
]

/** Throws when the position has changed, for example by a transaction whose outcome was unknown. */
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

/** Drops the oldest expired requests: more than a segment can add, but few enough not to delay it. */
async function dropExpiredRequests(transaction: Transaction<Tables>, before: number): Promise<void> {
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
          .limit(MAX_DROPPED)
          .$asTuple(...key),
      ),
    )
    .execute()
}
