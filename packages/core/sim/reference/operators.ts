/** Dispatches operators' commands in the reference model. */
import type { CloseByOperator, OperatorCommand, RejectionCode } from '../../src/index.ts'
import type { PlainEvent } from '../plain-types.ts'
import { close } from './deals.ts'
import { checkOperatorsClose } from './order-validation.ts'
import { setStatus } from './accounts.ts'
import { endAdjustment, requestAdjustment } from './adjustments.ts'
import { endDeposit } from './deposits.ts'
import { approveWithdrawal, endWithdrawal, startPayment } from './withdrawals.ts'
import { halt, setMode } from './halts.ts'
import {
  actorFault,
  adoptOperators,
  announceRecovery,
  callOffRecovery,
  joinByRecovery,
  joinOperator,
  setOperator,
} from './operator-rules.ts'
import type { ReferenceModel } from './state.ts'
import { changeTerms, withdrawTerms } from './terms.ts'

export function executeForOperator(
  model: ReferenceModel,
  command: OperatorCommand,
  events: PlainEvent[],
): RejectionCode | null {
  const { by } = command
  // Invited operators become entitled by joining.
  const refused = by.type === 'operator' && command.type !== 'joinOperator' ? actorFault(model, by) : null
  if (refused) return refused
  switch (command.type) {
    case 'haltInstrument':
      return halt(model, command, events)
    case 'setTradingMode':
      return setMode(model, command, events)
    case 'admitReference':
    case 'setRules':
      // The current rules are in force from the beginning.
      return 'termsFixed'
    case 'setTerms':
      return changeTerms(model, command, events)
    case 'adoptTerms':
      // The journal begins with terms of its own.
      return 'termsFixed'
    case 'withdrawTerms':
      return withdrawTerms(model, command, events)
    case 'endDeposit':
      return endDeposit(model, command, events)
    case 'endWithdrawal':
      return endWithdrawal(model, command, events)
    case 'askAdjustment':
      return requestAdjustment(model, command, events)
    case 'endAdjustment':
      return endAdjustment(model, command, events)
    case 'setAccountStatus':
      return setStatus(model, command, events)
    case 'closeByOperator':
      return closeForOwner(model, command, events)
    case 'approveWithdrawal':
      return approveWithdrawal(model, command, events)
    case 'startPayment':
      return startPayment(model, command, events)
    case 'setOperator':
      return setOperator(model, command, events)
    case 'joinOperator':
      return joinOperator(model, command, events)
    case 'announceRecovery':
      return announceRecovery(model, command, events)
    case 'callOffRecovery':
      return callOffRecovery(model, command, events)
    case 'useRecovery':
      return joinByRecovery(model, command, events)
    case 'adoptOperators':
      return adoptOperators(model, command, events)
    case 'adoptPayoutMethods':
      for (const method of command.methods) events.push({ type: 'payoutMethodBound', ...method })
      return null
  }
}

/** As if its owner closed it; only the author and the receipt's ground differ. */
function closeForOwner(
  model: ReferenceModel,
  command: CloseByOperator,
  events: PlainEvent[],
): RejectionCode | null {
  if (command.by.second?.id === command.by.id) return 'sameOperator'
  const checked = checkOperatorsClose(model, command)
  if (checked.refused !== null) return checked.refused
  const { at, ground } = command
  close(model, checked.found, {
    reason: 'operator',
    trigger: 'operator',
    at,
    events,
    ...(ground && { ground }),
  })
  return null
}
