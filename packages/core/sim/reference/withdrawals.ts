/** Withdrawals in the reference model: from the request to the payment or the release (trading-rules §11). */
import type {
  ApproveWithdrawal,
  CancelWithdrawal,
  EndWithdrawal,
  Operator,
  RequestWithdrawal,
  StartPayment,
} from '../../src/index.ts'
import type { PlainEvent, PlainTransfer } from '../plain-types.ts'
import {
  accountFaults,
  addCase,
  caseFaults,
  findOpenCase,
  isByTwoOperators,
  isValidAmount,
  type Refused,
} from './cases.ts'
import { bookTransfer } from './deals.ts'
import {
  hasTwoOperatorRules,
  isSingleOperatorMode,
  maySingleOperatorPay,
  progressOf,
} from './operator-rules.ts'
import { firstOf, statusFaults } from './refusals.ts'
import { frozenAccount, move, userAccount, type ReferenceCase, type ReferenceModel } from './state.ts'
import { coverFaults } from './withdrawable.ts'

/** The money is frozen at once, so every position must have a price. */
export function requestWithdrawal(
  model: ReferenceModel,
  command: RequestWithdrawal,
  events: PlainEvent[],
): Refused {
  const { accountId, amount, fee, at, payout } = command
  const refused =
    firstOf({
      ...accountFaults(model, accountId),
      ...statusFaults(model, command),
      amountInvalid: !isValidAmount(amount) || fee < 0n || fee >= amount,
    }) ?? firstOf(coverFaults(model, accountId, amount, at))
  if (refused) return refused
  const draft = { kind: 'withdrawal', accountId, amount, fee, askedBy: 0, openedAt: at } as const
  const caseId = addCase(model, draft, { payout: payout ?? null })
  const held: PlainTransfer = {
    debit: userAccount(accountId),
    credit: frozenAccount(accountId),
    amount,
    kind: 'withdrawalHeld',
    orderId: null,
    caseId,
  }
  move(model, held, at)
  const transfers = [held]
  events.push({
    type: 'withdrawalHeld',
    caseId,
    accountId,
    amount,
    fee,
    transfers,
    ...(payout && { payout }),
  })
  return null
}

/** Another user's case is reported as not found. */
export function cancelWithdrawal(
  model: ReferenceModel,
  command: CancelWithdrawal,
  events: PlainEvent[],
): Refused {
  const { accountId, caseId, at } = command
  const faults = caseFaults(model, caseId, 'withdrawal')
  const known = findOpenCase(model, caseId)
  const refused = firstOf({
    accountNotFound: !model.accounts.some(({ id }) => id === accountId),
    ...statusFaults(model, command),
    ...faults,
    caseNotFound: faults.caseNotFound === true || (known !== undefined && known.accountId !== accountId),
    withdrawalApproved: progressOf(model, caseId).status !== 'held',
  })
  if (refused || !known) return refused
  release(model, known, { outcome: 'cancelled', at, events })
  return null
}

function release(
  model: ReferenceModel,
  held: ReferenceCase,
  { outcome, at, events }: { outcome: 'cancelled' | 'rejected'; at: number; events: PlainEvent[] },
): void {
  const { id: caseId, accountId, amount } = held
  const protection = protectionDuring(model, held)
  const back: PlainTransfer = {
    debit: frozenAccount(accountId),
    credit: userAccount(accountId),
    amount,
    kind: 'withdrawalReleased',
    orderId: null,
    caseId,
  }
  held.end = outcome
  move(model, back, at)
  // A user does not keep both the money and the protection that was paid for lack of it.
  const protectionToRepay = protection < amount ? protection : amount
  const repaid = hasTwoOperatorRules(model) ? protectionToRepay : 0n
  const posting = { brokerAccount: 'protection', kind: 'protectionRepaid', at, caseId } as const
  const repaying = bookTransfer(model, { accountId, orderId: null }, -repaid, posting)
  events.push({ type: 'withdrawalEnded', caseId, accountId, outcome, transfers: [back, ...repaying] })
}

type PayoutCommand = ApproveWithdrawal | StartPayment | EndWithdrawal

const payoutEventFields = (
  { id: caseId, accountId, amount, payout }: ReferenceCase,
  { by }: PayoutCommand,
) => ({
  caseId,
  accountId,
  amount,
  operatorId: by.id,
  destination: payout ? payout.destination : null,
})

export function approveWithdrawal(
  model: ReferenceModel,
  command: ApproveWithdrawal,
  events: PlainEvent[],
): Refused {
  const { caseId } = command
  const held = findOpenCase(model, caseId)
  const refused = firstOf({
    ...caseFaults(model, caseId, 'withdrawal'),
    withdrawalApproved: held?.kind === 'withdrawal' && progressOf(model, caseId).status !== 'held',
    secondOperatorNeeded: isSingleOperatorMode(model) && !maySingleOperatorPay(model),
  })
  if (refused || !held) return refused
  events.push({ type: 'withdrawalApproved', ...payoutEventFields(held, command) })
  return null
}

export function startPayment(model: ReferenceModel, command: StartPayment, events: PlainEvent[]): Refused {
  const { caseId } = command
  const held = findOpenCase(model, caseId)
  const isPaying = held?.kind === 'withdrawal' && progressOf(model, caseId).status === 'paying'
  const faults = caseFaults(model, caseId, 'withdrawal')
  const refused =
    firstOf({ ...faults, caseEnded: faults.caseEnded === true || isPaying }) ??
    payerFault(model, caseId, command.by)
  if (refused || !held) return refused
  events.push({ type: 'withdrawalPaying', ...payoutEventFields(held, command) })
  return null
}

/** The payer must not be the approver. That there is only one operator is reported first. */
function payerFault(model: ReferenceModel, caseId: number, by: Operator): Refused {
  const { status, approvedBy } = progressOf(model, caseId)
  if (!hasTwoOperatorRules(model)) return null
  if (status === 'held') return 'withdrawalNotApproved'
  if (isSingleOperatorMode(model)) return maySingleOperatorPay(model) ? null : 'secondOperatorNeeded'
  return approvedBy === by.id ? 'sameOperator' : null
}

/** Negative balance protection booked while the case's money was frozen, less what has been repaid since. */
export function protectionDuring({ rows }: ReferenceModel, { id, accountId }: ReferenceCase): bigint {
  const user = userAccount(accountId)
  const heldAt = rows.findLastIndex(({ caseId, kind }) => caseId === id && kind === 'withdrawalHeld')
  let protection = 0n
  for (const { kind, debit, credit, amount } of rows.slice(heldAt)) {
    if (kind === 'protection' && credit === user) protection += amount
    if (kind === 'protectionRepaid' && debit === user)
      protection = protection > amount ? protection - amount : 0n
  }
  return protection
}

/** Paid: all but the fee leaves the broker. Rejected: all of it is released. */
export function endWithdrawal(model: ReferenceModel, command: EndWithdrawal, events: PlainEvent[]): Refused {
  const { caseId, outcome, by, at } = command
  const held = findOpenCase(model, caseId)
  const isAboveLimit = held !== undefined && held.amount > model.settings.fourEyesLimit
  const isPaid = outcome === 'paid'
  const { status } = progressOf(model, caseId)
  const isRejectedAfterApproval = !isPaid && status !== 'held'
  const refused =
    firstOf(caseFaults(model, caseId, 'withdrawal')) ??
    (isPaid ? payerFault(model, caseId, by) : null) ??
    firstOf({
      secondOperatorNeeded: hasTwoOperatorRules(model)
        ? isRejectedAfterApproval && (isSingleOperatorMode(model) || !isByTwoOperators(by))
        : isPaid && isAboveLimit && !isByTwoOperators(by),
    })
  if (refused || !held) return refused
  if (isRejectedAfterApproval) model.notes.push('withdrawal rejected after its approval')
  if (isPaid && maySingleOperatorPay(model)) model.notes.push('withdrawal paid by one operator')
  if (outcome === 'rejected') {
    release(model, held, { outcome, at, events })
    return null
  }
  const { accountId, amount, fee } = held
  const payOut = (to: 'withdrawals' | 'fees', part: bigint): PlainTransfer => ({
    debit: frozenAccount(accountId),
    credit: `house:real:${to}` as const,
    amount: part,
    kind: to === 'fees' ? 'withdrawalFee' : 'withdrawalPaid',
    orderId: null,
    caseId,
  })
  const transfers = [payOut('withdrawals', amount - fee), ...(fee > 0n ? [payOut('fees', fee)] : [])]
  held.end = outcome
  for (const transfer of transfers) move(model, transfer, at)
  if (status === 'approved') events.push({ type: 'withdrawalPaying', ...payoutEventFields(held, command) })
  events.push({ type: 'withdrawalEnded', caseId, accountId, outcome, transfers })
  return null
}
