import {
  getFunds,
  getWalletBalance,
  listLedgerRecords,
  PAGE_ROWS,
  type LedgerRecord,
} from '@fairlot/contract'
import { availableOf, money, type TransferKind } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { TransferTable } from '../database/schema.ts'
import type { TotalsBook } from '../engine/account-totals.ts'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../plugins/api.ts'
import { look } from '../plugins/look.ts'
import { isRefusal, refuse } from '../plugins/refusal.ts'
import type { Say } from '../plugins/words.ts'

export function registerFunds(api: Api, engine: Engine, queries: Queries, totals: TotalsBook): void {
  const fundsOf = (userId: number) =>
    look(engine, ({ accounts }) => {
      const account = accounts.get(userId)
      if (!account) return refuse('accountNotFound')
      return { available: account.available.balance, frozen: account.frozen.balance }
    })

  api.user(getWalletBalance, async ({ user }) => {
    const funds = await fundsOf(user.id)
    return isRefusal(funds) ? funds : { balance: funds.available }
  })

  api.user(getFunds, ({ user }) => fundsOf(user.id))

  api.user(listLedgerRecords, async ({ input, user, say }) => {
    await engine.caughtUp()
    const { transfers: total } = await totals.of(user.id)
    if ((input.page - 1) * PAGE_ROWS >= total) return { records: [], total }
    const rows = await queries
      .selectFrom('transfer')
      .selectAll()
      .where('account_id', '=', BigInt(user.id))
      .orderBy('id', 'desc')
      .limit(PAGE_ROWS)
      .offset((input.page - 1) * PAGE_ROWS)
      .execute()
    return { records: rows.map((row) => recordOf(row, user.id, say)), total }
  })
}

/** A ledger row as the user sees it: what came in is above zero, with the balance it left. */
function recordOf(row: TransferTable, userId: number, say: Say): LedgerRecord {
  const isIncome = row.credit === availableOf(userId)
  const orderId = row.order_id === null ? null : Number(row.order_id)
  return {
    id: Number(row.id),
    amount: money(isIncome ? row.amount : -row.amount),
    memo: say(`memo.${row.kind}`, { orderId: String(orderId ?? '') }),
    createdAt: Number(row.at),
    balance: money(isIncome ? row.credit_balance : row.debit_balance),
    kind: row.kind as TransferKind,
    orderId,
  }
}
