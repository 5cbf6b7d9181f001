/** Deposits, withdrawals and adjustments: each a case with exactly one end (trading-rules §11). */
import { figuresOf, isPriced, profitOn, withdrawable } from '../margin/account-figures.ts'
import { isConfirmed, type Operator } from '../model/author.ts'
import type {
  ApproveWithdrawal,
  RequestAdjustment,
  CancelWithdrawal,
  EndAdjustment,
  EndDeposit,
  EndWithdrawal,
  OpenDeposit,
  RequestWithdrawal,
  StartPayment,
} from '../model/command.ts'
import type { DecisionContext } from '../state/running-core.ts'
import type { Event, WithdrawalEnded } from '../model/event.ts'
import { availableOf, frozenOf, brokerAccountOf, transferBetween, type Transfer } from '../model/ledger.ts'
import type { Adjustment, Arrival, Deposit, MoneyCase, Withdrawal } from '../model/money-case.ts'
import { isBookable } from '../money/booking-range.ts'
import { absolute, money, NO_MONEY, smaller, type Money } from '../model/number.ts'
import { amountAtRate } from '../model/rounding.ts'
import {
  invalidSentAmount,
  creditFor,
  isValidSentAmount,
  rateOfSent,
  type DepositCredit,
} from './deposit-rate.ts'
import {
  checkNotSingleOperator,
  checkCreditLimits,
  checkTwoOperators,
  hasOperatorRules,
} from '../operators/operators.ts'
import { isPosition } from '../model/order.ts'
import { tradableMarket } from '../orders/tradable-market.ts'
import { isRejection, reject, type Rejection } from '../model/rejection.ts'
import type { Account, State } from '../state/state.ts'

type Decision = Event[] | Rejection

const isValidAmount = (amount: bigint): boolean => amount > 0n && isBookable(amount)

const invalidAmount = (amount: Money): Rejection => reject('amountInvalid', { amount })

/** Money cases are for real accounts only. */
const checkRealAccount = ({ ledger }: Account): Rejection | null =>
  ledger === 'real' ? null : reject('realOnly')

/** Opened with the amount sent, valued in the account currency at the current rate until it has arrived. */
export function decideDeposit(state: State, command: OpenDeposit, account: Account): Decision {
  const refused = checkRealAccount(account)
  if (refused) return refused
  const opened = { type: 'depositOpened', caseId: state.lastCaseId + 1, accountId: account.id } as const
  const { sent } = command
  if (sent === undefined) {
    const { amount } = command
    return isValidAmount(amount) ? [{ ...opened, amount }] : invalidAmount(amount)
  }
  if (!isValidSentAmount(sent.amount)) return invalidSentAmount(sent)
  const priced = rateOfSent(state, sent)
  if (isRejection(priced)) return priced
  const amount = amountAtRate(sent.amount, priced.rate)
  return isValidAmount(amount)
    ? [{ ...opened, amount, sent: { ...sent, ...priced } }]
    : invalidSentAmount(sent)
}

/** The money is frozen at once, so that no other withdrawal or position can use it. */
export function decideWithdrawal(
  context: DecisionContext,
  { at, amount, fee, payout }: RequestWithdrawal,
  account: Account,
): Decision {
  const { state } = context
  const refused = checkRealAccount(account)
  if (refused) return refused
  if (!isValidAmount(amount) || fee < 0n || fee >= amount) return invalidAmount(amount)
  const lacking = checkCovered(context, account, amount, at)
  if (lacking) return lacking
  const caseId = state.lastCaseId + 1
  const held = transfer(availableOf(account.id), frozenOf(account.id), amount, {
    kind: 'withdrawalHeld',
    caseId,
  })
  return [
    {
      type: 'withdrawalHeld',
      caseId,
      accountId: account.id,
      amount,
      fee,
      transfers: [held],
      ...(payout && { payout }),
    },
  ]
}

/** Another user's withdrawal is reported as not found; an approved one may be paid already. */
export function decideCancelWithdrawal(
  state: State,
  { caseId }: CancelWithdrawal,
  account: Account,
): Decision {
  const held = caseOf(state, caseId, 'withdrawal')
  if ('rejected' in held) return held
  if (held.accountId !== account.id) return reject('caseNotFound', { caseId })
  if (held.status !== 'held') return reject('withdrawalApproved', { caseId })
  return [releaseEvent(state, held, 'cancelled')]
}

/**
 * Credited once, with the amount that the operator confirms; above the 24-hour limits, or far from the mid, only by
 * two operators.
 */
export function decideEndDeposit(context: DecisionContext, command: EndDeposit): Decision {
  const { state } = context
  const { at, caseId, outcome, by } = command
  const deposit = caseOf(state, caseId, 'deposit')
  if ('rejected' in deposit) return deposit
  const { accountId } = deposit
  const ended = { type: 'depositEnded' as const, caseId, accountId, outcome }
  if (outcome !== 'finished') return [{ ...ended, amount: NO_MONEY, transfers: [] }]
  const credit = creditOf(context, deposit, command)
  if (isRejection(credit)) return credit
  const { credited: amount, arrived, isFarFromMid } = credit
  if (!isValidAmount(amount)) return invalidAmount(amount)
  const credited = transfer(brokerAccountOf('real', 'deposits'), availableOf(accountId), amount, {
    kind: 'deposit',
    caseId,
  })
  const finished = { ...ended, amount, transfers: [credited], ...(arrived && { arrived }) }
  if (!hasOperatorRules(state)) return checkConfirmed(state, by, amount) ?? [finished]
  return (
    checkNotSingleOperator(state) ??
    (isFarFromMid && !isConfirmed(by) ? reject('secondOperatorNeeded') : null) ??
    checkCreditLimits(state, by, { at, caseId, accountId, destination: null, amount }) ?? [
      { ...finished, operators: operatorsOf(by) },
    ]
  )
}

type Credit = Pick<DepositCredit, 'credited' | 'isFarFromMid'> & { readonly arrived: Arrival | null }

/** Account money is credited as it is; another currency at its rate. */
function creditOf(
  context: DecisionContext,
  { sent, openedAt }: Deposit,
  { at, amount = NO_MONEY, arrived }: EndDeposit,
): Credit | Rejection {
  if (sent === null) return { credited: amount, isFarFromMid: false, arrived: null }
  return arrived ? creditFor(context, { sent, openedAt }, arrived, at) : invalidSentAmount(sent)
}

/** Approved by one operator, paid by another. */
export function decideApproveWithdrawal(state: State, { caseId, by }: ApproveWithdrawal): Decision {
  const held = caseOf(state, caseId, 'withdrawal')
  if ('rejected' in held) return held
  if (held.status !== 'held') return reject('withdrawalApproved', { caseId })
  const refused = state.mayPayAlone ? null : checkNotSingleOperator(state)
  return refused ?? [{ type: 'withdrawalApproved', ...payoutEventFields(held, by) }]
}

/** From now on the money may have been sent: it ends as paid, or otherwise only by two operators. */
export function decideStartPayment(state: State, { caseId, by }: StartPayment): Decision {
  const held = caseOf(state, caseId, 'withdrawal')
  if ('rejected' in held) return held
  if (held.status === 'paying') return reject('caseEnded', { caseId })
  const refused = checkPayer(state, held, by)
  return refused ?? [{ type: 'withdrawalPaying', ...payoutEventFields(held, by) }]
}

const payoutEventFields = ({ id: caseId, accountId, amount, payout }: Withdrawal, by: Operator) => ({
  caseId,
  accountId,
  amount,
  destination: payout?.destination ?? null,
  operatorId: by.id,
})

/** Approver and payer must differ, whatever the amount. */
function checkPayer(state: State, { id, status, approvedBy }: Withdrawal, by: Operator): Rejection | null {
  if (!hasOperatorRules(state)) return null
  if (status === 'held') return reject('withdrawalNotApproved', { caseId: id })
  if (state.mayPayAlone && !state.hasSecondOperator) return null
  return checkNotSingleOperator(state) ?? (approvedBy === by.id ? reject('sameOperator') : null)
}

/**
 * Paid: the frozen money is debited, its fee goes to the broker. Rejected: it is released, after an approval only by
 * two operators.
 */
export function decideEndWithdrawal(state: State, { caseId, outcome, by }: EndWithdrawal): Decision {
  const held = caseOf(state, caseId, 'withdrawal')
  if ('rejected' in held) return held
  if (outcome === 'rejected') {
    const refused = held.status === 'held' ? null : checkTwoOperators(state, by)
    return refused ?? [releaseEvent(state, held, 'rejected')]
  }
  const refused = hasOperatorRules(state)
    ? checkPayer(state, held, by)
    : checkConfirmed(state, by, held.amount)
  if (refused) return refused
  const { accountId, amount, fee } = held
  const frozen = frozenOf(accountId)
  const paid = transfer(frozen, brokerAccountOf('real', 'withdrawals'), money(amount - fee), {
    kind: 'withdrawalPaid',
    caseId,
  })
  const feeTransfers = transferBetween(frozen, brokerAccountOf('real', 'fees'), money(-fee), {
    kind: 'withdrawalFee',
    orderId: null,
    caseId,
  })
  return [
    ...(held.status === 'approved'
      ? [{ type: 'withdrawalPaying' as const, ...payoutEventFields(held, by) }]
      : []),
    { type: 'withdrawalEnded', caseId, accountId, outcome, transfers: [paid, ...feeTransfers] },
  ]
}

/** An adjustment waits for approval; money to be debited must be available then. */
export function decideRequestAdjustment(
  state: State,
  { accountId, amount, by }: RequestAdjustment,
  account: Account,
): Decision {
  const refused = checkOpenAccount(account) ?? checkRealAccount(account)
  if (refused) return refused
  if (!isValidAmount(absolute(amount))) return reject('amountInvalid', { amount, field: 'amount' })
  return [{ type: 'adjustmentAsked', caseId: state.lastCaseId + 1, accountId, amount, askedBy: by.id }]
}

const checkOpenAccount = ({ status }: Account): Rejection | null =>
  status === 'closed' ? reject('accountClosed') : null

/** Approved by another operator than the requester, who must still be active. */
export function decideEndAdjustment(context: DecisionContext, command: EndAdjustment): Decision {
  const { state } = context
  const { caseId, outcome, by } = command
  const requested = caseOf(state, caseId, 'adjustment')
  if ('rejected' in requested) return requested
  const { accountId } = requested
  const ended = { type: 'adjustmentEnded' as const, caseId, accountId, outcome }
  if (outcome === 'refused') return [{ ...ended, transfers: [] }]
  return (
    checkAdjustment(context, requested, command) ?? [
      {
        ...ended,
        transfers: adjustmentTransfers(requested),
        ...(hasOperatorRules(state) && { operators: [requested.askedBy, by.id] }),
      },
    ]
  )
}

const adjustmentTransfers = ({ id, accountId, amount }: Adjustment): Transfer[] =>
  transferBetween(availableOf(accountId), brokerAccountOf('real', 'adjustments'), amount, {
    kind: 'adjustment',
    orderId: null,
    caseId: id,
  })

function checkAdjustment(
  context: DecisionContext,
  { accountId, amount, askedBy }: Adjustment,
  { at, by }: EndAdjustment,
): Rejection | null {
  const { state } = context
  const refused = hasOperatorRules(state)
    ? (checkNotSingleOperator(state) ?? checkRequester(state, askedBy, by))
    : absolute(amount) > state.settings.fourEyesLimit && by.id === askedBy
      ? reject('sameOperator')
      : null
  if (refused) return refused
  const account = state.accounts.get(accountId)
  if (!account) return reject('accountNotFound')
  return (
    checkOpenAccount(account) ?? (amount < 0n ? checkCovered(context, account, money(-amount), at) : null)
  )
}

/** Requests of an operator who was disabled since are void; older journals may contain open ones. */
function checkRequester({ operators }: State, askedBy: number, by: Operator): Rejection | null {
  if (by.id === askedBy) return reject('sameOperator')
  return operators.get(askedBy)?.isActive ? null : reject('operatorNotEntitled')
}

/** A debit must be covered: at fresh prices once the two-operator rules apply, at last prices before that. */
function checkCovered(
  context: DecisionContext,
  account: Account,
  amount: Money,
  at: number,
): Rejection | null {
  const { state } = context
  if (!hasOperatorRules(state) && !isPriced(state, account)) return reject('stalePrice')
  const most = hasOperatorRules(state)
    ? withdrawableAtFreshPrices(context, account, at)
    : withdrawable(figuresOf(state, account))
  return amount > most ? reject('notEnoughMoney', { amount, most }) : null
}

/**
 * The withdrawable amount at fresh prices (trading-rules §11): positions on a halted, closed or silent market count
 * as having lost their margin, or their last loss where that is larger. Never below zero.
 */
export function withdrawableAtFreshPrices(context: DecisionContext, account: Account, at: number): Money {
  const { state } = context
  const figures = figuresOf(state, account)
  let { free } = figures
  for (const instrumentId of account.exposures.keys()) {
    const instrument = state.instruments.get(instrumentId)
    if (instrument && !isRejection(tradableMarket(context, instrument, at, 'closing'))) continue
    const profit = profitOn(state, account, instrumentId)
    const marginLoss = -marginOn(account, instrumentId)
    if (profit > marginLoss) free = money(free - profit + marginLoss)
  }
  return withdrawable({ balance: figures.balance, free })
}

const marginOn = ({ orders }: Account, instrumentId: number): bigint =>
  [...orders.values()].reduce(
    (sum, order) => (order.instrumentId === instrumentId && isPosition(order) ? sum + order.margin : sum),
    0n,
  )

/** Before the two-operator rules took effect: a credit or payment above the limit needs two different operators. */
function checkConfirmed(state: State, by: Operator, amount: Money): Rejection | null {
  if (amount <= state.settings.fourEyesLimit || isConfirmed(by)) return null
  return reject('secondOperatorNeeded', { limit: state.settings.fourEyesLimit })
}

const operatorsOf = (by: Operator): number[] => [by.id, ...(by.second ? [by.second.id] : [])]

/** Releases the frozen money; negative balance protection paid meanwhile is repaid from it first. */
function releaseEvent(state: State, held: Withdrawal, outcome: 'rejected' | 'cancelled'): WithdrawalEnded {
  const { id: caseId, accountId, amount, protection } = held
  const back = transfer(frozenOf(accountId), availableOf(accountId), amount, {
    kind: 'withdrawalReleased',
    caseId,
  })
  const repaid = transferBetween(
    availableOf(accountId),
    brokerAccountOf('real', 'protection'),
    money(hasOperatorRules(state) ? -smaller(amount, protection) : 0n),
    { kind: 'protectionRepaid', orderId: null, caseId },
  )
  return { type: 'withdrawalEnded', caseId, accountId, outcome, transfers: [back, ...repaid] }
}

const transfer = (
  debit: Transfer['debit'],
  credit: Transfer['credit'],
  amount: Money,
  reason: Pick<Transfer, 'kind'> & { readonly caseId: number },
): Transfer => ({ debit, credit, amount, orderId: null, ...reason })

/** The open case of a kind; a closed one is reported as ended. */
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
