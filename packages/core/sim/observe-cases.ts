/** Recognises rare states in what operators do: terms, account statuses, money cases. */
import type { RejectionCode } from '../src/index.ts'
import type { Observation } from './observation.ts'
import type { PlainEvent } from './plain-types.ts'
import { balanceAt, frozenAccount, type ReferenceModel } from './reference/state.ts'
import { actorFault, isSingleOperatorMode } from './reference/operator-rules.ts'
import type { ReferenceDone } from './reference/reference-model.ts'

export function observeCases(observation: Observation, { events, due }: ReferenceDone): void {
  for (const event of events) {
    observeCase(observation, event)
    observeOperators(observation, event, events)
    observeTerms(observation, event)
    observeRestricted(observation, event)
  }
  const settled = events.slice(0, due).some(isWithdrawn)
  observation.counts.hit(
    'pending withdrawn before a command',
    settled && observation.command.type !== 'clock',
  )
  const isTick = observation.command.type === 'tick'
  observation.counts.hit(
    'pending withdrawn when its price is reached',
    isTick && events.slice(due).some(isWithdrawn),
  )
}

const isWithdrawn = (event: PlainEvent): boolean =>
  event.type === 'orderCancelled' && event.reason === 'withdrawnByOperator'

function observeCase({ counts, model, command }: Observation, event: PlainEvent): void {
  switch (event.type) {
    case 'depositOpened':
      return counts.hit('deposit opened')
    case 'depositEnded':
      counts.hit(
        'deposit credited with another amount',
        event.outcome === 'finished' &&
          !event.arrived &&
          event.amount !== caseOf(model, event.caseId)?.amount,
      )
      return counts.hit(`deposit ${event.outcome}`)
    case 'withdrawalHeld':
      return counts.hit('withdrawal held')
    case 'withdrawalEnded':
      counts.hit(
        'withdrawal paid with a fee',
        event.transfers.some(({ kind }) => kind === 'withdrawalFee'),
      )
      counts.hit(`withdrawal ${event.outcome} after a stop-out`, wasStoppedOutSince(model, event))
      return counts.hit(`withdrawal ${event.outcome}`)
    case 'adjustmentAsked':
      return counts.hit('adjustment requested')
    case 'adjustmentEnded':
      counts.hit(
        'adjustment takes money',
        event.transfers.some(({ debit }) => debit.startsWith('available')),
      )
      counts.hit('adjustment voided with its requester', command.type === 'setOperator')
      return counts.hit(`adjustment ${event.outcome}`)
    default:
  }
}

function observeOperators(
  { counts, model, command }: Observation,
  event: PlainEvent,
  events: readonly PlainEvent[],
): void {
  switch (event.type) {
    case 'operatorsAdopted':
      counts.hit(
        'operators adopted in single-operator mode',
        events.every(({ type }) => type !== 'singleOperatorEnded'),
      )
      counts.hit('operators adopted with existing real money', event.mayPayAlone)
      return counts.hit('operators adopted')
    case 'operatorSet':
      if (command.type !== 'setOperator') return
      counts.hit('operator set by the deployment', command.by.type === 'deployment')
      counts.hit(
        'operator disabled by one operator',
        !event.isActive &&
          !isSingleOperatorMode(model) &&
          command.by.type === 'operator' &&
          command.by.second === null,
      )
      return counts.hit('operator set')
    case 'operatorJoined':
      return counts.hit('operator joined', command.type === 'joinOperator')
    case 'recoveryAnnounced':
      return counts.hit('recovery announced', event.operatorId === null)
    case 'recoveryCalledOff':
      return counts.hit('recovery called off')
    case 'recoveryUsed':
      return counts.hit('recovery used')
    case 'singleOperatorEnded':
      return counts.hit('single-operator mode ended', command.type !== 'adoptOperators')
    case 'withdrawalHeld':
      return counts.hit('withdrawal to a destination', event.payout !== undefined)
    case 'withdrawalApproved':
      return counts.hit('withdrawal approved')
    case 'withdrawalApprovalVoided':
      return counts.hit('withdrawal approval voided')
    case 'withdrawalPaying':
      counts.hit('withdrawal paid in one step', command.type === 'endWithdrawal')
      return counts.hit('withdrawal paying', command.type === 'startPayment')
    case 'withdrawalEnded':
      return counts.hit(
        'protection repaid',
        event.transfers.some(({ kind }) => kind === 'protectionRepaid'),
      )
    case 'payoutMethodBound':
      return counts.hit('payout method bound')
    case 'payoutMethodRemoved':
      return counts.hit('payout method removed')
    default:
  }
}

const RATE_REFUSALS: readonly RejectionCode[] = ['rateUnknown', 'rateStale', 'rateInvalid', 'arrivalInvalid']

/** Rejections by the two-operator rules and by the rates of deposits. */
export function observeOperatorRefusal({ counts, model, command }: Observation, code: RejectionCode): void {
  const { type } = command
  if (RATE_REFUSALS.includes(code)) counts.hit(`deposit refused: ${code}`)
  const isPaying = type === 'startPayment' || type === 'endWithdrawal'
  const isOfMoney = isPaying || ['endDeposit', 'approveWithdrawal', 'endAdjustment'].includes(type)
  counts.hit(
    'refused in single-operator mode',
    isSingleOperatorMode(model) && isOfMoney && code === 'secondOperatorNeeded',
  )
  counts.hit('withdrawal cancelled too late', type === 'cancelWithdrawal' && code === 'withdrawalApproved')
  const isOther = 'by' in command && command.by.type === 'operator' && command.by.second?.id !== command.by.id
  counts.hit('payment by its approver refused', isPaying && isOther && code === 'sameOperator')
  counts.hit(
    'approval of an own adjustment refused',
    type === 'endAdjustment' && isOther && code === 'sameOperator',
  )
  counts.hit(
    'adjustment requested by a disabled operator',
    type === 'endAdjustment' && code === 'operatorNotEntitled' && actorFault(model, command.by) === null,
  )
}

const caseOf = (model: ReferenceModel, caseId: number) => model.cases.find(({ id }) => id === caseId)

/** Whether positions of the account were stopped out while the money of a withdrawal was frozen. */
function wasStoppedOutSince(
  { rows, ended }: ReferenceModel,
  { accountId, caseId }: { readonly accountId: number; readonly caseId: number },
): boolean {
  const stopped = new Set(
    ended
      .filter((order) => order.accountId === accountId && order.reason === 'stopOut')
      .map(({ orderId }) => orderId),
  )
  const heldAt = rows.findLastIndex((row) => row.caseId === caseId && row.kind === 'withdrawalHeld')
  return (
    stopped.size > 0 && rows.slice(heldAt).some(({ orderId }) => orderId !== null && stopped.has(orderId))
  )
}

function observeTerms({ counts, model, command }: Observation, event: PlainEvent): void {
  if (event.type === 'termsTookEffect' || event.type === 'termsWithdrawn') {
    counts.hit('announced change withdrawn', command.type === 'withdrawTerms')
    counts.hit(
      'terms took effect at a rollover',
      event.type === 'termsTookEffect' &&
        model.lastRollover === model.lastPriceSnapshot &&
        model.lastRollover === command.at,
    )
    return
  }
  if (event.type !== 'termsSet') return
  counts.hit(`terms set: ${event.change.kind}`)
  if (event.change.kind !== 'instrument' || event.effectiveAt > command.at) return
  const { id, isEnabled } = event.change.instrument
  const pending = model.active.filter(
    ({ status, instrumentId }) => status === 'pending' && instrumentId === id,
  )
  counts.hit('instrument disabled with pending orders', !isEnabled && pending.length > 0)
  counts.hit(
    'instrument changed with active orders',
    model.active.some(({ instrumentId }) => instrumentId === id),
  )
}

/** What the market does to restricted accounts, and to those with frozen money. */
function observeRestricted({ counts, model }: Observation, event: PlainEvent): void {
  if (event.type === 'accountStatusSet') {
    const isWaiting = ({ status, accountId }: ReferenceModel['active'][number]) =>
      status === 'pending' && accountId === event.accountId
    counts.hit(`account ${event.status}`)
    counts.hit(
      'account restricted with pending orders',
      event.status !== 'active' && model.active.some(isWaiting),
    )
  }
  counts.hit('account closed', event.type === 'accountClosed')
  if (event.type !== 'positionClosed' && event.type !== 'positionReduced') return
  const { accountId, reason, transfers } = event
  const status = model.accounts.find(({ id }) => id === accountId)?.status
  const isStop = reason === 'stopLoss' || reason === 'takeProfit'
  const isFrozen = balanceAt(model, frozenAccount(accountId)) > 0n
  counts.hit('stop or take profit of a frozen account', status === 'frozen' && isStop)
  counts.hit('stop-out of a frozen account', status === 'frozen' && reason === 'stopOut')
  counts.hit(
    'position of a frozen account closed by an operator',
    status === 'frozen' && reason === 'operator',
  )
  counts.hit('closed by a close-only user', status === 'closeOnly' && reason === 'user')
  counts.hit('closed by a frozen user', status === 'frozen' && reason === 'user')
  counts.hit('stop-out while money is frozen', isFrozen && reason === 'stopOut')
  counts.hit(
    'protection while money is frozen',
    isFrozen && transfers.some(({ kind }) => kind === 'protection'),
  )
  const instrument = model.instruments.find(({ id }) => id === instrumentIdOf(model, event.orderId))
  counts.hit('position closed on a disabled instrument', instrument?.isEnabled === false)
}

const instrumentIdOf = (model: ReferenceModel, orderId: number): number | undefined =>
  [...model.active, ...model.ended.slice(-40)].find((order) => order.orderId === orderId)?.instrumentId
