import { money, NO_MONEY, type Money } from './number.ts'

/** Demo and real money are two ledgers; no transfer joins them. */
export type LedgerKind = 'demo' | 'real'

const HOUSE_ACCOUNTS = [
  ...(['trading', 'fees', 'swap', 'deposits', 'withdrawals'] as const),
  ...(['demoIssue', 'adjustments', 'protection'] as const),
] as const

export type HouseAccount = (typeof HOUSE_ACCOUNTS)[number]

/** `available:7` and `frozen:7` belong to user 7; `house:demo:fees` to the house. */
export type LedgerAccountId =
  `available:${number}` | `frozen:${number}` | `house:${LedgerKind}:${HouseAccount}`

/** Why money moved; the user reads it in words. */
export type TransferKind =
  | 'demoIssue'
  | 'demoReset'
  | 'fee'
  | 'result'
  | 'swap'
  | 'protection'
  | 'deposit'
  | 'withdrawalHeld'
  | 'withdrawalPaid'
  | 'withdrawalFee'
  | 'withdrawalReleased'
  | 'adjustment'

/** One movement of money: `amount` leaves `debit` and arrives at `credit`. Never changed, only reversed by another. */
export type Transfer = {
  readonly debit: LedgerAccountId
  readonly credit: LedgerAccountId
  /** Always above zero. */
  readonly amount: Money
  readonly kind: TransferKind
  /** The order it belongs to, if any. */
  readonly orderId: number | null
  /** The case it belongs to, if any. */
  readonly caseId?: number
}

/** What a ledger account holds now, and how many transfers have touched it. */
export type LedgerBalance = { readonly id: LedgerAccountId; balance: Money; entryCount: number }

/** A transfer together with what it left behind on both sides: a row of the ledger. */
export type Posting = Transfer & {
  readonly at: number
  readonly debitBalance: Money
  readonly debitEntry: number
  readonly creditBalance: Money
  readonly creditEntry: number
}

export type Ledger = { readonly balances: Map<LedgerAccountId, LedgerBalance> }

export const createLedger = (): Ledger => ({ balances: new Map() })

export const availableOf = (userId: number): LedgerAccountId => `available:${userId}`
export const frozenOf = (userId: number): LedgerAccountId => `frozen:${userId}`
export const houseOf = (kind: LedgerKind, name: HouseAccount): LedgerAccountId => HOUSE_IDS[kind][name]

const houseIds = (kind: LedgerKind): Record<HouseAccount, LedgerAccountId> =>
  Object.fromEntries(HOUSE_ACCOUNTS.map((name) => [name, `house:${kind}:${name}`])) as never

/** Written once: a text that is made anew has to be read through each time a balance is found by it. */
const HOUSE_IDS: Record<LedgerKind, Record<HouseAccount, LedgerAccountId>> = {
  demo: houseIds('demo'),
  real: houseIds('real'),
}

/** The balance of an account, opened with zero when it is new. Read it freely; only `post` may change it. */
export function balanceOf(ledger: Ledger, id: LedgerAccountId): LedgerBalance {
  const known = ledger.balances.get(id)
  if (known) return known
  const opened: LedgerBalance = { id, balance: NO_MONEY, entryCount: 0 }
  ledger.balances.set(id, opened)
  return opened
}

/** Moves the money of one transfer. The only place where a balance changes. */
export function post(ledger: Ledger, transfer: Transfer, at: number): Posting {
  if (transfer.amount <= 0n) throw new RangeError('a transfer moves more than nothing')
  const debit = balanceOf(ledger, transfer.debit)
  const credit = balanceOf(ledger, transfer.credit)
  debit.balance = money(debit.balance - transfer.amount)
  credit.balance = money(credit.balance + transfer.amount)
  debit.entryCount += 1
  credit.entryCount += 1
  return {
    ...transfer,
    at,
    debitBalance: debit.balance,
    debitEntry: debit.entryCount,
    creditBalance: credit.balance,
    creditEntry: credit.entryCount,
  }
}

/** The transfer that brings a signed amount to a user (positive) or from one (negative); none for zero. */
export function transferBetween(
  user: LedgerAccountId,
  house: LedgerAccountId,
  amount: Money,
  reason: Pick<Transfer, 'kind' | 'orderId' | 'caseId'>,
): Transfer[] {
  if (amount === 0n) return []
  return amount > 0n
    ? [{ debit: house, credit: user, amount, ...reason }]
    : [{ debit: user, credit: house, amount: money(-amount), ...reason }]
}
