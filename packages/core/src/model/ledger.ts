import { money, NO_MONEY, type Money } from './number.ts'

/** Demo and real money are two ledgers without transfers between them. */
export type LedgerKind = 'demo' | 'real'

const BROKER_ACCOUNTS = [
  ...(['trading', 'fees', 'swap', 'deposits', 'withdrawals'] as const),
  ...(['demoIssue', 'adjustments', 'protection', 'copying'] as const),
] as const

export type BrokerAccount = (typeof BROKER_ACCOUNTS)[number]

/** `available:7` and `frozen:7` belong to user 7; `house:demo:fees` to the broker. */
export type LedgerAccountId =
  | `available:${number}`
  | `frozen:${number}`
  | `house:${LedgerKind}:${BrokerAccount}`

/** Why money moved; shown to the user. */
export type TransferKind =
  | 'demoIssue'
  | 'demoReset'
  | 'fee'
  | 'result'
  | 'swap'
  | 'protection'
  | 'protectionRepaid'
  | 'deposit'
  | 'withdrawalHeld'
  | 'withdrawalPaid'
  | 'withdrawalFee'
  | 'withdrawalReleased'
  | 'adjustment'
  | 'copyIn'
  | 'copyOut'
  | 'performanceFee'

/** Kinds that are the result of trading; all others are flows of money. */
export const TRADING_KINDS: ReadonlySet<string> = new Set<TransferKind>(['result', 'fee', 'swap'])

/** A transfer of `amount` from `debit` to `credit`. Never changed, only reversed by another. */
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

/** The balance of a ledger account, and its number of transfers. */
export type LedgerBalance = { readonly id: LedgerAccountId; balance: Money; entryCount: number }

/** A transfer with the resulting balances of both sides: a row of the ledger. */
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
/** The account whose available money a ledger account is; null for any other. */
export const accountBehind = (id: LedgerAccountId): number | null =>
  id.startsWith(AVAILABLE) ? Number(id.slice(AVAILABLE.length)) : null

const AVAILABLE = 'available:'

export const frozenOf = (userId: number): LedgerAccountId => `frozen:${userId}`
export const brokerAccountOf = (kind: LedgerKind, name: BrokerAccount): LedgerAccountId =>
  BROKER_IDS[kind][name]

const brokerIds = (kind: LedgerKind): Record<BrokerAccount, LedgerAccountId> =>
  Object.fromEntries(BROKER_ACCOUNTS.map((name) => [name, `house:${kind}:${name}`])) as never

/** Created once: looking a balance up by a newly built string is slower. */
const BROKER_IDS: Record<LedgerKind, Record<BrokerAccount, LedgerAccountId>> = {
  demo: brokerIds('demo'),
  real: brokerIds('real'),
}

/** The balance of an account, created with zero if new. Only `post` may change it. */
export function balanceOf(ledger: Ledger, id: LedgerAccountId): LedgerBalance {
  const known = ledger.balances.get(id)
  if (known) return known
  const opened: LedgerBalance = { id, balance: NO_MONEY, entryCount: 0 }
  ledger.balances.set(id, opened)
  return opened
}

/** Books one transfer. The only place where a balance changes. */
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

/**
 * Money between two accounts of users passes through the broker's account `copying`, which is empty afterwards: each
 * row of the ledger belongs to one account. Nothing for zero.
 */
export function transferThrough(
  from: { readonly id: number; readonly ledger: LedgerKind },
  to: { readonly id: number },
  amount: Money,
  kind: Extract<TransferKind, 'copyIn' | 'copyOut' | 'performanceFee'>,
): Transfer[] {
  const between = brokerAccountOf(from.ledger, 'copying')
  const reason = { kind, orderId: null }
  return [
    ...transferBetween(availableOf(from.id), between, money(-amount), reason),
    ...transferBetween(availableOf(to.id), between, amount, reason),
  ]
}

/** The transfer of a signed amount to a user (positive) or from one (negative); none for zero. */
export function transferBetween(
  user: LedgerAccountId,
  brokerAccount: LedgerAccountId,
  amount: Money,
  reason: Pick<Transfer, 'kind' | 'orderId' | 'caseId'>,
): Transfer[] {
  if (amount === 0n) return []
  return amount > 0n
    ? [{ debit: brokerAccount, credit: user, amount, ...reason }]
    : [{ debit: user, credit: brokerAccount, amount: money(-amount), ...reason }]
}
