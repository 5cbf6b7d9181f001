/**
 * Operators and what one operator cannot do alone (trading-rules §11), derived every time from the list of desk
 * events.
 */
import type {
  AdoptOperators,
  AnnounceRecovery,
  CallOffRecovery,
  JoinOperator,
  Operator,
  RejectionCode,
  SetOperator,
  UseRecovery,
} from '../../src/index.ts'
import type { PlainEvent } from '../plain-types.ts'
import { firstOf } from './refusals.ts'
import { balanceAt, frozenAccount, userAccount, type ReferenceModel } from './state.ts'

type Refused = RejectionCode | null
type Past<Type extends PlainEvent['type']> = Extract<PlainEvent, { type: Type }>

const DAY_MS = 24 * 60 * 60 * 1000
/** The limit where the settings name none. */
const OPERATOR_LIMIT = 100_000_000_000n

const pastOf = <Type extends PlainEvent['type']>(model: ReferenceModel, type: Type): Past<Type>[] =>
  model.past.flatMap(({ event }) => (event.type === type ? [event as Past<Type>] : []))

/** True once the two-operator rules apply. */
export const hasTwoOperatorRules = (model: ReferenceModel): boolean =>
  pastOf(model, 'operatorsAdopted').length > 0

/** Single-operator mode: until two supervising operators have joined. */
export const isSingleOperatorMode = (model: ReferenceModel): boolean =>
  hasTwoOperatorRules(model) && pastOf(model, 'singleOperatorEnded').length === 0

/** In single-operator mode one operator may pay withdrawals where real money existed before. */
export const maySingleOperatorPay = (model: ReferenceModel): boolean =>
  isSingleOperatorMode(model) && pastOf(model, 'operatorsAdopted').some(({ mayPayAlone }) => mayPayAlone)

export type ReferenceOperator = {
  readonly id: number
  readonly role: Operator['role']
  readonly isActive: boolean
  readonly hasJoined: boolean
}

export function operatorIn(model: ReferenceModel, id: number): ReferenceOperator | undefined {
  const last = pastOf(model, 'operatorSet').findLast(({ operatorId }) => operatorId === id)
  const hasJoined = pastOf(model, 'operatorJoined').some(({ operatorId }) => operatorId === id)
  return last && { id, role: last.role, isActive: last.isActive, hasJoined }
}

/** All operators ever known, oldest first. */
export const staffOf = (model: ReferenceModel): ReferenceOperator[] =>
  [...new Set(pastOf(model, 'operatorSet').map(({ operatorId }) => operatorId))].flatMap(
    (id) => operatorIn(model, id) ?? [],
  )

const isSupervising = (role: Operator['role']): boolean => role === 'compliance' || role === 'administrator'

const hasTwoSupervisors = (staff: readonly ReferenceOperator[]): boolean =>
  staff.filter(({ role, isActive, hasJoined }) => isSupervising(role) && isActive && hasJoined).length > 1

/** The two operators must differ, and both must be active in the role that they state. */
export function actorFault(model: ReferenceModel, { id, role, second }: Operator): Refused {
  const isStaff = (one: { id: number; role: Operator['role'] }) => {
    const known = operatorIn(model, one.id)
    return known?.isActive === true && known.hasJoined && known.role === one.role
  }
  const isEntitled = isStaff({ id, role }) && (second === null || isStaff(second))
  return firstOf({
    sameOperator: second?.id === id,
    operatorNotEntitled: hasTwoOperatorRules(model) && !isEntitled,
  })
}

type Counted = {
  readonly caseId: number
  readonly accountId: number
  readonly operatorId: number
  readonly destination: number | null
  readonly amount: bigint
  readonly at: number
}

/** Every money decision that counts towards the limits, once for each operator behind it. */
export const decisionsOf = (model: ReferenceModel): Counted[] =>
  model.past.flatMap(({ at, event }): Counted[] => {
    if (event.type === 'withdrawalApproved' || event.type === 'withdrawalPaying') {
      const { caseId, accountId, operatorId, destination, amount } = event
      return [{ caseId, accountId, operatorId, destination, amount, at }]
    }
    if (event.type !== 'depositEnded' && event.type !== 'adjustmentEnded') return []
    const { caseId, accountId, operators = [], transfers } = event
    const amount = transfers.map((each) => each.amount).reduce((sum, each) => sum + each, 0n)
    return operators.map((operatorId) => ({ caseId, accountId, operatorId, destination: null, amount, at }))
  })

export type CurrentCase = { readonly caseId: number; readonly accountId: number; readonly at: number }

/** Sums of the last 24 hours besides the current case, each case once: for its account, and for its operator. */
export function countedBeside(
  model: ReferenceModel,
  by: Operator,
  { caseId, accountId, at }: CurrentCase,
): { account: bigint; operator: bigint; isOlder: boolean } {
  const others = decisionsOf(model).filter((each) => each.caseId !== caseId)
  const young = others.filter((each) => at - each.at < DAY_MS)
  const sum = (counted: readonly Counted[]) =>
    [...new Map(counted.map((each) => [each.caseId, each.amount])).values()].reduce((a, b) => a + b, 0n)
  return {
    account: sum(young.filter((each) => each.accountId === accountId)),
    operator: sum(young.filter((each) => each.operatorId === by.id)),
    isOlder: others.some((each) => each.accountId === accountId && at - each.at >= DAY_MS),
  }
}

export const operatorLimit = ({ settings }: ReferenceModel): bigint =>
  settings.fourEyesOperatorLimit ?? OPERATOR_LIMIT

type Credit = CurrentCase & { readonly amount: bigint }

/** Whether a credit is above what its operator may decide alone: the limit of the account, or of the operator. */
export function isAboveOwnLimits(
  model: ReferenceModel,
  by: Operator,
  { amount, ...current }: Credit,
): boolean {
  const { account, operator } = countedBeside(model, by, current)
  return account + amount > model.settings.fourEyesLimit || operator + amount > operatorLimit(model)
}

/** The rare states of a credit that these limits decided. */
export function limitNotes(model: ReferenceModel, by: Operator, { amount, ...current }: Credit): string[] {
  const { fourEyesLimit } = model.settings
  const { account, isOlder } = countedBeside(model, by, current)
  const isAbove = isAboveOwnLimits(model, by, { amount, ...current })
  const isWithinAccount = account + amount <= fourEyesLimit
  return [
    ...(isAbove && amount <= fourEyesLimit ? ['credit refused for the sum of a day'] : []),
    ...(isAbove && isWithinAccount ? ['credit refused for the sum of an operator'] : []),
    ...(!isAbove && account + amount === fourEyesLimit ? ['credit exactly up to the limit'] : []),
    ...(!isAbove && isOlder ? ['credit after more than 24 hours'] : []),
  ]
}

export function adoptOperators(
  model: ReferenceModel,
  command: AdoptOperators,
  events: PlainEvent[],
): Refused {
  if (hasTwoOperatorRules(model)) return null
  const staff = command.operators.map(({ operatorId, ...each }) => ({ ...each, id: operatorId }))
  const isAlone = !hasTwoSupervisors(staff)
  const hasRealMoney = model.accounts.some(
    ({ id, ledger }) =>
      ledger === 'real' &&
      (balanceAt(model, userAccount(id)) > 0n || balanceAt(model, frozenAccount(id)) > 0n),
  )
  events.push({ type: 'operatorsAdopted', mayPayAlone: isAlone && hasRealMoney })
  for (const { id, role, isActive, hasJoined } of staff) {
    events.push({ type: 'operatorSet', operatorId: id, role, isActive })
    if (hasJoined) events.push({ type: 'operatorJoined', operatorId: id })
  }
  if (!isAlone) events.push({ type: 'singleOperatorEnded' })
  return null
}

/** Needs two operators, except to disable somebody and in single-operator mode. */
export function setOperator(model: ReferenceModel, command: SetOperator, events: PlainEvent[]): Refused {
  const { operatorId, role, isActive, by, hasJoined = false } = command
  const before = operatorIn(model, operatorId)
  const isDisabling = before?.role === role && !isActive
  if (by.type === 'operator' && !isSingleOperatorMode(model) && !isDisabling) {
    const refused = firstOf({
      sameOperator: by.second?.id === operatorId,
      operatorNotEntitled: by.second !== null && !isSupervising(by.second.role),
      secondOperatorNeeded: by.second === null,
    })
    if (refused) return refused
  }
  if (before?.role === role && before.isActive === isActive) return null
  events.push({ type: 'operatorSet', operatorId, role, isActive })
  const isJoining = by.type === 'deployment' && hasJoined && before?.hasJoined !== true
  if (isJoining) events.push({ type: 'operatorJoined', operatorId })
  for (const each of before ? model.cases : []) {
    const { id: caseId, kind, accountId, end, askedBy } = each
    if (end !== null) continue
    const { status, approvedBy } = progressOf(model, caseId)
    if (kind === 'withdrawal' && status === 'approved' && approvedBy === operatorId)
      events.push({ type: 'withdrawalApprovalVoided', caseId, accountId })
    if (kind !== 'adjustment' || askedBy !== operatorId) continue
    each.end = 'refused'
    events.push({ type: 'adjustmentEnded', caseId, accountId, outcome: 'refused', transfers: [] })
  }
  const now = { id: operatorId, role, isActive, hasJoined: isJoining || before?.hasJoined === true }
  endSingleOperatorMode(model, now, events)
  return null
}

export function joinOperator(model: ReferenceModel, { by }: JoinOperator, events: PlainEvent[]): Refused {
  const known = operatorIn(model, by.id)
  if (!known?.isActive || known.role !== by.role) return 'operatorNotEntitled'
  if (known.hasJoined) return null
  events.push({ type: 'operatorJoined', operatorId: by.id })
  endSingleOperatorMode(model, { ...known, hasJoined: true }, events)
  return null
}

/** The recovery in force, by the last of the three events. */
export function recoveryIn(model: ReferenceModel): Past<'recoveryAnnounced'> | null {
  const last = model.past.findLast(({ event }) => event.type.startsWith('recovery'))
  return last?.event.type === 'recoveryAnnounced' ? last.event : null
}

export function announceRecovery(
  model: ReferenceModel,
  { at, operatorId, name, role, reason, digest }: AnnounceRecovery,
  events: PlainEvent[],
): Refused {
  const known = operatorId === null ? undefined : operatorIn(model, operatorId)
  if (!hasTwoOperatorRules(model) || (operatorId !== null && !known)) return 'operatorNotEntitled'
  const own = known?.role ?? role
  const effectiveAt = at + 3 * DAY_MS
  events.push({ type: 'recoveryAnnounced', operatorId, name, role: own, effectiveAt, reason, digest })
  return null
}

export function callOffRecovery(
  model: ReferenceModel,
  { at }: CallOffRecovery,
  events: PlainEvent[],
): Refused {
  const recovery = recoveryIn(model)
  if (!recovery || recovery.effectiveAt <= at) return 'recoveryNotOpen'
  events.push({ type: 'recoveryCalledOff' })
  return null
}

/** An operator joins by a recovery: possible in the three days after its notice of three days. */
export function joinByRecovery(
  model: ReferenceModel,
  { at, operatorId }: UseRecovery,
  events: PlainEvent[],
): Refused {
  const recovery = recoveryIn(model)
  const known = operatorIn(model, operatorId)
  const waited = recovery ? at - recovery.effectiveAt : -1
  const isFor = recovery?.operatorId === null ? !known : recovery?.operatorId === operatorId
  if (!recovery || !isFor || waited < 0 || waited >= 3 * DAY_MS) return 'recoveryNotOpen'
  const { role } = known ?? recovery
  events.push({ type: 'recoveryUsed', operatorId })
  if (known?.isActive !== true) events.push({ type: 'operatorSet', operatorId, role, isActive: true })
  if (known?.hasJoined !== true) events.push({ type: 'operatorJoined', operatorId })
  endSingleOperatorMode(model, { id: operatorId, role, isActive: true, hasJoined: true }, events)
  return null
}

/** Single-operator mode ends once, with the second supervising operator. */
function endSingleOperatorMode(
  model: ReferenceModel,
  changed: ReferenceOperator,
  events: PlainEvent[],
): void {
  const others = staffOf(model).filter(({ id }) => id !== changed.id)
  if (isSingleOperatorMode(model) && hasTwoSupervisors([...others, changed]))
    events.push({ type: 'singleOperatorEnded' })
}

export type Progress = {
  readonly status: 'held' | 'approved' | 'paying'
  readonly approvedBy: number | null
}

/** The status of a withdrawal. */
export function progressOf(model: ReferenceModel, caseId: number): Progress {
  let progress: Progress = { status: 'held', approvedBy: null }
  for (const { event } of model.past) {
    if (!('caseId' in event) || event.caseId !== caseId) continue
    if (event.type === 'withdrawalApproved') progress = { status: 'approved', approvedBy: event.operatorId }
    if (event.type === 'withdrawalApprovalVoided') progress = { status: 'held', approvedBy: null }
    if (event.type === 'withdrawalPaying') progress = { ...progress, status: 'paying' }
  }
  return progress
}
