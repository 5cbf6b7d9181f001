/** Accounts, their money and what lives on them, out of the tables. */
import {
  balanceOf,
  evolveEvent,
  indexOrder,
  lots,
  money,
  openCase,
  price,
  type AccountStatus,
  type LedgerAccountId,
  type LedgerKind,
  type MoneyCase,
  type Order,
  type State,
} from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../database/open.ts'
import type { AccountTable, LedgerAccountTable, MoneyCaseTable, OrderTable } from '../database/schema.ts'
import { eachChunk, LOAD_CHUNK } from './load-chunk.ts'

export async function loadAccounts(queries: Queries, state: State): Promise<void> {
  const all = queries.selectFrom('account').selectAll().orderBy('id').limit(LOAD_CHUNK)
  await eachChunk<AccountTable>(
    (last) => (last ? all.where('id', '>', last.id) : all).execute(),
    (row) => {
      const accountId = Number(row.id)
      const ledger = row.ledger as LedgerKind
      // Its money is loaded apart.
      evolveEvent(state, { type: 'accountOpened', accountId, ledger, transfers: [] }, Number(row.opened_at))
      const status = row.status as AccountStatus
      if (status !== 'active')
        evolveEvent(state, { type: 'accountStatusSet', accountId, status, reason: row.status_reason }, 0)
    },
  )
}

export async function loadBalances(queries: Queries, state: State): Promise<void> {
  const all = queries.selectFrom('ledger_account').selectAll().orderBy('id').limit(LOAD_CHUNK)
  await eachChunk<LedgerAccountTable>(
    (last) => (last ? all.where('id', '>', last.id) : all).execute(),
    (row) => {
      const account = balanceOf(state.ledger, row.id as LedgerAccountId)
      account.balance = money(row.balance)
      account.entryCount = Number(row.entry_count)
    },
  )
}

/** Cases that wait for their end; of the ended only the last id counts. */
export async function loadCases(queries: Queries, state: State): Promise<void> {
  const open = queries
    .selectFrom('money_case')
    .selectAll()
    // Written out, not bound: only so does SQLite find the index of the open ones.
    .where(sql<boolean>`status = 'open'`)
    .orderBy('id')
    .limit(LOAD_CHUNK)
  await eachChunk<MoneyCaseTable>(
    (last) => (last ? open.where('id', '>', last.id) : open).execute(),
    (row) => openCase(state, caseFrom(row)),
  )
  state.lastCaseId = await newestId(queries, 'money_case')
}

function caseFrom(row: MoneyCaseTable): MoneyCase {
  const terms = {
    ...{ id: Number(row.id), accountId: Number(row.account_id), openedAt: Number(row.opened_at) },
    amount: money(row.amount),
  }
  switch (row.kind as MoneyCase['kind']) {
    case 'deposit':
      return { kind: 'deposit', ...terms }
    case 'withdrawal':
      return { kind: 'withdrawal', ...terms, fee: money(row.fee) }
    case 'adjustment':
      return { kind: 'adjustment', ...terms, askedBy: Number(row.asked_by) }
  }
}

/** Living orders come back to life; of the finished only the last id counts. */
export async function loadOrders(queries: Queries, state: State): Promise<void> {
  const living = queries
    .selectFrom('trade_order')
    .selectAll()
    // Written out, not bound: only so does SQLite find the index of the living.
    .where(sql<boolean>`status in ('pending', 'holding')`)
    .orderBy('id')
    .limit(LOAD_CHUNK)
  await eachChunk<OrderTable>(
    (last) => (last ? living.where('id', '>', last.id) : living).execute(),
    (row) => {
      const account = state.accounts.get(Number(row.account_id))
      if (!account) throw new Error(`order ${row.id} belongs to no account`)
      // Safe prices are worked out once the prices of now are known.
      indexOrder(state, account, livingOrder(row))
    },
  )
  state.lastOrderId = await newestId(queries, 'trade_order')
}

async function newestId(queries: Queries, table: 'trade_order' | 'money_case'): Promise<number> {
  const newest = await queries
    .selectFrom(table)
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return Number(newest?.id ?? 0n)
}

const priceOrNull = (value: bigint | null) => (value === null ? null : price(Number(value)))
const numberOrNull = (value: bigint | null) => (value === null ? null : Number(value))

const livingOrder = (row: OrderTable): Order => ({
  id: Number(row.id),
  accountId: Number(row.account_id),
  instrumentId: Number(row.instrument_id),
  side: row.side as Order['side'],
  kind: row.kind as Order['kind'],
  lots: lots(Number(row.lots)),
  leverage: Number(row.leverage),
  status: row.status as Order['status'],
  targetPrice: priceOrNull(row.target_price),
  acceptedPrice: price(Number(row.accepted_price)),
  openPrice: priceOrNull(row.open_price),
  takeProfit: priceOrNull(row.take_profit),
  stopLoss: priceOrNull(row.stop_loss),
  margin: money(row.margin),
  fee: money(row.fee),
  expiresAt: numberOrNull(row.expires_at),
  createdAt: Number(row.created_at),
  openedAt: numberOrNull(row.opened_at),
  // The tick it was filled at is over.
  openedSeq: 0,
  trailingDistance: priceOrNull(row.trailing_distance),
  financedAt: Number(row.financed_at),
})
