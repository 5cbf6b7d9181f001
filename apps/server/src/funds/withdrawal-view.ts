import type { Decimal, WithdrawalView } from '@fairlot/contract'
import { money, PAYOUT_PRICE_DECIMALS, readDecimal } from '@fairlot/core'
import type { Queries } from '../database/open.ts'
import type { WithdrawalTable } from '../database/payment-schema.ts'
import type { MoneyCaseTable } from '../database/schema.ts'
import type { Translate } from '../i18n/translate.ts'
import { detailsIn } from './method-repository.ts'

/** A withdrawal with its case, and the role of whoever ended it. */
export type WithdrawalRow = WithdrawalTable &
  Pick<
    MoneyCaseTable,
    'amount' | 'fee' | 'status' | 'opened_at' | 'ended_at' | 'ended_by' | 'ended_reason'
  > & {
    readonly ended_role: string | null
  }

export type WhichWithdrawals = {
  readonly userId: number
  readonly kind?: 'coin' | 'bank'
  readonly caseId?: number
}

/** Withdrawals of a user, the newest first. The tables have to be up to date. */
export function withdrawalsOf(
  queries: Queries,
  { userId, kind, caseId }: WhichWithdrawals,
  { limit, offset } = { limit: 1, offset: 0 },
): Promise<WithdrawalRow[]> {
  return queries
    .selectFrom('withdrawal')
    .innerJoin('money_case', 'money_case.id', 'withdrawal.case_id')
    .leftJoin('operator', 'operator.id', 'money_case.ended_by')
    .selectAll('withdrawal')
    .select(['amount', 'fee', 'status', 'opened_at', 'ended_at', 'ended_by', 'ended_reason'])
    .select('operator.role as ended_role')
    .where('user_id', '=', BigInt(userId))
    .$if(kind !== undefined, (q) => q.where('withdrawal.kind', '=', kind ?? ''))
    .$if(caseId !== undefined, (q) => q.where('case_id', '=', BigInt(caseId ?? 0)))
    .orderBy('case_id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
}

type Status = WithdrawalView['status']
type Step = WithdrawalView['steps'][number]

const ENDS: readonly Status[] = ['paid', 'rejected', 'cancelled']

const statusOf = ({ status, approved_at: approvedAt }: WithdrawalRow): Status =>
  ENDS.find((end) => end === status) ?? (approvedAt === null ? 'waiting' : 'approved')

export function shownWithdrawal(row: WithdrawalRow, translate: Translate): WithdrawalView {
  const status = statusOf(row)
  const details = detailsIn(row.method)
  const isOpen = status === 'waiting' || status === 'approved'
  return {
    ...{ id: Number(row.case_id), amount: money(row.amount), fee: money(row.fee) },
    received: decimal(row.received),
    ...{ status, statusName: translate(`withdrawal.status.${status}`) },
    ...{ createdAt: Number(row.opened_at), kind: row.kind === 'bank' ? 'bank' : 'coin' },
    ...{ address: details.address, payeeAccount: details.iban || details.payeeAccount, memo: row.memo },
    currency: { code: row.code, network: row.protocol },
    ...{ price: decimal(row.price), methodId: Number(row.method_id) },
    remark: status === 'rejected' ? row.ended_reason : '',
    reference: status === 'paid' ? row.reference : '',
    steps: stepsOf(row, status, translate),
    holder: isOpen ? translate('withdrawal.role.finance') : '',
  }
}

function stepsOf(row: WithdrawalRow, status: Status, translate: Translate): Step[] {
  const role = (name: string) => translate(`withdrawal.role.${name}`)
  const asked: Step = { kind: 'asked', at: Number(row.opened_at), role: role('user'), reason: '' }
  const approved: Step[] =
    row.approved_at === null
      ? []
      : [
          {
            ...{ kind: 'approved', at: Number(row.approved_at), role: role(row.approved_role ?? 'finance') },
            reason: '',
          },
        ]
  if (status === 'waiting' || status === 'approved') return [asked, ...approved]
  const by = row.ended_by === null ? 'user' : (row.ended_role ?? 'finance')
  const reason = status === 'rejected' ? row.ended_reason : ''
  return [asked, ...approved, { kind: status, at: Number(row.ended_at ?? 0), role: role(by), reason }]
}

/** What was written by us. */
const decimal = (text: string): Decimal => readDecimal(text, PAYOUT_PRICE_DECIMALS) ?? (0 as Decimal)
