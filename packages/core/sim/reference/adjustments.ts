/** Adjustments in the reference model: one operator requests, another approves (trading-rules §11). */
import type { EndAdjustment, RequestAdjustment } from '../../src/index.ts'
import type { PlainEvent } from '../plain-types.ts'
import { accountFaults, addCase, caseFaults, findOpenCase, isValidAmount, type Refused } from './cases.ts'
import { bookTransfer } from './deals.ts'
import { hasTwoOperatorRules, isSingleOperatorMode, operatorIn } from './operator-rules.ts'
import { firstOf } from './refusals.ts'
import type { ReferenceModel } from './state.ts'
import { coverFaults } from './withdrawable.ts'

export function requestAdjustment(
  model: ReferenceModel,
  command: RequestAdjustment,
  events: PlainEvent[],
): Refused {
  const { accountId, amount, by, at } = command
  const refused = firstOf({
    ...accountFaults(model, accountId),
    accountClosed: model.accounts.some(({ id, status }) => id === accountId && status === 'closed'),
    amountInvalid: !isValidAmount(amount < 0n ? -amount : amount),
  })
  if (refused) return refused
  const caseId = addCase(model, {
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

/** The requester cannot approve a large adjustment; a debit must be covered. */
export function endAdjustment(model: ReferenceModel, command: EndAdjustment, events: PlainEvent[]): Refused {
  const { caseId, outcome, by, at } = command
  const requested = findOpenCase(model, caseId)
  const isApproved = outcome === 'approved' && requested?.kind === 'adjustment'
  const size = requested ? (requested.amount < 0n ? -requested.amount : requested.amount) : 0n
  const isDebit = isApproved && requested.amount < 0n
  const isSelfApproval = isApproved && by.id === requested.askedBy
  const refused =
    firstOf(caseFaults(model, caseId, 'adjustment')) ??
    firstOf({ secondOperatorNeeded: isApproved && isSingleOperatorMode(model) }) ??
    firstOf({
      sameOperator: isSelfApproval && (hasTwoOperatorRules(model) || size > model.settings.fourEyesLimit),
      operatorNotEntitled:
        isApproved && hasTwoOperatorRules(model) && operatorIn(model, requested.askedBy)?.isActive !== true,
    }) ??
    firstOf(isDebit ? coverFaults(model, requested.accountId, size, at) : {})
  if (refused || !requested) return refused
  const { accountId, amount } = requested
  requested.end = outcome
  const posting = { brokerAccount: 'adjustments', kind: 'adjustment', at, caseId } as const
  const transfers = isApproved ? bookTransfer(model, { accountId, orderId: null }, amount, posting) : []
  const ended = { caseId, accountId, outcome, transfers }
  const operators = [requested.askedBy, by.id]
  events.push({
    type: 'adjustmentEnded',
    ...ended,
    ...(isApproved && hasTwoOperatorRules(model) && { operators }),
  })
  return null
}
