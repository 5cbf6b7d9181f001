/** Money cases and what operators do to accounts, once more (trading-rules §11). */
import type {
  AskAdjustment,
  CancelWithdrawal,
  CloseAccount,
  EndAdjustment,
  EndDeposit,
  EndWithdrawal,
  OpenDeposit,
  Operator,
  RejectionCode,
  RequestWithdrawal,
  SetAccountStatus,
} from '../../src/index.ts'
import type { PlainEvent, PlainTransfer } from '../plain.ts'
import { settle } from './deals.ts'
import { isPriced, referenceFigures } from './figures.ts'
import { firstOf, statusFaults, type Faults } from './refusals.ts'
import {
  balanceAt,
  frozenAccount,
  isHeld,
  move,
  ordersOf,
  userAccount,
  type ReferenceModel,
  type ReferenceCase,
} from './state.ts'

type Refused = RejectionCode | null

const isAmount = (amount: bigint): boolean => amount > 0n && amount <= 10n ** 18n
const isTwice = ({ id, second }: Operator): boolean => second?.id === id
const areTwo = ({ id, second }: Operator): boolean => second !== null && second.id !== id

/** Never more than is booked, never more than is free, never less than nothing. */
export function withdrawableOf(model: ReferenceModel, accountId: number): bigint {
  const { balance, free } = referenceFigures(model, accountId)
  const least = balance < free ? balance : free
  return least > 0n ? least : 0n
}

const accountFaults = (model: ReferenceModel, accountId: number): Faults => {
  const account = model.accounts.find(({ id }) => id === accountId)
  return { accountNotFound: !account, realOnly: account?.ledger === 'demo' }
}

/** A case of the kind that waits for its end; one that has had it says so. */
function caseFaults(model: ReferenceModel, caseId: number, kind: ReferenceCase['kind']): Faults {
  const known = model.cases.find(({ id }) => id === caseId)
  return {
    caseNotFound: !known || (known.end === null && known.kind !== kind),
    caseEnded: known !== undefined && known.end !== null,
  }
}

const openCase = (model: ReferenceModel, caseId: number): ReferenceCase | undefined =>
  model.cases.find(({ id, end }) => id === caseId && end === null)

export function openDeposit(model: ReferenceModel, command: OpenDeposit, events: PlainEvent[]): Refused {
  const { accountId, amount, at } = command
  const refused = firstOf({
    ...accountFaults(model, accountId),
    ...statusFaults(model, command),
    amountInvalid: !isAmount(amount),
  })
  if (refused) return refused
  const caseId = begin(model, { kind: 'deposit', accountId, amount, fee: 0n, askedBy: 0, openedAt: at })
  events.push({ type: 'depositOpened', caseId, accountId, amount })
  return null
}

function begin(model: ReferenceModel, made: Omit<ReferenceCase, 'id' | 'end'>): number {
  const id = model.cases.length + 1
  model.cases.push({ ...made, id, end: null })
  return id
}

/** Out of the user's reach at once. What an account is worth must be known for it. */
export function requestWithdrawal(
  model: ReferenceModel,
  command: RequestWithdrawal,
  events: PlainEvent[],
): Refused {
  const { accountId, amount, fee, at } = command
  const refused = firstOf({
    ...accountFaults(model, accountId),
    ...statusFaults(model, command),
    amountInvalid: !isAmount(amount) || fee < 0n || fee >= amount,
    stalePrice: !isPriced(model, accountId),
    notEnoughMoney: amount > withdrawableOf(model, accountId),
  })
  if (refused) return refused
  const caseId = begin(model, { kind: 'withdrawal', accountId, amount, fee, askedBy: 0, openedAt: at })
  const held: PlainTransfer = {
    ...{ debit: userAccount(accountId), credit: frozenAccount(accountId), amount },
    ...{ kind: 'withdrawalHeld', orderId: null, caseId },
  }
  move(model, held, at)
  events.push({ type: 'withdrawalHeld', caseId, accountId, amount, fee, transfers: [held] })
  return null
}

/** Another's is answered as if it did not exist. */
export function cancelWithdrawal(
  model: ReferenceModel,
  command: CancelWithdrawal,
  events: PlainEvent[],
): Refused {
  const { accountId, caseId, at } = command
  const faults = caseFaults(model, caseId, 'withdrawal')
  const known = openCase(model, caseId)
  const refused = firstOf({
    accountNotFound: !model.accounts.some(({ id }) => id === accountId),
    ...statusFaults(model, command),
    ...faults,
    caseNotFound: faults.caseNotFound === true || (known !== undefined && known.accountId !== accountId),
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
  const back: PlainTransfer = {
    ...{ debit: frozenAccount(accountId), credit: userAccount(accountId), amount },
    ...{ kind: 'withdrawalReleased', orderId: null, caseId },
  }
  held.end = outcome
  move(model, back, at)
  events.push({ type: 'withdrawalEnded', caseId, accountId, outcome, transfers: [back] })
}

/** Credited at what the operator confirms; much of it needs two of them. */
export function endDeposit(model: ReferenceModel, command: EndDeposit, events: PlainEvent[]): Refused {
  const { caseId, outcome, amount, by, at } = command
  const isCredit = outcome === 'finished'
  const refused = firstOf({
    sameOperator: isTwice(by),
    ...caseFaults(model, caseId, 'deposit'),
    amountInvalid: isCredit && !isAmount(amount),
    secondOperatorNeeded: isCredit && amount > model.settings.fourEyesLimit && !areTwo(by),
  })
  const deposit = openCase(model, caseId)
  if (refused || !deposit) return refused
  const { accountId } = deposit
  deposit.end = outcome
  const why = { house: 'deposits', kind: 'deposit', at, caseId } as const
  const transfers = isCredit ? settle(model, { accountId, orderId: null }, amount, why) : []
  const credited = isCredit ? amount : 0n
  events.push({ type: 'depositEnded', caseId, accountId, outcome, amount: credited, transfers })
  return null
}

/** Paid: all but the fee leaves the house. Rejected: all of it comes back. */
export function endWithdrawal(model: ReferenceModel, command: EndWithdrawal, events: PlainEvent[]): Refused {
  const { caseId, outcome, by, at } = command
  const held = openCase(model, caseId)
  const isMuch = held !== undefined && held.amount > model.settings.fourEyesLimit
  const refused = firstOf({
    sameOperator: isTwice(by),
    ...caseFaults(model, caseId, 'withdrawal'),
    secondOperatorNeeded: outcome === 'paid' && isMuch && !areTwo(by),
  })
  if (refused || !held) return refused
  if (outcome === 'rejected') {
    release(model, held, { outcome, at, events })
    return null
  }
  const { accountId, amount, fee } = held
  const leaves = (to: 'withdrawals' | 'fees', part: bigint): PlainTransfer => ({
    ...{ debit: frozenAccount(accountId), credit: `house:real:${to}` as const, amount: part },
    ...{ kind: to === 'fees' ? 'withdrawalFee' : 'withdrawalPaid', orderId: null, caseId },
  })
  const transfers = [leaves('withdrawals', amount - fee), ...(fee > 0n ? [leaves('fees', fee)] : [])]
  held.end = outcome
  for (const transfer of transfers) move(model, transfer, at)
  events.push({ type: 'withdrawalEnded', caseId, accountId, outcome, transfers })
  return null
}

export function askAdjustment(model: ReferenceModel, command: AskAdjustment, events: PlainEvent[]): Refused {
  const { accountId, amount, by, at } = command
  const refused = firstOf({
    sameOperator: isTwice(by),
    ...accountFaults(model, accountId),
    amountInvalid: !isAmount(amount < 0n ? -amount : amount),
  })
  if (refused) return refused
  const caseId = begin(model, {
    kind: 'adjustment',
    accountId,
    amount,
    fee: 0n,
    askedBy: by.id,
    openedAt: at,
  })
  events.push({ type: 'adjustmentAsked', caseId, accountId, amount, askedBy: by.id })
  return null
}

/** Whoever asked does not approve much of it; what is taken must be there. */
export function endAdjustment(model: ReferenceModel, command: EndAdjustment, events: PlainEvent[]): Refused {
  const { caseId, outcome, by, at } = command
  const asked = openCase(model, caseId)
  const isApproved = outcome === 'approved' && asked?.kind === 'adjustment'
  const size = asked ? (asked.amount < 0n ? -asked.amount : asked.amount) : 0n
  const isTaken = isApproved && asked.amount < 0n
  const refused = firstOf({
    sameOperator:
      isTwice(by) || (isApproved && size > model.settings.fourEyesLimit && by.id === asked.askedBy),
    ...caseFaults(model, caseId, 'adjustment'),
    stalePrice: isTaken && !isPriced(model, asked.accountId),
    notEnoughMoney: isTaken && size > withdrawableOf(model, asked.accountId),
  })
  if (refused || !asked) return refused
  const { accountId, amount } = asked
  asked.end = outcome
  const why = { house: 'adjustments', kind: 'adjustment', at, caseId } as const
  const transfers = isApproved ? settle(model, { accountId, orderId: null }, amount, why) : []
  events.push({ type: 'adjustmentEnded', caseId, accountId, outcome, transfers })
  return null
}

/** The user reads why; what he may not do any more is looked at with every command. */
export function setStatus(model: ReferenceModel, command: SetAccountStatus, events: PlainEvent[]): Refused {
  const { accountId, status, by } = command
  const account = model.accounts.find(({ id }) => id === accountId)
  const isClosed = account?.status === 'closed'
  const refused = firstOf({ sameOperator: isTwice(by), accountNotFound: !account, accountClosed: isClosed })
  if (refused || !account) return refused
  const reason = status === 'active' ? '' : by.reason
  Object.assign(account, { status, statusReason: reason })
  events.push({ type: 'accountStatusSet', accountId, status, reason })
  return null
}

/** Nothing open and nothing owed; of demo money anything may be left. */
export function closeAccount(model: ReferenceModel, command: CloseAccount, events: PlainEvent[]): Refused {
  const { accountId, leftMax } = command
  const account = model.accounts.find(({ id }) => id === accountId)
  const left = balanceAt(model, userAccount(accountId))
  const isReal = account?.ledger === 'real'
  const orders = ordersOf(model, accountId)
  const refused = firstOf({
    accountNotFound: !account,
    ...statusFaults(model, command),
    positionsOpen: orders.some(isHeld),
    ordersPending: !orders.every(isHeld),
    casesOpen: model.cases.some((each) => each.accountId === accountId && each.end === null),
    balanceLeft: isReal && left > leftMax,
  })
  if (refused || !account) return refused
  Object.assign(account, { status: 'closed', statusReason: '' })
  events.push({ type: 'accountClosed', accountId, left })
  return null
}
