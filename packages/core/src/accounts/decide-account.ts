/** Changes of a whole account: restrictions by operators, closing, and the demo reset (trading-rules §2 and §11). */
import { copiesAmong, endedByReset, stoppedEvent, strategyEnd } from '../state/copy-account.ts'
import { isConfirmed } from '../model/author.ts'
import type { CloseAccount, Command, ResetDemo, SetAccountStatus, UserCommand } from '../model/command.ts'
import type { AccountStatusSet, Event, PositionClosed, RecentFreeze } from '../model/event.ts'
import { direction, type Order } from '../model/order.ts'
import { money, type Money, NO_MONEY, type Price } from '../model/number.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import {
  copiesEndWithReset,
  countsRepeatedRestrictions,
  frozenOwnersReduceCopies,
  hasSingleOperatorLimits,
} from '../model/rules.ts'
import type { Account, State } from '../state/state.ts'
import { availableOf, brokerAccountOf, transferBetween } from '../model/ledger.ts'
import { quietReceipt } from '../model/receipt.ts'

type CommandTypes = ReadonlySet<Command['type']>

const OPENING: CommandTypes = new Set(['placeOrder', 'reversePosition'])
/** A restricted user may still request a withdrawal, which is decided like any other. */
const ALWAYS_ALLOWED_BY_FIRST_RULES: CommandTypes = new Set(['requestWithdrawal', 'cancelWithdrawal'])
/** Restricted users may always reduce their risk, and be notified of it. Changes of stops are also checked by `checkTightened`. */
const ALWAYS_ALLOWED: CommandTypes = new Set([
  ...ALWAYS_ALLOWED_BY_FIRST_RULES,
  'closePosition',
  'closeAll',
  'cancelOrder',
  'setStops',
  'setTrailing',
  'setAlert',
  'removeAlert',
])

/** Reduces the risk of copies: of these, changes of the stop loss are also checked by `decideOnCopy`. */
const ALWAYS_ALLOWED_FOR_COPIES: CommandTypes = new Set(['stopCopy', 'pauseCopy', 'setCopyStopLoss'])

/** How long a freeze by one operator alone lasts. */
export const FREEZE_ALONE_MS = 72 * 3_600_000
/** How long after a freeze one operator alone cannot freeze the account again. */
export const FREEZE_AGAIN_MS = 30 * 86_400_000
/** How long an account must have been free for a new freeze to count by itself for its copiers. */
const FREE_BETWEEN_FREEZES_MS = 7 * 86_400_000

type StatusRules = Pick<State, 'rulesVersion'>

/**
 * Why the account's status rejects a user's command; null when it does not. The rejection carries the operator's
 * reason.
 */
export function checkStatus(
  state: StatusRules,
  { status, statusReason }: Account,
  { type }: Pick<UserCommand, 'type'>,
): Rejection | null {
  if (status === 'closed') return reject('accountClosed')
  const always = hasSingleOperatorLimits(state) ? ALWAYS_ALLOWED : ALWAYS_ALLOWED_BY_FIRST_RULES
  const isAlways =
    always.has(type) || (frozenOwnersReduceCopies(state) && ALWAYS_ALLOWED_FOR_COPIES.has(type))
  if (status === 'frozen' && !isAlways) return reject('accountFrozen', { reason: statusReason })
  if (status === 'closeOnly' && OPENING.has(type)) return reject('accountCloseOnly', { reason: statusReason })
  return null
}

type Stops = Pick<Order, 'takeProfit' | 'stopLoss' | 'trailingDistance'>

/** Stops of a frozen account may be added or moved nearer, not removed or moved further away. */
export function checkTightened(
  { status, statusReason }: Account,
  order: Order,
  after: Stops,
): Rejection | null {
  if (status !== 'frozen') return null
  const isTightened =
    isNearer(order.stopLoss, after.stopLoss, direction(order.side)) &&
    isNearer(order.takeProfit, after.takeProfit, -direction(order.side)) &&
    (order.trailingDistance === null ||
      (after.trailingDistance !== null && after.trailingDistance <= order.trailingDistance))
  return isTightened ? null : reject('stopsOnlyTightened', { reason: statusReason })
}

/** `towards`: 1 where a higher price is nearer to the market, -1 where a lower one is. */
const isNearer = (before: Price | null, after: Price | null, towards: number): boolean =>
  before === null || (after !== null && (after - before) * towards >= 0)

/**
 * Whether a stop moved by hand continues trailing: on a frozen account it does, because ending it would loosen it.
 */
export const keepsTrailing = ({ status }: Account): boolean => status === 'frozen'

type Freezes = Pick<State, 'rulesVersion' | 'freezes' | 'recentFreezes' | 'frozenProviders'>

/**
 * Pending orders of a restricted account are cancelled right after, as due work. A freeze by one operator alone
 * lapses; repeating it neither extends it nor is it possible again soon after its end.
 */
export function decideStatus(
  state: Freezes,
  { at, status, by }: SetAccountStatus,
  account: Account,
): Event[] | Rejection {
  // Only its owner closes an account, and it cannot be reopened.
  if (account.status === 'closed') return reject('accountClosed')
  const reason = status === 'active' ? '' : by.reason
  const event = statusEvent(state, account, { status, reason, at })
  if (status !== 'frozen' || isConfirmed(by) || !hasSingleOperatorLimits(state)) return [event]
  const standing = state.freezes.get(account.id)
  if (standing) return [{ ...event, alone: standing }]
  // One operator may change the reason of a freeze by two operators, but it still does not lapse.
  if (account.status === 'frozen') return [event]
  const from = singleOperatorFreezeAllowedFrom(state, account.id)
  if (at < from) return reject('secondOperatorNeeded', { from })
  const before = { status: account.status, reason: account.statusReason }
  return [{ ...event, alone: { lapsesAt: at + FREEZE_ALONE_MS, ...before } }]
}

/** From when one operator alone may freeze an account again, epoch ms; 0 where no freeze has ended. */
export function singleOperatorFreezeAllowedFrom(
  { recentFreezes }: Pick<State, 'recentFreezes'>,
  accountId: number,
): number {
  const endedAt = recentFreezes.get(accountId)?.endedAt ?? null
  return endedAt === null ? 0 : endedAt + FREEZE_AGAIN_MS
}

type NewStatus = Pick<AccountStatusSet, 'status' | 'reason'> & { readonly at: number }

function statusEvent(state: Freezes, account: Account, { status, reason, at }: NewStatus): AccountStatusSet {
  const recentFreeze = countsRepeatedRestrictions(state)
    ? recentFreezeAfter(state, account, { status, at })
    : null
  const { id: accountId } = account
  return { type: 'accountStatusSet', accountId, status, reason, ...(recentFreeze && { recentFreeze }) }
}

/** A freeze soon after another counts with it. */
function recentFreezeAfter(
  { recentFreezes, frozenProviders }: Freezes,
  account: Account,
  { status, at }: Pick<NewStatus, 'status' | 'at'>,
): RecentFreeze | null {
  const known = recentFreezes.get(account.id)
  if (account.status === 'frozen') {
    // A freeze by earlier rules noted its beginning for providers only.
    const since = known?.since ?? frozenProviders.get(account.id) ?? at
    return { since, endedAt: status === 'frozen' ? null : at }
  }
  if (status !== 'frozen') return known ?? null
  const isSoon = known && known.endedAt !== null && at < known.endedAt + FREE_BETWEEN_FREEZES_MS
  return { since: isSoon ? known.since : at, endedAt: null }
}

/** The freeze of one operator has lapsed: the former status is restored. `at`: epoch ms, when it lapsed. */
export function freezeEnd(state: Freezes, account: Account, at: number): AccountStatusSet {
  const { status, reason } = state.freezes.get(account.id) ?? { status: 'active', reason: '' }
  return statusEvent(state, account, { status, reason, at })
}

/**
 * All obstacles, in the order in which they are reported. Nothing can be owed without a position (invariant I4), and
 * demo money need not be withdrawn.
 */
export function closingObstacles(
  { cases }: Pick<State, 'cases'>,
  account: Account,
  leftMax: Money,
): readonly Rejection[] {
  const orders = [...account.orders.values()]
  const positions = orders.filter(({ status }) => status === 'holding').length
  const openCases = [...cases.values()].filter(({ accountId }) => accountId === account.id).length
  const { balance } = account.available
  const isReal = account.ledger === 'real'
  return [
    ...(positions > 0 ? [reject('positionsOpen', { count: positions })] : []),
    ...(orders.length > positions ? [reject('ordersPending', { count: orders.length - positions })] : []),
    ...(openCases > 0 ? [reject('casesOpen', { count: openCases })] : []),
    ...(account.copies.length > 0 ? [reject('copiesRunning', { count: account.copies.length })] : []),
    ...(isReal && balance > leftMax ? [reject('balanceLeft', { free: balance, limit: leftMax })] : []),
  ]
}

/** A remaining balance stays on the account: the ledger moves nothing without a request. */
export function decideClosing(
  state: Pick<State, 'cases' | 'alerts'>,
  { leftMax }: CloseAccount,
  account: Account,
): Event[] | Rejection {
  const [first] = closingObstacles(state, account, leftMax)
  return (
    first ?? [
      ...strategyEnd(account, 'accountClosed'),
      { type: 'accountClosed', accountId: account.id, left: account.available.balance },
      ...removeAlerts(state, account),
    ]
  )
}

/** All alerts of an account end with it, or with its demo reset. By id, because the order in memory may differ. */
const removeAlerts = ({ alerts }: Pick<State, 'alerts'>, { id: accountId }: Account): Event[] =>
  [...(alerts.get(accountId)?.keys() ?? [])]
    .toSorted((a, b) => a - b)
    .map((alertId) => ({ type: 'alertRemoved', alertId, accountId }))

type ResetState = Pick<State, 'settings' | 'quotes' | 'termsVersion' | 'rulesVersion' | 'alerts' | 'accounts'>

/**
 * Everything is closed without a fill, alerts end, copies end first and return their money, and one transfer restores
 * the starting balance or sets the chosen one (trading-rules §2 and §12). The server checks its range.
 */
export function decideReset(
  state: ResetState,
  { at, start = null }: ResetDemo,
  account: Account,
): Event[] | Rejection {
  if (account.ledger !== 'demo') return reject('demoOnly')
  if (start !== null && start <= 0n) return reject('amountOutOfRange')
  const copies = copiesAmong(state, account.copies)
  const isWithCopies = copiesEndWithReset(state)
  const returned = isWithCopies ? copies.reduce((sum, copy) => sum + copy.available.balance, 0n) : 0n
  const difference = money((start ?? state.settings.demoBalance) - account.available.balance - returned)
  const transfers = transferBetween(
    availableOf(account.id),
    brokerAccountOf('demo', 'demoIssue'),
    difference,
    {
      kind: 'demoReset',
      orderId: null,
    },
  )
  return [
    ...ordersEndedByReset(state, account, at),
    ...removeAlerts(state, account),
    ...strategyEnd(account, 'demoReset'),
    ...copies.flatMap((copy) => [
      ...(isWithCopies || copy.copy.status !== 'ending' ? [stoppedEvent(copy, 'ownerReset')] : []),
      ...(isWithCopies ? [...ordersEndedByReset(state, copy, at), endedByReset(state, copy)] : []),
    ]),
    { type: 'demoReset', accountId: account.id, transfers, ...(start !== null && { start }) },
  ]
}

/** By id, because the order in memory differs after a restart. */
const ordersEndedByReset = (state: ResetState, account: Account, at: number): Event[] =>
  [...account.orders.values()].toSorted((a, b) => a.id - b.id).map((order) => endByReset(state, order, at))

function endByReset(state: ResetState, order: Order, at: number): Event {
  const about = {
    quote: state.quotes.get(order.instrumentId),
    requestedPrice: null,
    at,
    terms: state.termsVersion,
    rules: state.rulesVersion,
  }
  const ended = { orderId: order.id, accountId: order.accountId, reason: 'demoReset' as const }
  return order.status === 'pending'
    ? { ...ended, type: 'orderCancelled', receipt: quietReceipt('cancel', 'user', about) }
    : {
        ...ended,
        type: 'positionClosed',
        closePrice: null,
        profit: NO_MONEY,
        receipt: quietReceipt('close', 'user', about),
        transfers: [] satisfies PositionClosed['transfers'],
      }
}
