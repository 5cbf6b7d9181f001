/** Accounts, their money and what lives on them, out of the tables. */
import {
  balanceOf,
  evolveEvent,
  indexOrder,
  money,
  openCase,
  type AccountStatus,
  type LedgerAccountId,
  type LedgerKind,
  type MoneyCase,
  type Core,
  type State,
} from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries, Reading } from '../../database/open.ts'
import { ORDER_COLUMNS, orderFrom } from '../projection/row-mapping.ts'
import type { MoneyCaseTable } from '../../database/schema.ts'

/** Everything of an account but its money and its orders. */
export async function loadAccounts({ queries, scanRows }: Reading, core: Core): Promise<void> {
  const query = queries
    .selectFrom('account')
    .select(['id', 'ledger', 'opened_at', 'status', 'status_reason'])
    .orderBy('id')
  await scanRows(queries, {
    query,
    take: (row) => {
      const [accountId, ledger, openedAt] = [row.number(), row.word(LEDGERS), row.number()]
      evolveEvent(core, { type: 'accountOpened', accountId, ledger, transfers: [] }, openedAt)
      const [status, reason] = [row.word(STATUSES), row.text()]
      if (status === 'closed') evolveEvent(core, { type: 'accountClosed', accountId, left: money(0n) }, 0)
      else if (status !== 'active')
        evolveEvent(core, { type: 'accountStatusSet', accountId, status, reason }, 0)
    },
  })
}

const LEDGERS: readonly LedgerKind[] = ['demo', 'real']
const STATUSES: readonly AccountStatus[] = ['active', 'closeOnly', 'frozen', 'closed']

export async function loadBalances({ queries, scanRows }: Reading, state: State): Promise<void> {
  await scanRows(queries, {
    query: queries.selectFrom('ledger_account').select(['id', 'balance', 'entry_count']),
    take: (row) => {
      const account = balanceOf(state.ledger, row.text() as LedgerAccountId)
      account.balance = money(row.bigint())
      account.entryCount = row.number()
    },
  })
}

/** Cases that wait for their end; of the ended only the last id counts. */
export async function loadCases({ queries }: Reading, state: State): Promise<void> {
  const open = await queries
    .selectFrom('money_case')
    .selectAll()
    // Written out, not bound: only so does SQLite find the index of the open ones.
    .where(sql<boolean>`status = 'open'`)
    .orderBy('id')
    .execute()
  for (const row of open) openCase(state, caseFrom(row))
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
export async function loadOrders({ queries, scanRows }: Reading, core: Core): Promise<void> {
  const { state } = core
  const query = queries
    .selectFrom('trade_order')
    .select(ORDER_COLUMNS)
    // Written out, not bound: only so does SQLite find the index of the living.
    .where(sql<boolean>`status in ('pending', 'holding')`)
    .orderBy('id')
  await scanRows(queries, {
    query,
    take: (row) => {
      const order = orderFrom(row)
      const account = state.accounts.get(order.accountId)
      if (!account) throw new Error(`order ${order.id} belongs to no account`)
      // Safe prices are worked out once the prices of now are known.
      indexOrder(core, account, order)
    },
  })
  state.lastOrderId = await newestId(queries, 'trade_order')
}

async function newestId(queries: Queries, table: 'trade_order' | 'money_case'): Promise<number> {
  const newest = await queries
    .selectFrom(table)
    .select(({ fn }) => fn.max('id').as('id'))
    .executeTakeFirst()
  return Number(newest?.id ?? 0n)
}
