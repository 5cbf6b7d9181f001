import type { CaseFact, CaseStep } from '@fairlot/contract/desk'
import {
  type Account,
  decimalText,
  type Core,
  fromUnits,
  money,
  type Money,
  MONEY_DECIMALS,
  type MoneyCase,
  type State,
  withdrawableAtFreshPrices,
} from '@fairlot/core'
import type { WaitingItem, WaitingSource } from '../../desk/waiting/waiting-list.ts'
import { readEngine } from '../../engine/calls.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Queries } from '../../platform/database/open.ts'
import { grouped } from '../../platform/i18n/translate.ts'
import { isRefusal } from '../../platform/refusal.ts'

/** The engine's money cases of one kind. */
type CaseOf<K extends MoneyCase['kind']> = Extract<MoneyCase, { kind: K }>

type Shown<K extends MoneyCase['kind']> = {
  readonly kind: K
  readonly itemsOf: (found: readonly CaseOf<K>[]) => Promise<WaitingItem[]>
  readonly contents: WaitingSource['contents']
}

/** Lists the open cases of one kind for the waiting list, from the engine, which alone knows which are still open. */
export function moneyCaseSource<K extends MoneyCase['kind']>(
  engine: Engine,
  { kind, itemsOf, contents }: Shown<K>,
): WaitingSource {
  return {
    name: kind,
    contents,
    list: async (most) => {
      const found = await readEngine(engine, (state) => openCases(state, kind).slice(0, most))
      return isRefusal(found) ? found : itemsOf(found)
    },
    count: () => readEngine(engine, (state) => openCases(state, kind).length),
    find: async (id) => {
      const found = await readEngine(engine, (state) =>
        openCases(state, kind).filter((each) => each.id === id),
      )
      return isRefusal(found) ? found : ((await itemsOf(found))[0] ?? null)
    },
  }
}

function openCases<K extends MoneyCase['kind']>({ cases }: State, kind: K): CaseOf<K>[] {
  const found: CaseOf<K>[] = []
  // Copies, as the engine's memory must not leave the view.
  for (const each of cases.values()) if (isOf(each, kind)) found.push({ ...each })
  return found
}

const isOf = <K extends MoneyCase['kind']>(each: MoneyCase, kind: K): each is CaseOf<K> => each.kind === kind

/** An amount as in audit entries, without grouping: `12000.00`. */
export const amountText = (amount: bigint): string => decimalText(fromUnits(amount, MONEY_DECIMALS), 2)

/** An amount with grouped digits: `12,000.00`. */
export const shownAmount = (amount: bigint): string => grouped(amountText(amount))

export const moneyFact = (label: string, amount: Money, tone: CaseFact['tone'] = 'plain'): CaseFact => ({
  label,
  format: 'money',
  value: decimalText(fromUnits(amount, MONEY_DECIMALS)),
  tone,
})

export const textFact = (label: string, value: string, tone: CaseFact['tone'] = 'plain'): CaseFact => ({
  label,
  format: 'text',
  value: value === '' ? '-' : value,
  tone,
})

export const STATUS_LABELS: Record<Account['status'], string> = {
  active: 'active',
  closeOnly: 'close only',
  frozen: 'frozen',
  closed: 'closed',
}

/** Status and money of an account at `at`, epoch ms. Called inside `engine.read`, so it copies values. */
export function accountFacts(context: Core, accountId: number, at: number): CaseFact[] {
  const account = context.state.accounts.get(accountId)
  if (!account) return []
  const { status } = account
  return [
    textFact('Account', STATUS_LABELS[status], status === 'active' ? 'plain' : 'bad'),
    moneyFact('Balance', account.available.balance),
    moneyFact('Frozen', account.frozen.balance),
    moneyFact('Maximum withdrawable', withdrawableAtFreshPrices(context, account, at)),
  ]
}

/** Totals of an account's deposits and withdrawals. */
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
    moneyFact('Total deposits', sumOf('deposit', 'credited')),
    moneyFact('Total withdrawals', sumOf('withdrawal', 'amount')),
  ]
}

export const step = (
  title: string,
  state: CaseStep['state'],
  { by = null, at = null, note = '' }: Partial<Pick<CaseStep, 'by' | 'at' | 'note'>> = {},
): CaseStep => ({ title, state, by, at, note })
