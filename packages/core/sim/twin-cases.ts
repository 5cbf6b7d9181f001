/** Money cases and what operators do to accounts, once more (trading-rules §11). */
import type {
  AskAdjustment,
  CancelWithdrawal,
  EndAdjustment,
  EndDeposit,
  EndWithdrawal,
  OpenDeposit,
  Operator,
  RejectionCode,
  RequestWithdrawal,
  SetAccountStatus,
} from '../src/index.ts'
import type { PlainEvent, PlainTransfer } from './plain.ts'
import { settle } from './twin-deals.ts'
import { isPriced, twinFigures } from './twin-figures.ts'
import { firstOf, statusFaults, type Faults } from './twin-refusals.ts'
import { frozenAccount, move, userAccount, type Twin, type TwinCase } from './twin-state.ts'

type Refused = RejectionCode | null

const isAmount = (amount: bigint): boolean => amount > 0n && amount <= 10n ** 18n
const isTwice = ({ id, second }: Operator): boolean => second?.id === id
const areTwo = ({ id, second }: Operator): boolean => second !== null && second.id !== id

/** Never more than is booked, never more than is free, never less than nothing. */
export function withdrawableOf(twin: Twin, accountId: number): bigint {
  const { balance, free } = twinFigures(twin, accountId)
  const least = balance < free ? balance : free
  return least > 0n ? least : 0n
}

const accountFaults = (twin: Twin, accountId: number): Faults => {
  const account = twin.accounts.find(({ id }) => id === accountId)
  return { accountNotFound: !account, realOnly: account?.ledger === 'demo' }
}

/** A case of the kind that waits for its end; one that has had it says so. */
function caseFaults(twin: Twin, caseId: number, kind: TwinCase['kind']): Faults {
  const known = twin.cases.find(({ id }) => id === caseId)
  return {
    caseNotFound: !known || (known.end === null && known.kind !== kind),
    caseEnded: known !== undefined && known.end !== null,
  }
}

const openCase = (twin: Twin, caseId: number): TwinCase | undefined =>
  twin.cases.find(({ id, end }) => id === caseId && end === null)

export function openDeposit(twin: Twin, command: OpenDeposit, events: PlainEvent[]): Refused {
  const { accountId, amount, at } = command
  const refused = firstOf({
    ...accountFaults(twin, accountId),
    ...statusFaults(twin, command),
    amountInvalid: !isAmount(amount),
  })
  if (refused) return refused
  const caseId = begin(twin, { kind: 'deposit', accountId, amount, fee: 0n, askedBy: 0, openedAt: at })
  events.push({ type: 'depositOpened', caseId, accountId, amount })
  return null
}

function begin(twin: Twin, made: Omit<TwinCase, 'id' | 'end'>): number {
  const id = twin.cases.length + 1
  twin.cases.push({ ...made, id, end: null })
  return id
}

/** Out of the user's reach at once. What an account is worth must be known for it. */
export function requestWithdrawal(twin: Twin, command: RequestWithdrawal, events: PlainEvent[]): Refused {
  const { accountId, amount, fee, at } = command
  const refused = firstOf({
    ...accountFaults(twin, accountId),
    ...statusFaults(twin, command),
    amountInvalid: !isAmount(amount) || fee < 0n || fee >= amount,
    stalePrice: !isPriced(twin, accountId),
    notEnoughMoney: amount > withdrawableOf(twin, accountId),
  })
  if (refused) return refused
  const caseId = begin(twin, { kind: 'withdrawal', accountId, amount, fee, askedBy: 0, openedAt: at })
  const held: PlainTransfer = {
    ...{ debit: userAccount(accountId), credit: frozenAccount(accountId), amount },
    ...{ kind: 'withdrawalHeld', orderId: null, caseId },
  }
  move(twin, held, at)
  events.push({ type: 'withdrawalHeld', caseId, accountId, amount, fee, transfers: [held] })
  return null
}

/** Another's is answered as if it did not exist. */
export function cancelWithdrawal(twin: Twin, command: CancelWithdrawal, events: PlainEvent[]): Refused {
  const { accountId, caseId, at } = command
  const faults = caseFaults(twin, caseId, 'withdrawal')
  const known = openCase(twin, caseId)
  const refused = firstOf({
    accountNotFound: !twin.accounts.some(({ id }) => id === accountId),
    ...statusFaults(twin, command),
    ...faults,
    caseNotFound: faults.caseNotFound === true || (known !== undefined && known.accountId !== accountId),
  })
  if (refused || !known) return refused
  release(twin, known, { outcome: 'cancelled', at, events })
  return null
}

function release(
  twin: Twin,
  held: TwinCase,
  { outcome, at, events }: { outcome: 'cancelled' | 'rejected'; at: number; events: PlainEvent[] },
): void {
  const { id: caseId, accountId, amount } = held
  const back: PlainTransfer = {
    ...{ debit: frozenAccount(accountId), credit: userAccount(accountId), amount },
    ...{ kind: 'withdrawalReleased', orderId: null, caseId },
  }
  held.end = outcome
  move(twin, back, at)
  events.push({ type: 'withdrawalEnded', caseId, accountId, outcome, transfers: [back] })
}

/** Credited at what the operator confirms; much of it needs two of them. */
export function endDeposit(twin: Twin, command: EndDeposit, events: PlainEvent[]): Refused {
  const { caseId, outcome, amount, by, at } = command
  const isCredit = outcome === 'finished'
  const refused = firstOf({
    sameOperator: isTwice(by),
    ...caseFaults(twin, caseId, 'deposit'),
    amountInvalid: isCredit && !isAmount(amount),
    secondOperatorNeeded: isCredit && amount > twin.settings.fourEyesLimit && !areTwo(by),
  })
  const deposit = openCase(twin, caseId)
  if (refused || !deposit) return refused
  const { accountId } = deposit
  deposit.end = outcome
  const why = { house: 'deposits', kind: 'deposit', at, caseId } as const
  const transfers = isCredit ? settle(twin, { accountId, orderId: null }, amount, why) : []
  const credited = isCredit ? amount : 0n
  events.push({ type: 'depositEnded', caseId, accountId, outcome, amount: credited, transfers })
  return null
}

/** Paid: all but the fee leaves the house. Rejected: all of it comes back. */
export function endWithdrawal(twin: Twin, command: EndWithdrawal, events: PlainEvent[]): Refused {
  const { caseId, outcome, by, at } = command
  const held = openCase(twin, caseId)
  const isMuch = held !== undefined && held.amount > twin.settings.fourEyesLimit
  const refused = firstOf({
    sameOperator: isTwice(by),
    ...caseFaults(twin, caseId, 'withdrawal'),
    secondOperatorNeeded: outcome === 'paid' && isMuch && !areTwo(by),
  })
  if (refused || !held) return refused
  if (outcome === 'rejected') {
    release(twin, held, { outcome, at, events })
    return null
  }
  const { accountId, amount, fee } = held
  const leaves = (to: 'withdrawals' | 'fees', part: bigint): PlainTransfer => ({
    ...{ debit: frozenAccount(accountId), credit: `house:real:${to}` as const, amount: part },
    ...{ kind: to === 'fees' ? 'withdrawalFee' : 'withdrawalPaid', orderId: null, caseId },
  })
  const transfers = [leaves('withdrawals', amount - fee), ...(fee > 0n ? [leaves('fees', fee)] : [])]
  held.end = outcome
  for (const transfer of transfers) move(twin, transfer, at)
  events.push({ type: 'withdrawalEnded', caseId, accountId, outcome, transfers })
  return null
}

export function askAdjustment(twin: Twin, command: AskAdjustment, events: PlainEvent[]): Refused {
  const { accountId, amount, by, at } = command
  const refused = firstOf({
    sameOperator: isTwice(by),
    ...accountFaults(twin, accountId),
    amountInvalid: !isAmount(amount < 0n ? -amount : amount),
  })
  if (refused) return refused
  const caseId = begin(twin, { kind: 'adjustment', accountId, amount, fee: 0n, askedBy: by.id, openedAt: at })
  events.push({ type: 'adjustmentAsked', caseId, accountId, amount, askedBy: by.id })
  return null
}

/** Whoever asked does not approve much of it; what is taken must be there. */
export function endAdjustment(twin: Twin, command: EndAdjustment, events: PlainEvent[]): Refused {
  const { caseId, outcome, by, at } = command
  const asked = openCase(twin, caseId)
  const isApproved = outcome === 'approved' && asked?.kind === 'adjustment'
  const size = asked ? (asked.amount < 0n ? -asked.amount : asked.amount) : 0n
  const isTaken = isApproved && asked.amount < 0n
  const refused = firstOf({
    sameOperator:
      isTwice(by) || (isApproved && size > twin.settings.fourEyesLimit && by.id === asked.askedBy),
    ...caseFaults(twin, caseId, 'adjustment'),
    stalePrice: isTaken && !isPriced(twin, asked.accountId),
    notEnoughMoney: isTaken && size > withdrawableOf(twin, asked.accountId),
  })
  if (refused || !asked) return refused
  const { accountId, amount } = asked
  asked.end = outcome
  const why = { house: 'adjustments', kind: 'adjustment', at, caseId } as const
  const transfers = isApproved ? settle(twin, { accountId, orderId: null }, amount, why) : []
  events.push({ type: 'adjustmentEnded', caseId, accountId, outcome, transfers })
  return null
}

/** The user reads why; what he may not do any more is looked at with every command. */
export function setStatus(twin: Twin, command: SetAccountStatus, events: PlainEvent[]): Refused {
  const { accountId, status, by } = command
  const account = twin.accounts.find(({ id }) => id === accountId)
  const refused = firstOf({ sameOperator: isTwice(by), accountNotFound: !account })
  if (refused || !account) return refused
  const reason = status === 'active' ? '' : by.reason
  Object.assign(account, { status, statusReason: reason })
  events.push({ type: 'accountStatusSet', accountId, status, reason })
  return null
}
