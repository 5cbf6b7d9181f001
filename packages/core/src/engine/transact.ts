import { type Author, CLOCK, MARKET } from '../model/author.ts'
import type { CloseAll, Command, ReversePosition, TickCommand } from '../model/command.ts'
import { checkVolume } from '../copying/decide-strategy.ts'
import { withStrategyEquity } from '../copying/copied-order.ts'
import { copiesAmong, isCopy, type CopyAccount } from '../state/copy-account.ts'
import { doCopyWork, owesMonthFee, settleCopy } from '../copying/end-copy.ts'
import { positionsClosedAtOnce } from '../model/copying.ts'
import { followAll, isFollowed } from './follow-provider.ts'
import { endAlerts, wakeAlerts } from '../alerts/fire-alerts.ts'
import { noteEquities } from '../copying/equity-range.ts'
import { decideTick, isQuiet } from './decide-tick.ts'
import { applyQuote } from './evolve.ts'
import { withMarkUp } from '../market/mark-up.ts'
import { referenceSettledBy } from '../market/admitted-reference.ts'
import type { ReferenceSettled, Request } from '../model/event.ts'
import { fire } from '../orders/decide-trigger.ts'
import { dueMomentsWithRanges, isMomentDue } from './due-moments.ts'
import { isPriceMissing, missingPrice } from '../money/price-snapshots.ts'
import {
  apply,
  begin,
  finish,
  MAX_BANDS_AT_ONCE,
  type Outcome,
  proceed,
  type Progress,
  takeSteps,
  watchDirtyAccounts,
} from './transaction.ts'
import { isRejection, reject, type Rejection } from '../model/rejection.ts'
import { copiesEndWithReset } from '../model/rules.ts'
import type { Core, DecisionContext } from '../state/running-core.ts'
import { type Budget, BUDGET, FOLLOW_BUDGET, SLICE_BUDGET, type Steps } from '../state/work-in-steps.ts'
import { isUnsettled, settle, sweepAccounts } from '../accounts/due-work.ts'
import { figuresOf, floatingProfit } from '../margin/account-figures.ts'
import { decide, type Decision } from './decide.ts'
import { decideClose } from '../orders/decide-close.ts'
import { decidePlace } from '../orders/decide-place.ts'
import { checkStatus } from '../accounts/decide-account.ts'
import { acceptedRequest, recordRequest } from '../state/accepted-requests.ts'
import { canBook } from '../money/booking-range.ts'
import { money, type Money, NO_MONEY } from '../model/number.ts'
import { isPosition, opposite, type Position } from '../model/order.ts'
import { withoutPosition } from '../state/account-snapshot.ts'
import type { Account, AcceptedRequest, State } from '../state/state.ts'

export { watchDirtyAccounts, type Outcome } from './transaction.ts'

/**
 * Processes one command by decide and evolve. Deterministic: the same commands on the same state have the same
 * outcome. A rejected command does not change the state. Passed moments are reported first, and due work of the
 * account concerned is done first; then `hasMore` requests the same command again.
 */
export function transact(core: Core, command: Command, given?: Budget): Outcome | Rejection {
  const { type, at } = command
  const budget = given ?? (type === 'clock' ? SLICE_BUDGET : BUDGET)
  const { state, unfinished } = core
  if (unfinished && !mayDecideMeanwhile(core, command)) {
    if (type !== 'tick' || unfinished.at !== at || unfinished.author.type !== 'market')
      throw new Error(`a ${type} was given while other work has more to do`)
    return proceed(core, unfinished, unfinished.isRowOpen ? smallerOf(budget, FOLLOW_BUDGET) : budget)
  }
  if (type === 'tick') wakeAlerts(core, at)
  // Once for all commands since the last tick: only ticks use the watched prices.
  if (type === 'tick' && !refreshBands(core)) return finish(begin(core, at, MARKET), null, true)
  if (isMomentDue(state, at)) return workFirst(core, at, dueMomentsWithRanges(core, at))
  switch (command.type) {
    case 'tick':
      return transactTick(core, command, budget)
    case 'clock':
      return transactClock(core, at, budget)
    default: {
      const account = affectedAccount(state, command)
      if (account && isUnsettled(core, account)) return workFirst(core, at, settle(core, account, at))
      for (const copy of affectedCopies(state, command, account))
        if (isUnsettled(core, copy) || owesMonthFee(state, copy))
          return workFirst(core, at, settleCopy(core, copy, at))
      return transactRequest(core, command)
    }
  }
}

/** Continues what an event of a provider causes in copies, one slice of it, while `isRowOpen` is true. */
export function followOn(core: Core, budget: Budget = FOLLOW_BUDGET): Outcome {
  if (!core.unfinished) throw new Error('nothing follows')
  return proceed(core, core.unfinished, budget)
}

/** Commands of users about orders and money cases: they concern one account and no terms. */
const SINGLE_ACCOUNT: ReadonlySet<Command['type']> = new Set([
  ...(['placeOrder', 'closePosition', 'closeAll', 'reversePosition'] as const),
  ...(['cancelOrder', 'setStops', 'setTrailing'] as const),
  ...(['openDeposit', 'requestWithdrawal', 'cancelWithdrawal'] as const),
])

/**
 * True for a command that may be decided while a journal row is open: one of an account that neither is copied nor is
 * a copy. Fills do not move prices, so both have the same outcome whichever comes first.
 */
export function mayDecideMeanwhile({ state, unfinished }: Core, command: Command): boolean {
  if (!unfinished?.isRowOpen || command.at !== unfinished.at || !SINGLE_ACCOUNT.has(command.type))
    return false
  const account = 'accountId' in command ? state.accounts.get(command.accountId) : undefined
  return account !== undefined && account.copy === null && account.copiers.length === 0
}

const smallerOf = (one: Budget, other: Budget): Budget => ({
  events: Math.min(one.events, other.events),
  checks: Math.min(one.checks, other.checks),
})

/** Computes dirty stop-out price bands; true once all are up to date: no tick is processed before that. */
function refreshBands(core: Core): boolean {
  watchDirtyAccounts(core, MAX_BANDS_AT_ONCE)
  return core.dirtyAccounts.size === 0
}

/** Work before a command, in one piece because there is little of it. */
function workFirst(core: Core, at: number, steps: Steps): Outcome {
  const progress = begin(core, at, CLOCK)
  takeSteps(progress, steps, { events: Infinity, checks: Infinity })
  return finish(progress, null, true)
}

function transactTick(core: Core, given: TickCommand, budget: Budget): Outcome {
  const { at } = given
  // By the terms in force now: a new mark-up applies to the very next price.
  const quote = withMarkUp(core.state.instruments.get(given.quote.instrumentId), given.quote)
  const command = { ...given, quote }
  const author: Author = MARKET
  const isAwaited = isPriceMissing(core.state, quote.instrumentId)
  const settled = referenceSettledBy(core.state, quote)
  // The price is updated before anything is decided.
  applyQuote(core.state, quote)
  noteEquities(core, quote.instrumentId)
  if (!isAwaited && !settled && isQuiet(core, command)) return finish(begin(core, at, author), null)
  const steps = tickSteps(core, command, { isAwaited, settled })
  return proceed(core, { at, author, steps, following: null, isRowOpen: false }, budget)
}

/** The first price of an instrument may complete a rollover. */
function* tickSteps(
  core: Core,
  command: TickCommand,
  { isAwaited, settled }: { readonly isAwaited: boolean; readonly settled: ReferenceSettled | null },
): Steps {
  if (settled) yield settled
  if (isAwaited) yield* missingPrice(core.state, command.quote)
  yield* decideTick(core, command)
}

/** Not kept between calls: work left over by the budget is found again, and `hasDueWork` reports it. */
function transactClock(core: Core, at: number, budget: Budget): Outcome {
  const progress = begin(core, at, CLOCK)
  takeSteps(progress, clockSteps(core, at), budget)
  watchDirtyAccounts(core, MAX_BANDS_AT_ONCE)
  return finish(progress, null)
}

/** Expired orders and alerts end, then due work proceeds. */
function* clockSteps(core: Core, at: number): Steps {
  // A journal without terms events has none until it adopts them.
  if (core.state.termsVersion === 0) return
  yield* fire(core, core.triggers.expired(at), at)
  yield* endAlerts(core, at)
  yield* sweepAccounts(core, at)
  yield* doCopyWork(core, at)
}

type RequestCommand = Exclude<Command, { type: 'tick' | 'clock' }>

/** The account that a command concerns; null for none or an unknown one. */
export function affectedAccount(
  state: Pick<State, 'accounts' | 'cases'>,
  command: RequestCommand,
): Account | null {
  const accountId =
    'accountId' in command
      ? command.accountId
      : 'caseId' in command
        ? state.cases.get(command.caseId)?.accountId
        : undefined
  return accountId === undefined ? null : (state.accounts.get(accountId) ?? null)
}

/** The copies that a command concerns: by its own id, as the account, or all that a demo reset ends. */
function affectedCopies(
  state: State,
  command: RequestCommand,
  account: Account | null,
): readonly CopyAccount[] {
  if (command.type === 'resetDemo')
    return account && copiesEndWithReset(state) ? copiesAmong(state, account.copies) : []
  const copy = 'copyId' in command ? state.accounts.get(command.copyId) : account
  return copy && isCopy(copy) ? [copy] : []
}

/** The author of a command: an operator, the deployment, or the user who owns the account. */
function authorOf({ lastAccountId, accounts }: State, command: RequestCommand): Author {
  if ('by' in command) return command.by
  if (!('accountId' in command)) return { type: 'user', accountId: lastAccountId + 1 }
  const { accountId } = command
  return { type: 'user', accountId: accounts.get(accountId)?.ownerId ?? accountId }
}

/** Carries out a command of a user or operator completely, or rejects it without a change. */
export function transactRequest(core: Core, command: RequestCommand): Outcome | Rejection {
  const { state, dirtyAccounts } = core
  const request = 'request' in command && command.request ? command.request : null
  const author = authorOf(state, command)
  const earlier = request && acceptedRequest(state, request, command.at)
  const progress = begin(core, command.at, author)
  if (request && earlier) return repeatedOutcome(progress, request, earlier)
  const refused = carryOut(progress, command)
  if (refused) return refused
  // Many accounts may have changed since the last tick: some of their bands are computed before it comes.
  if (dirtyAccounts.size > MAX_BANDS_AT_ONCE) watchDirtyAccounts(core, MAX_BANDS_AT_ONCE)
  const { at, events } = progress
  if (core.unfinished === null && events.some((event) => isFollowed(state, event))) {
    const steps = followAll(core, events, at)
    core.unfinished = { at, author, steps, following: null, isRowOpen: true }
  }
  const outcome = finish(progress, request)
  recordRequest(core, outcome.entry)
  return outcome
}

function repeatedOutcome(
  progress: Progress,
  request: Request,
  earlier: AcceptedRequest,
): Outcome | Rejection {
  if (earlier.digest !== request.digest) return reject('requestIdReused', { requestId: request.id })
  return { ...finish(progress, request), repeatOf: earlier.row }
}

/** Applies the effects of a command, or returns its rejection without applying anything. */
function carryOut(progress: Progress, command: RequestCommand): Rejection | null {
  switch (command.type) {
    case 'closeAll':
      return closeAll(progress, command)
    case 'reversePosition':
      return applyDecision(progress, decideReverse(progress.core, command))
    default:
      return applyDecision(progress, decide(progress.core, command))
  }
}

function applyDecision(progress: Progress, decision: Decision): Rejection | null {
  if (isRejection(decision)) return decision
  const { core } = progress
  if (!canBook(core.state, decision)) return reject('amountOutOfRange')
  for (const event of decision) apply(progress, [withStrategyEquity(core.state, event)])
  return null
}

/**
 * Positions that cannot be closed now are kept; rejected only when none can be closed, for the reason of the first.
 */
function closeAll(progress: Progress, command: CloseAll): Rejection | null {
  const { core } = progress
  const account = core.state.accounts.get(command.accountId)
  if (!account) return reject('accountNotFound')
  const barred = checkStatus(core.state, account, command)
  if (barred) return barred
  if (account.copy) return reject('copyClosesOnly')
  const { openedUntil = Infinity } = command
  const positions = [...account.orders.values()]
    .filter((order) => isPosition(order) && (order.openedAt ?? 0) <= openedUntil)
    .toSorted((a, b) => a.id - b.id)
  const most = positionsClosedAtOnce(account.copiers.length)
  const refusals: Rejection[] = []
  for (const order of positions) {
    if (progress.events.length >= most) break
    const refused = applyDecision(progress, decideClose(core, { at: command.at }, account, order))
    if (refused) refusals.push(refused)
  }
  return progress.events.length > 0 ? null : (refusals[0] ?? reject('nothingToClose'))
}

/** Both halves are checked before either is applied; the checks of an opening include those of a close. */
function decideReverse(context: DecisionContext, command: ReversePosition): Decision {
  const { state } = context
  const account = state.accounts.get(command.accountId)
  const order = account?.orders.get(command.orderId)
  if (!account) return reject('accountNotFound')
  const barred = checkStatus(state, account, command)
  if (barred) return barred
  if (account.copy) return reject('copyClosesOnly')
  if (!order) return reject('orderNotFound', { orderId: command.orderId })
  if (!isPosition(order)) return reject('orderNotHolding', { orderId: order.id })
  const tooMany = checkVolume(account, command.at)
  if (tooMany) return tooMany
  const opened = decidePlace(context, oppositeOrder(command, order), account, {
    free: freeAfterClosing(state, account, order),
    // The closed position does not count towards the maximum.
    active: account.orders.size - 1,
  })
  if (isRejection(opened)) return opened
  const closed = decideClose(context, { at: command.at }, account, order)
  return isRejection(closed) ? closed : [...closed, ...opened]
}

const oppositeOrder = ({ accountId, at }: ReversePosition, order: Position) => ({
  type: 'placeOrder' as const,
  accountId,
  at,
  instrumentId: order.instrumentId,
  side: opposite(order.side),
  lots: order.lots,
  leverage: order.leverage,
  targetPrice: null,
  takeProfit: null,
  stopLoss: null,
  expiresAt: null,
})

/** The free margin after a position has closed at current prices. Without a price the order is rejected anyway. */
const freeAfterClosing = (state: State, account: Account, order: Position): Money =>
  money(figuresOf(state, withoutPosition(account, order)).free + (floatingProfit(state, order) ?? NO_MONEY))
