/** Recognises rare states in what operators do: terms, statuses, money cases. */
import type { Observation } from './observation.ts'
import type { PlainEvent } from './plain.ts'
import { balanceAt, frozenAccount, type ReferenceModel } from './reference/state.ts'
import type { ReferenceDone } from './reference/reference-model.ts'

export function observeCases(observation: Observation, { events, due }: ReferenceDone): void {
  for (const event of events) {
    observeCase(observation, event)
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

function observeCase({ counts, model }: Observation, event: PlainEvent): void {
  switch (event.type) {
    case 'depositOpened':
      return counts.hit('deposit opened')
    case 'depositEnded':
      counts.hit(
        'deposit finished at another amount',
        event.outcome === 'finished' && event.amount !== caseOf(model, event.caseId)?.amount,
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
      return counts.hit('adjustment asked')
    case 'adjustmentEnded':
      counts.hit(
        'adjustment takes money',
        event.transfers.some(({ debit }) => debit.startsWith('available')),
      )
      return counts.hit(`adjustment ${event.outcome}`)
    default:
  }
}

const caseOf = (model: ReferenceModel, caseId: number) => model.cases.find(({ id }) => id === caseId)

/** Whether positions of its owner were stopped out while the money of a withdrawal lay frozen. */
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
    counts.hit('announced change taken back', command.type === 'withdrawTerms')
    counts.hit(
      'terms took effect in the moment of a night',
      event.type === 'termsTookEffect' &&
        model.lastNight === model.lastMark &&
        model.lastNight === command.at,
    )
    return
  }
  if (event.type !== 'termsSet') return
  counts.hit(`terms set: ${event.change.kind}`)
  if (event.change.kind !== 'instrument' || event.effectiveAt > command.at) return
  const { id, isEnabled } = event.change.instrument
  const pending = model.living.filter(
    ({ status, instrumentId }) => status === 'pending' && instrumentId === id,
  )
  counts.hit('instrument switched off with pendings living', !isEnabled && pending.length > 0)
  counts.hit(
    'instrument in force with orders living',
    model.living.some(({ instrumentId }) => instrumentId === id),
  )
}

/** What the market does to accounts that may do nothing themselves, and to those whose money lies frozen. */
function observeRestricted({ counts, model }: Observation, event: PlainEvent): void {
  if (event.type === 'accountStatusSet') {
    const isWaiting = ({ status, accountId }: ReferenceModel['living'][number]) =>
      status === 'pending' && accountId === event.accountId
    counts.hit(`account ${event.status}`)
    counts.hit(
      'account restricted with pendings living',
      event.status !== 'active' && model.living.some(isWaiting),
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
  counts.hit('stop-out while money is frozen', isFrozen && reason === 'stopOut')
  counts.hit(
    'protection while money is frozen',
    isFrozen && transfers.some(({ kind }) => kind === 'protection'),
  )
  const instrument = model.instruments.find(({ id }) => id === instrumentIdOf(model, event.orderId))
  counts.hit('position closed on an instrument that is off', instrument?.isEnabled === false)
}

const instrumentIdOf = (model: ReferenceModel, orderId: number): number | undefined =>
  [...model.living, ...model.ended.slice(-40)].find((order) => order.orderId === orderId)?.instrumentId
