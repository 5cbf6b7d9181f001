import { money, NO_MONEY, type Money } from '@fairlot/core'
import { sql } from 'kysely'
import type { Queries } from '../platform/database/open.ts'

/** Money that went into copies and out of them, and the fees they paid. */
export type CopyMoney = { readonly putIn: Money; readonly takenOut: Money; readonly feePaid: Money }

const NO_COPY_MONEY: CopyMoney = { putIn: NO_MONEY, takenOut: NO_MONEY, feePaid: NO_MONEY }

/** The same by copy, as the ledger has it. What a demo reset took counts as returned. */
export async function copyMoneyOf(
  queries: Queries,
  copyIds: readonly bigint[],
): Promise<(copyId: number) => CopyMoney> {
  if (copyIds.length === 0) return () => NO_COPY_MONEY
  const rows = await queries
    .selectFrom('transfer')
    .select(['account_id', 'kind', sql<bigint>`cast(sum(amount) as bigint)`.as('amount')])
    .where('account_id', 'in', copyIds)
    .where('kind', 'in', ['copyIn', 'copyOut', 'performanceFee', 'demoReset'])
    .groupBy(['account_id', 'kind'])
    .execute()
  const amounts = new Map(rows.map((row) => [`${row.account_id} ${row.kind}`, BigInt(row.amount)]))
  return (copyId) => {
    const of = (kind: string) => amounts.get(`${copyId} ${kind}`) ?? 0n
    return {
      putIn: money(of('copyIn')),
      takenOut: money(of('copyOut') + of('demoReset')),
      feePaid: money(of('performanceFee')),
    }
  }
}
