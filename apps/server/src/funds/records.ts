import {
  LEDGER_GROUPS,
  type FundsBalance,
  type LedgerGroup,
  type LedgerPage,
  type LedgerRecord,
} from '@fairlot/contract'
import { availableOf, frozenOf, money, type Posting, type TransferKind } from '@fairlot/core'
import type { Queries } from '../platform/database/open.ts'
import type { TransferTable } from '../platform/database/schema.ts'
import type { Engine } from '../engine/engine.ts'
import type { TotalsBook } from '../engine/projection/account-totals.ts'
import { type Refusal, refuse } from '../platform/refusal.ts'
import { readEngine } from '../engine/calls.ts'
import type { Translate } from '../platform/i18n/translate.ts'
import { sliceOf } from './row-slice.ts'

/** A user's available and frozen money, as of the journal. */
export const fundsOf = (engine: Pick<Engine, 'read'>, userId: number): Promise<FundsBalance | Refusal> =>
  readEngine(engine, ({ accounts }) => {
    const account = accounts.get(userId)
    if (!account) return refuse('accountNotFound')
    return { available: account.available.balance, frozen: account.frozen.balance }
  })

/** A ledger row as the user sees it: income is above zero, with the balance after it. */
function recordOf(row: TransferTable, userId: number, translate: Translate): LedgerRecord {
  // A payment from frozen money shows the frozen balance; every other row shows the available balance.
  const isFrozen = row.debit === frozenOf(userId) && row.credit !== availableOf(userId)
  const isIncome = row.credit === availableOf(userId)
  const orderId = row.order_id === null ? null : Number(row.order_id)
  return {
    id: Number(row.id),
    amount: money(isIncome ? row.amount : -row.amount),
    memo: translate(`memo.${row.kind}`, { orderId: String(orderId ?? '') }),
    createdAt: Number(row.at),
    balance: money(isIncome ? row.credit_balance : row.debit_balance),
    kind: row.kind as TransferKind,
    orderId,
    isFrozen,
    caseId: row.case_id === null ? null : Number(row.case_id),
  }
}

export type WhichRecords = {
  /** Counts from 1. */
  readonly page: number
  /** In place of a page: only rows older than this one. */
  readonly before?: number | null
  /** Null for rows of every kind. */
  readonly group?: LedgerGroup | null
  /** Rows on a page. */
  readonly limit?: number | undefined
}

/** The ledger rows of users, newest first. */
export type Records = {
  page(userId: number, which: WhichRecords, translate: Translate): Promise<LedgerPage>
}

export const createRecords = (
  engine: Pick<Engine, 'caughtUp'>,
  queries: Queries,
  totals: TotalsBook,
): Records => ({
  page: async (userId, { group = null, limit: most, ...wanted }, translate) => {
    await engine.caughtUp()
    const { transfers } = await totals.of(userId)
    const kinds = group === null ? null : LEDGER_GROUPS[group]
    const total = kinds
      ? kinds.reduce((sum, kind) => sum + (transfers.get(kind) ?? 0), 0)
      : [...transfers.values()].reduce((sum, count) => sum + count, 0)
    const { limit, offset, before } = sliceOf(wanted, most)
    if (offset >= total) return { records: [], total }
    const rows = await queries
      .selectFrom('transfer')
      .selectAll()
      .where('account_id', '=', BigInt(userId))
      .$if(kinds !== null, (query) => query.where('kind', 'in', kinds ?? []))
      .$if(before !== null, (query) => query.where('id', '<', before ?? 0n))
      .orderBy('id', 'desc')
      .limit(limit)
      .offset(offset)
      .execute()
    return { records: rows.map((row) => recordOf(row, userId, translate)), total }
  },
})

/** Rows that may have been added since a posting for it still to be found. */
const ROWS_SINCE = 200

/**
 * The ledger records of a user's postings, read from the tables, which assign the row numbers. The returned function
 * throws for a posting that is not among the newest rows.
 */
export async function recordsOf(
  engine: Pick<Engine, 'caughtUp'>,
  queries: Queries,
  userId: number,
  postings: readonly Posting[],
): Promise<(posting: Posting, translate: Translate) => LedgerRecord> {
  const rows =
    postings.length === 0 ? [] : await newestRows(engine, queries, userId, postings.length + ROWS_SINCE)
  const byEntry = new Map(
    rows.map((row) => [entryOf({ ...row, debitEntry: row.debit_entry, creditEntry: row.credit_entry }), row]),
  )
  return (posting, translate) => {
    const row = byEntry.get(entryOf(posting))
    if (!row) throw new Error(`a posting of user ${userId} is not among the newest rows of the tables`)
    return recordOf(row, userId, translate)
  }
}

async function newestRows(
  engine: Pick<Engine, 'caughtUp'>,
  queries: Queries,
  userId: number,
  limit: number,
): Promise<TransferTable[]> {
  await engine.caughtUp()
  return queries
    .selectFrom('transfer')
    .selectAll()
    .where('account_id', '=', BigInt(userId))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** Identifies a row: no two rows have the same entry numbers in both accounts. */
const entryOf = (row: {
  readonly debit: string
  readonly credit: string
  readonly debitEntry: bigint | number
  readonly creditEntry: bigint | number
}): string => `${row.debit} ${row.debitEntry} ${row.credit} ${row.creditEntry}`
