import { getFunds, getWalletBalance, listLedgerRecords, PAGE_ROWS } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { TotalsBook } from '../engine/account-totals.ts'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../plugins/api.ts'
import { isRefusal } from '../plugins/refusal.ts'
import { fundsOf, recordOf } from './records.ts'

export function registerFunds(api: Api, engine: Engine, queries: Queries, totals: TotalsBook): void {
  api.user(getWalletBalance, async ({ user }) => {
    const funds = await fundsOf(engine, user.id)
    return isRefusal(funds) ? funds : { balance: funds.available }
  })

  api.user(getFunds, ({ user }) => fundsOf(engine, user.id))

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
