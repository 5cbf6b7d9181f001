/** Operators, and what one operator cannot do alone (trading-rules §11). */
import type { Operator, OperatorRole, OperatorStanding } from '../model/author.ts'
import { isConfirmed } from '../model/author.ts'
import type {
  AdoptOperators,
  AnnounceRecovery,
  CallOffRecovery,
  JoinOperator,
  SetOperator,
  UseRecovery,
} from '../model/command.ts'
import type { AdjustmentEnded, Event, RecoveryAnnounced, WithdrawalApprovalVoided } from '../model/event.ts'
import { absolute, money } from '../model/number.ts'
import type { MoneyDecision } from '../model/money-case.ts'
import { SUM_WINDOW_MS } from './evolve-operators.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import type { State } from '../state/state.ts'

/** Roles that must confirm a change of operators, of limits or of the market's reference price. */
export const SUPERVISING_ROLES: readonly OperatorRole[] = ['compliance', 'administrator']

/** The 24-hour limit of one operator's credits and payouts, for older settings without one. */
export const DEFAULT_OPERATOR_LIMIT = money(100_000_000_000n)

type Standing = Pick<State, 'hasOperators' | 'operators'>

/** True when the two-operator rules are in force. */
export const hasOperatorRules = ({ hasOperators }: Pick<State, 'hasOperators'>): boolean => hasOperators

/** Whether an operator is active in the role that they act in. */
export function isInRole({ operators }: Standing, { id, role }: { id: number; role: OperatorRole }): boolean {
  const standing = operators.get(id)
  return standing !== undefined && standing.isActive && standing.hasJoined && standing.role === role
}

/** Rejects a second operator who is the first one, and operators who are disabled or have another role by now. */
export function checkOperator(state: Standing, by: Operator): Rejection | null {
  if (by.second !== null && !isConfirmed(by)) return reject('sameOperator')
  if (!hasOperatorRules(state)) return null
  const areEntitled = isInRole(state, by) && (by.second === null || isInRole(state, by.second))
  return areEntitled ? null : reject('operatorNotEntitled')
}

/** Rejects an action of only one operator where two are needed, and any such action in single-operator mode. */
export function checkTwoOperators(
  state: Pick<State, 'hasOperators' | 'hasSecondOperator'>,
  by: Operator,
): Rejection | null {
  if (!hasOperatorRules(state)) return null
  return state.hasSecondOperator && isConfirmed(by) ? null : reject('secondOperatorNeeded')
}

/** Rejects money movements in single-operator mode. */
export const checkNotSingleOperator = (
  state: Pick<State, 'hasOperators' | 'hasSecondOperator'>,
): Rejection | null =>
  hasOperatorRules(state) && !state.hasSecondOperator ? reject('secondOperatorNeeded') : null

type ProposedCredit = Omit<MoneyDecision, 'operatorId'>

/**
 * Rejects a credit by one operator above the limits of the account and of the operator, each summed over the last 24
 * hours including this case. Exactly the limit is allowed. Nothing is ever subtracted. Only payouts have a
 * destination, and two operators decide each of them, whatever the sum.
 */
export function checkCreditLimits(
  { settings, recentCreditsAndPayouts }: Pick<State, 'settings' | 'recentCreditsAndPayouts'>,
  by: Operator,
  proposed: ProposedCredit,
): Rejection | null {
  if (isConfirmed(by)) return null
  const { fourEyesLimit, fourEyesOperatorLimit = DEFAULT_OPERATOR_LIMIT } = settings
  const sum = (isCounted: (decision: MoneyDecision) => boolean): bigint => {
    const byCase = new Map<number, bigint>([[proposed.caseId, absolute(proposed.amount)]])
    for (const decision of recentCreditsAndPayouts) {
      if (decision.at <= proposed.at - SUM_WINDOW_MS || !isCounted(decision)) continue
      const counted = byCase.get(decision.caseId) ?? 0n
      if (decision.amount > counted) byCase.set(decision.caseId, decision.amount)
    }
    return [...byCase.values()].reduce((total, amount) => total + amount, 0n)
  }
  if (sum((each) => each.accountId === proposed.accountId) > fourEyesLimit)
    return reject('secondOperatorNeeded', { limit: fourEyesLimit })
  return sum((each) => each.operatorId === by.id) > fourEyesOperatorLimit
    ? reject('secondOperatorNeeded', { limit: fourEyesOperatorLimit })
    : null
}

/** Puts the two-operator rules in force, with the current operators. No event where they are in force already. */
export function decideAdoptOperators(state: State, { operators }: AdoptOperators): Event[] {
  if (hasOperatorRules(state)) return []
  const isAlone = !isSupervised(operators)
  return [
    { type: 'operatorsAdopted', mayPayAlone: isAlone && holdsRealMoney(state) },
    ...operators.flatMap(({ operatorId, role, isActive, hasJoined }): Event[] => [
      { type: 'operatorSet', operatorId, role, isActive },
      ...(hasJoined ? [{ type: 'operatorJoined' as const, operatorId }] : []),
    ]),
    ...(isAlone ? [] : [{ type: 'singleOperatorEnded' as const }]),
  ]
}

/** Whether at least two active operators with a supervising role have joined. */
const isSupervised = (operators: readonly OperatorStanding[]): boolean =>
  operators.filter(
    ({ role, isActive, hasJoined }) => isActive && hasJoined && SUPERVISING_ROLES.includes(role),
  ).length >= 2

function holdsRealMoney({ accounts }: Pick<State, 'accounts'>): boolean {
  for (const { ledger, available, frozen } of accounts.values())
    if (ledger === 'real' && (available.balance > 0n || frozen.balance > 0n)) return true
  return false
}

/**
 * Invites an operator, changes a role, or enables or disables an operator. Needs two operators, the second with a
 * supervising role and never the one concerned; one alone may disable, and in single-operator mode do everything.
 * Approvals and requests of an operator who loses the role are void for good.
 */
export function decideSetOperator(state: State, command: SetOperator): Event[] | Rejection {
  const { operatorId, role, isActive, by } = command
  const before = state.operators.get(operatorId)
  const isSwitchingOff = before !== undefined && before.role === role && !isActive
  if (by.type === 'operator' && state.hasSecondOperator && !isSwitchingOff) {
    if (by.second === null) return reject('secondOperatorNeeded')
    if (by.second.id === operatorId) return reject('sameOperator')
    if (!SUPERVISING_ROLES.includes(by.second.role)) return reject('operatorNotEntitled')
  }
  if (before?.role === role && before.isActive === isActive) return []
  const isJoining = by.type === 'deployment' && command.hasJoined === true && !before?.hasJoined
  const hasJoined = isJoining || (before?.hasJoined ?? false)
  return [
    { type: 'operatorSet', operatorId, role, isActive },
    ...(isJoining ? [{ type: 'operatorJoined' as const, operatorId }] : []),
    ...(before ? voidDecisions(state, operatorId) : []),
    ...endOfSingleOperator(state, operatorId, { role, isActive, hasJoined }),
  ]
}

/**
 * A withdrawal that they approved and that is not being paid needs a new approval; an adjustment that they requested
 * is rejected.
 */
const voidDecisions = (
  { cases }: Pick<State, 'cases'>,
  operatorId: number,
): (WithdrawalApprovalVoided | AdjustmentEnded)[] =>
  [...cases.values()].flatMap((each): (WithdrawalApprovalVoided | AdjustmentEnded)[] => {
    const { id: caseId, accountId } = each
    if (each.kind === 'withdrawal' && each.status === 'approved' && each.approvedBy === operatorId)
      return [{ type: 'withdrawalApprovalVoided', caseId, accountId }]
    if (each.kind === 'adjustment' && each.askedBy === operatorId)
      return [{ type: 'adjustmentEnded', caseId, accountId, outcome: 'refused', transfers: [] }]
    return []
  })

/**
 * Single-operator mode ends with the second supervising operator and does not return: with fewer than two active
 * ones, cases wait.
 */
function endOfSingleOperator(
  { operators, hasSecondOperator }: Pick<State, 'operators' | 'hasSecondOperator'>,
  operatorId: number,
  standing: OperatorStanding,
): Event[] {
  const all = new Map(operators).set(operatorId, standing)
  return !hasSecondOperator && isSupervised([...all.values()]) ? [{ type: 'singleOperatorEnded' }] : []
}

/** An invited operator has set a password, and counts from now on. */
export function decideJoinOperator(state: State, { by }: JoinOperator): Event[] | Rejection {
  const standing = state.operators.get(by.id)
  if (!standing?.isActive || standing.role !== by.role) return reject('operatorNotEntitled')
  if (standing.hasJoined) return []
  return [
    { type: 'operatorJoined', operatorId: by.id },
    ...endOfSingleOperator(state, by.id, { ...standing, hasJoined: true }),
  ]
}

/** The notice of a recovery before it can be used, and the time for which it can then be used, ms. */
export const RECOVERY_NOTICE_MS = 72 * 3_600_000

/**
 * Without two operators who can log in, nothing can be decided at the desk. The party that runs the server then
 * announces a log-in for an operator: the author is the deployment, and the notice is long enough for other operators
 * to call it off. A newer recovery replaces an older one.
 */
export function decideAnnounceRecovery(state: State, command: AnnounceRecovery): Event[] | Rejection {
  const { at, operatorId, name, role, reason, digest } = command
  const known = operatorId === null ? null : state.operators.get(operatorId)
  if (!hasOperatorRules(state) || known === undefined) return reject('operatorNotEntitled')
  return [
    {
      type: 'recoveryAnnounced',
      operatorId,
      name,
      // A recovery does not change a role.
      role: known?.role ?? role,
      effectiveAt: at + RECOVERY_NOTICE_MS,
      reason,
      digest,
    },
  ]
}

/** Any operator may call it off until it takes effect; after that they may disable the operator who joined by it. */
export const decideCallOffRecovery = (
  { recovery }: Pick<State, 'recovery'>,
  { at }: CallOffRecovery,
): Event[] | Rejection =>
  recovery !== null && at < recovery.effectiveAt ? [{ type: 'recoveryCalledOff' }] : reject('recoveryNotOpen')

/** Whether a recovery can be used now. `at`: epoch ms on the engine's clock. */
export const isRecoveryOpen = (
  { effectiveAt }: Pick<RecoveryAnnounced, 'effectiveAt'>,
  at: number,
): boolean => at >= effectiveAt && at < effectiveAt + RECOVERY_NOTICE_MS

/** Enables the operator it was announced for, or a new one, who then has joined. */
export function decideUseRecovery(state: State, { at, operatorId }: UseRecovery): Event[] | Rejection {
  const { recovery, operators } = state
  const isForOperator =
    recovery?.operatorId === null ? !operators.has(operatorId) : recovery?.operatorId === operatorId
  if (!recovery || !isForOperator || !isRecoveryOpen(recovery, at)) return reject('recoveryNotOpen')
  const before = operators.get(operatorId)
  const role = before?.role ?? recovery.role
  return [
    { type: 'recoveryUsed', operatorId },
    ...(before?.isActive ? [] : [{ type: 'operatorSet' as const, operatorId, role, isActive: true }]),
    ...(before?.hasJoined ? [] : [{ type: 'operatorJoined' as const, operatorId }]),
    ...endOfSingleOperator(state, operatorId, { role, isActive: true, hasJoined: true }),
  ]
}
