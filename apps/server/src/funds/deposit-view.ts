import type { DepositView } from '@fairlot/contract'
import { money } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { DepositTable } from '../database/payment-schema.ts'
import type { MoneyCaseTable } from '../database/schema.ts'

/** A deposit with its case. */
export type DepositRow = DepositTable &
  Pick<MoneyCaseTable, 'amount' | 'status' | 'credited' | 'opened_at' | 'ended_at' | 'ended_reason'>

/** Whose, and which of them. */
export type WhichDeposits = {
  readonly userId: number
  readonly kind?: 'coin' | 'bank'
  readonly caseId?: number
}

/** Deposits of a user, the newest first. The tables have to be up to date. */
export function depositsOf(
  queries: Queries,
  { userId, kind, caseId }: WhichDeposits,
  { limit, offset } = { limit: 1, offset: 0 },
): Promise<DepositRow[]> {
  return queries
    .selectFrom('deposit')
    .innerJoin('money_case', 'money_case.id', 'deposit.case_id')
    .selectAll('deposit')
    .select(['amount', 'status', 'credited', 'opened_at', 'ended_at', 'ended_reason'])
    .where('user_id', '=', BigInt(userId))
    .$if(kind !== undefined, (q) => q.where('deposit.kind', '=', kind ?? ''))
    .$if(caseId !== undefined, (q) => q.where('case_id', '=', BigInt(caseId ?? 0)))
    .orderBy('case_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

const STATUSES: Readonly<Record<string, DepositView['status']>> = {
  ...{ open: 'unchecked', finished: 'finished', rejected: 'rejected', invalid: 'invalid' },
}

export const shownDeposit = (row: DepositRow): DepositView => ({
  ...{ id: Number(row.case_id), amount: money(row.amount), kind: row.kind === 'bank' ? 'bank' : 'coin' },
  ...{ currency: row.currency_code, network: row.protocol_code },
  status: STATUSES[row.status] ?? 'unchecked',
  ...{ createdAt: Number(row.opened_at), remark: row.status === 'open' ? '' : row.ended_reason },
  credited: row.status === 'finished' ? money(row.credited) : null,
  endedAt: row.ended_at === null ? null : Number(row.ended_at),
})
