/** Deposits, withdrawals and adjustments: each a case with exactly one end (trading-rules §11). */
import { figuresOf, isPriced, withdrawable } from '../margin/account-figures.ts'
import { isConfirmed, type Operator } from '../author.ts'
import type {
  AskAdjustment,
  CancelWithdrawal,
  EndAdjustment,
  EndDeposit,
  EndWithdrawal,
  OpenDeposit,
  RequestWithdrawal,
} from '../command.ts'
import type { Event, WithdrawalEnded } from '../event.ts'
import { availableOf, frozenOf, houseOf, transferBetween, type Transfer } from '../money/ledger.ts'
import type { Adjustment, MoneyCase, Withdrawal } from './money-case.ts'
import { isBookable } from '../money/booking-range.ts'
import { absolute, money, NO_MONEY, type Money } from '../money/number.ts'
import { reject, type Rejection } from '../rejection.ts'
import type { Account, State } from '../state.ts'

type Decision = Event[] | Rejection

const isAmount = (amount: bigint): boolean => amount > 0n && isBookable(amount)

const badAmount = (amount: Money): Rejection => reject('amountInvalid', { amount })

/** Money cases are for real accounts: demo money never meets any other. */
const checkReal = ({ ledger }: Account): Rejection | null => (ledger === 'real' ? null : reject('realOnly'))

export const decideDeposit = (state: State, { amount }: OpenDeposit, account: Account): Decision =>
  checkReal(account) ??
  (isAmount(amount) ? null : badAmount(amount)) ?? [
    { type: 'depositOpened', caseId: state.lastCaseId + 1, accountId: account.id, amount },
  ]

/** The money is frozen at once: no other withdrawal and no position can count on it. */
export function decideWithdrawal(
  state: State,
  { amount, fee }: RequestWithdrawal,
  account: Account,
): Decision {
  const refused = checkReal(account)
  if (refused) return refused
  if (!isAmount(amount) || fee < 0n || fee >= amount) return badAmount(amount)
  const lacking = checkMoney(state, account, amount)
  if (lacking) return lacking
  const caseId = state.lastCaseId + 1
  const held = transfer(availableOf(account.id), frozenOf(account.id), amount, {
    kind: 'withdrawalHeld',
    caseId,
  })
  return [{ type: 'withdrawalHeld', caseId, accountId: account.id, amount, fee, transfers: [held] }]
}

/** Somebody else's withdrawal is answered as if it did not exist. */
export function decideCancelWithdrawal(
  state: State,
  { caseId }: CancelWithdrawal,
  account: Account,
): Decision {
  const held = caseOf(state, caseId, 'withdrawal')
  if ('rejected' in held) return held
  if (held.accountId !== account.id) return reject('caseNotFound', { caseId })
  return [released(held, 'cancelled')]
}

/** Credited once, at the amount that the operator confirms. */
export function decideEndDeposit(state: State, { caseId, outcome, amount, by }: EndDeposit): Decision {
  const deposit = caseOf(state, caseId, 'deposit')
  if ('rejected' in deposit) return deposit
  const { accountId } = deposit
  const ended = { type: 'depositEnded' as const, caseId, accountId, outcome }
  if (outcome !== 'finished') return [{ ...ended, amount: NO_MONEY, transfers: [] }]
  if (!isAmount(amount)) return badAmount(amount)
  const credited = transfer(houseOf('real', 'deposits'), availableOf(accountId), amount, {
    kind: 'deposit',
    caseId,
  })
  return checkConfirmed(state, by, amount) ?? [{ ...ended, amount, transfers: [credited] }]
}

/** Paid: what was frozen leaves, its fee stays with the house. Rejected: it comes back. */
export function decideEndWithdrawal(state: State, { caseId, outcome, by }: EndWithdrawal): Decision {
  const held = caseOf(state, caseId, 'withdrawal')
  if ('rejected' in held) return held
  if (outcome === 'rejected') return [released(held, 'rejected')]
  const { accountId, amount, fee } = held
  const refused = checkConfirmed(state, by, amount)
  if (refused) return refused
  const frozen = frozenOf(accountId)
  const paid = transfer(frozen, houseOf('real', 'withdrawals'), money(amount - fee), {
    kind: 'withdrawalPaid',
    caseId,
  })
  const kept = transferBetween(frozen, houseOf('real', 'fees'), money(-fee), {
    kind: 'withdrawalFee',
    orderId: null,
    caseId,
  })
  return [{ type: 'withdrawalEnded', caseId, accountId, outcome, transfers: [paid, ...kept] }]
}

/** A correction waits for somebody to approve it; what it would take away must be there then. */
export function decideAskAdjustment(
  state: State,
  { accountId, amount, by }: AskAdjustment,
  account: Account,
): Decision {
  const refused = checkReal(account)
  if (refused) return refused
  if (!isAmount(absolute(amount))) return badAmount(amount)
  return [{ type: 'adjustmentAsked', caseId: state.lastCaseId + 1, accountId, amount, askedBy: by.id }]
}

/** Above the limit nobody approves what they have asked for themselves. */
export function decideEndAdjustment(state: State, { caseId, outcome, by }: EndAdjustment): Decision {
  const asked = caseOf(state, caseId, 'adjustment')
  if ('rejected' in asked) return asked
  const { accountId } = asked
  const ended = { type: 'adjustmentEnded' as const, caseId, accountId, outcome }
  if (outcome === 'refused') return [{ ...ended, transfers: [] }]
  return checkApproval(state, asked, by) ?? [{ ...ended, transfers: adjusted(asked) }]
}

const adjusted = ({ id, accountId, amount }: Adjustment): Transfer[] =>
  transferBetween(availableOf(accountId), houseOf('real', 'adjustments'), amount, {
    kind: 'adjustment',
    orderId: null,
    caseId: id,
  })

function checkApproval(state: State, { accountId, amount, askedBy }: Adjustment, by: Operator) {
  if (absolute(amount) > state.settings.fourEyesLimit && by.id === askedBy) return reject('sameOperator')
  const account = state.accounts.get(accountId)
  if (!account) return reject('accountNotFound')
  return amount < 0n ? checkMoney(state, account, money(-amount)) : null
}

/** What is taken must be there; while a position has no price nobody knows what an account is worth. */
function checkMoney(state: State, account: Account, amount: Money): Rejection | null {
  if (!isPriced(state, account)) return reject('stalePrice')
  const most = withdrawable(figuresOf(state, account))
  return amount > most ? reject('notEnoughMoney', { amount, most }) : null
}

/** Above the limit two different people stand behind money that comes or goes. */
function checkConfirmed(state: State, by: Operator, amount: Money): Rejection | null {
  if (amount <= state.settings.fourEyesLimit || isConfirmed(by)) return null
  return reject('secondOperatorNeeded', { limit: state.settings.fourEyesLimit })
}

function released(held: Withdrawal, outcome: 'rejected' | 'cancelled'): WithdrawalEnded {
  const { id: caseId, accountId, amount } = held
  const back = transfer(frozenOf(accountId), availableOf(accountId), amount, {
    kind: 'withdrawalReleased',
    caseId,
  })
  return { type: 'withdrawalEnded', caseId, accountId, outcome, transfers: [back] }
}

const transfer = (
  debit: Transfer['debit'],
  credit: Transfer['credit'],
  amount: Money,
  reason: Pick<Transfer, 'kind'> & { readonly caseId: number },
): Transfer => ({ debit, credit, amount, orderId: null, ...reason })

/** An open case of a kind; one that was there and has ended says so. */
function caseOf<Kind extends MoneyCase['kind']>(
  state: State,
  caseId: number,
  kind: Kind,
): Extract<MoneyCase, { kind: Kind }> | Rejection {
  const open = state.cases.get(caseId)
  if (open?.kind === kind) return open as Extract<MoneyCase, { kind: Kind }>
  const hasEnded = !open && caseId >= 1 && caseId <= state.lastCaseId
  return reject(hasEnded ? 'caseEnded' : 'caseNotFound', { caseId })
}
