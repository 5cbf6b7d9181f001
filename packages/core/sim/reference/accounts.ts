/** Account statuses in the reference model: restrictions, freezes that lapse, closing (trading-rules §11). */
import type { CloseAccount, RejectionCode, SetAccountStatus } from '../../src/index.ts'
import type { PlainEvent } from '../plain-types.ts'
import { removeAlertsOf } from './alerts.ts'
import { firstOf, statusFaults } from './refusals.ts'
import {
  balanceAt,
  isHeld,
  ordersOf,
  userAccount,
  type ReferenceAccount,
  type ReferenceModel,
} from './state.ts'

type Refused = RejectionCode | null

/** The reason is shown to the user; the status is checked with every later command. */
export function setStatus(model: ReferenceModel, command: SetAccountStatus, events: PlainEvent[]): Refused {
  const { accountId, status, by } = command
  const account = model.accounts.find(({ id }) => id === accountId)
  const isClosed = account?.status === 'closed'
  const refused = firstOf({ accountNotFound: !account, accountClosed: isClosed })
  if (refused || !account) return refused
  const reason = status === 'active' ? '' : by.reason
  const isByOne = status === 'frozen' && by.second === null
  if (isByOne && isFrozenTooSoon(account, command.at)) {
    model.notes.push('frozen too soon by one operator')
    return 'secondOperatorNeeded'
  }
  const freeze = isByOne ? freezeByOneOperator(model, account, command.at) : null
  countFreeze(account, status, command.at)
  Object.assign(account, { status, statusReason: reason, freeze })
  const { recentFreeze } = account
  events.push({
    type: 'accountStatusSet',
    accountId,
    status,
    reason,
    ...(freeze && { alone: freeze }),
    ...(recentFreeze && { recentFreeze }),
  })
  return null
}

const DAY_MS = 24 * 60 * 60 * 1000
const THREE_DAYS_MS = 3 * DAY_MS

/** One operator does not freeze an account that was frozen in the last thirty days. */
const isFrozenTooSoon = ({ status, recentFreeze }: ReferenceAccount, at: number): boolean =>
  status !== 'frozen' && recentFreeze !== null && at - (recentFreeze.endedAt ?? at) < 30 * DAY_MS

/** After less than a week of freedom a freeze continues the one before it. */
function countFreeze(account: ReferenceAccount, status: ReferenceAccount['status'], at: number): void {
  const { recentFreeze, status: before } = account
  if (status === 'frozen') {
    const isContinued = recentFreeze && at - (recentFreeze.endedAt ?? at) < 7 * DAY_MS
    account.recentFreeze = { since: isContinued ? recentFreeze.since : at, endedAt: null }
  } else if (before === 'frozen' && recentFreeze) account.recentFreeze = { ...recentFreeze, endedAt: at }
}

/**
 * A freeze by one operator lapses three days after the first; one by two operators does not, even with a new reason.
 */
function freezeByOneOperator(
  model: ReferenceModel,
  account: ReferenceAccount,
  at: number,
): ReferenceAccount['freeze'] {
  if (account.freeze) model.notes.push('frozen again by one operator')
  if (account.status === 'frozen' || account.status === 'closed') return account.freeze
  return { lapsesAt: at + THREE_DAYS_MS, status: account.status, reason: account.statusReason }
}

/** No second operator confirmed the freeze: the former status is restored. */
export function lapseFreeze(model: ReferenceModel, account: ReferenceAccount, events: PlainEvent[]): void {
  const { freeze, id: accountId } = account
  if (!freeze) return
  const { status, reason, lapsesAt } = freeze
  countFreeze(account, status, lapsesAt)
  Object.assign(account, { status, statusReason: reason, freeze: null })
  model.notes.push('freeze lapsed')
  const { recentFreeze } = account
  events.push({ type: 'accountStatusSet', accountId, status, reason, ...(recentFreeze && { recentFreeze }) })
}

/** Nothing may be open or owed; of demo money any amount may be left. */
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
  Object.assign(account, { status: 'closed', statusReason: '', freeze: null, recentFreeze: null })
  events.push({ type: 'accountClosed', accountId, left })
  removeAlertsOf(model, accountId, events)
  return null
}
