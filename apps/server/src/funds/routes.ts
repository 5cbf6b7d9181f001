import { getFunds, getWalletBalance, listLedgerRecords } from '@fairlot/contract'
import type { Queries } from '../database/open.ts'
import type { TotalsBook } from '../engine/projection/account-totals.ts'
import type { Engine } from '../engine/engine.ts'
import type { Api } from '../http/api.ts'
import { isRefusal } from '../http/refusal.ts'
import { createRecords, fundsOf } from './records.ts'

export function registerFunds(api: Api, engine: Engine, queries: Queries, totals: TotalsBook): void {
  api.user(getWalletBalance, async ({ user }) => {
    const funds = await fundsOf(engine, user.id)
    return isRefusal(funds) ? funds : { balance: funds.available }
  })

  api.user(getFunds, ({ user }) => fundsOf(engine, user.id))

  const records = createRecords(engine, queries, totals)
  api.user(listLedgerRecords, ({ input, user, translate }) => records.page(user.id, input.page, translate))
}
