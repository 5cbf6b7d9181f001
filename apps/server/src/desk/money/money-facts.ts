import {
  decimalText,
  figuresOf,
  fromUnits,
  isPriced,
  MONEY_DECIMALS,
  withdrawable,
  type State,
} from '@fairlot/core'
import type { CaseFact, CaseStep } from '@fairlot/contract/desk'
import { money, type Money } from '@fairlot/core'
import type { Queries } from '../../database/open.ts'

export const amountText = (amount: bigint): string => decimalText(fromUnits(amount, MONEY_DECIMALS), 2)

export const moneyFact = (label: string, amount: Money, tone: CaseFact['tone'] = 'plain'): CaseFact => ({
  ...{ label, format: 'money', value: decimalText(fromUnits(amount, MONEY_DECIMALS)), tone },
})

export const textFact = (label: string, value: string, tone: CaseFact['tone'] = 'plain'): CaseFact => ({
  ...{ label, format: 'text', value: value === '' ? '-' : value, tone },
})

/** How the account stands. Read while the memory is held: values of their own. */
export function accountFacts(state: State, accountId: number): CaseFact[] {
  const account = state.accounts.get(accountId)
  if (!account) return []
  const figures = isPriced(state, account) ? figuresOf(state, account) : null
  const { status } = account
  return [
    textFact('Account', status, status === 'active' ? 'plain' : 'bad'),
    moneyFact('Balance', account.available.balance),
    moneyFact('Frozen', account.frozen.balance),
    figures
      ? moneyFact('Could leave at most', withdrawable(figures))
      : textFact('Could leave at most', 'not known: a position has no price', 'bad'),
  ]
}

/** What an account has paid in and out so far. */
export async function paidFacts(queries: Queries, accountId: number): Promise<CaseFact[]> {
  const sums = await queries
    .selectFrom('money_case')
    .select('kind')
    .select((select) => select.fn.sum('credited').as('credited'))
    .select((select) => select.fn.sum('amount').as('amount'))
    .where('account_id', '=', BigInt(accountId))
    .where('status', 'in', ['finished', 'paid'])
    .groupBy('kind')
    .execute()
  const sumOf = (kind: string, column: 'credited' | 'amount') =>
    money(BigInt(sums.find((row) => row.kind === kind)?.[column] ?? 0))
  return [
    moneyFact('Deposits so far', sumOf('deposit', 'credited')),
    moneyFact('Withdrawals so far', sumOf('withdrawal', 'amount')),
  ]
}

export const step = (
  title: string,
  state: CaseStep['state'],
  { by = null, at = null, note = '' }: Partial<Pick<CaseStep, 'by' | 'at' | 'note'>> = {},
): CaseStep => ({ title, state, by, at, note })

/** Whether somebody at the desk has seen a person's identity. */
export async function isVerified(queries: Queries, accountId: number): Promise<boolean> {
  const row = await queries
    .selectFrom('verified_person')
    .select('at')
    .where('user_id', '=', BigInt(accountId))
    .executeTakeFirst()
  return row !== undefined
}
