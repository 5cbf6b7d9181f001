/** How copies end, the month's fees, and the due work of copying. */
import { settle } from '../accounts/due-work.ts'
import { figuresOf, isPriced, withdrawable, type AccountFigures } from '../margin/account-figures.ts'
import type { CopyEnded, Event, PerformanceFeeCharged } from '../model/event.ts'
import { brokerAccountOf, transferBetween, transferThrough, type Transfer } from '../model/ledger.ts'
import { copyingOf, isCopyingOn, type Copy } from '../model/copying.ts'
import { larger, money, NO_MONEY, type Money } from '../model/number.ts'
import { isPosition } from '../model/order.ts'
import { hasDetailedCopying } from '../model/rules.ts'
import type { Core, DecisionContext } from '../state/running-core.ts'
import type { Account, State } from '../state/state.ts'
import type { Steps } from '../state/work-in-steps.ts'
import { decideCopyClose, pricesBehind } from './copied-order.ts'
import { endedByReset, isCopy, stoppedEvent, type CopyAccount } from '../state/copy-account.ts'
import { feeBasis, feeOn, isAtStopLoss, lossBelowMark } from './performance-fee.ts'

/** A fee that can be paid: nothing is moved to the account of a provider that is closed. */
export function payableFee({ accounts }: Pick<State, 'accounts'>, account: CopyAccount, fee: Money): Money {
  const isReceived = account.ledger === 'demo' || accounts.get(account.copy.providerId)?.status !== 'closed'
  return isReceived ? fee : NO_MONEY
}

/** A real copy pays its provider; a demo copy pays the demo broker, so that demo money never becomes real. */
export function feeTransfers(account: CopyAccount, fee: Money): Transfer[] {
  const kind = 'performanceFee'
  if (account.ledger === 'real') return transferThrough(account, { id: account.copy.providerId }, fee, kind)
  return transferBetween(account.available.id, brokerAccountOf('demo', 'fees'), money(-fee), {
    kind,
    orderId: null,
  })
}

/**
 * Closes what can be closed of a copy that ends, and returns its money once nothing is open. The rest waits for the
 * first fresh prices of its markets.
 */
export function* endCopy(core: Core, account: Account, at: number): Steps {
  if (!isCopy(account) || account.copy.status !== 'ending') return
  yield* settleCopy(core, account, at)
  const positions = [...account.orders.values()].filter(isPosition)
  for (const order of positions.toSorted((a, b) => a.id - b.id))
    yield decideCopyClose(core, account, order, { reason: 'copyEnded', at })
  if (account.orders.size === 0) yield endedEvent(core.state, account)
}

/** The end of a copy without positions. */
export function endedEvent(state: State, account: CopyAccount): CopyEnded {
  const { copy, available } = account
  const { balance } = available
  const reason = copy.endReason ?? 'owner'
  if (reason === 'ownerReset') return endedByReset(state, account)
  const fee = payableFee(state, account, feeOn(copy, balance))
  const returned = transferThrough(account, { id: account.ownerId }, money(balance - fee), 'copyOut')
  return {
    type: 'copyEnded',
    accountId: account.id,
    reason,
    fee,
    carriedLoss: lossBelowMark(copy, balance),
    transfers: [...feeTransfers(account, fee), ...returned],
  }
}

/**
 * The copy stop loss, checked after the stop-out: at or below its part of the base the copy ends. While a position has
 * no price, it waits.
 */
export function* decideCopyStopLoss(core: Core, account: Account, at: number): Steps {
  const { state } = core
  if (!isCopy(account) || account.copy.status === 'ending' || !isPriced(state, account)) return
  const { equity } = figuresOf(state, account)
  if (!isAtStopLoss(account.copy, equity)) return
  yield stoppedEvent(account, 'stopLoss', { equity, prices: pricesBehind(state, account) })
  yield* endCopy(core, account, at)
}

/** Does what is due of a copy before anything else is decided about it: swaps, then the fees of months' ends. */
export function* settleCopy(core: Pick<Core, 'state' | 'sweep'>, account: CopyAccount, at: number): Steps {
  yield* settle(core, account, at)
  yield* monthFees(core.state, account)
}

/** True when the fee of a month's end is due. */
export function owesMonthFee({ monthEnds }: Pick<State, 'monthEnds'>, { copy }: CopyAccount): boolean {
  for (const moment of monthEnds.keys())
    if (copy.startedAt < moment && copy.feeChargedAt < moment) return true
  return false
}

function* monthFees(state: State, account: CopyAccount): Generator<Event, void> {
  for (const moment of state.monthEnds.keys()) {
    const { copy } = account
    if (copy.startedAt < moment && copy.feeChargedAt < moment) yield monthFee(state, account, moment)
  }
}

/** The fee of a month's end. Where less may leave than is due, nothing is charged and the mark stays. */
export function monthFee(state: State, account: CopyAccount, moment: number): PerformanceFeeCharged {
  const { copy } = account
  const figures = figuresAt(state, account, moment)
  const due = figures ? payableFee(state, account, feeOn(copy, feeBasis(figures))) : NO_MONEY
  const isCharged = figures !== null && due <= withdrawable(figures)
  const fee = isCharged ? due : NO_MONEY
  return {
    type: 'performanceFeeCharged',
    accountId: account.id,
    moment,
    equity: figures?.equity ?? null,
    fee,
    mark: isCharged ? markAfterFee(state, copy, { basis: feeBasis(figures), fee }) : copy.mark,
    transfers: feeTransfers(account, fee),
  }
}

/** The mark never falls by a fee. By earlier rules it stayed where the fee was zero. */
const markAfterFee = (state: State, { mark }: Copy, { basis, fee }: { basis: Money; fee: Money }): Money =>
  hasDetailedCopying(state) || fee > 0n ? larger(mark, money(basis - fee)) : mark

/** The figures at the prices of a month's end; null where one of them is missing. */
function figuresAt(state: State, account: Account, moment: number): AccountFigures | null {
  const { instruments, conversionPaths } = state
  const quotes = state.monthEnds.get(moment)
  if (!quotes) return null
  const pricing = { instruments, conversionPaths, quotes }
  return isPriced(pricing, account) ? figuresOf(pricing, account) : null
}

/** Does the due work of strategies and copies, by account. What a budget leaves is found again in the next slice. */
export function* doCopyWork(core: Core, at: number): Steps {
  const { state, copyWork } = core
  for (const id of inOrder(copyWork.strategies)) {
    const strategy = state.accounts.get(id)?.strategy
    if (strategy)
      yield { type: 'strategyEnded', strategyId: strategy.id, accountId: id, reason: 'copyingOff' }
    copyWork.strategies.delete(id)
  }
  for (const id of inOrder(copyWork.copies)) {
    const account = state.accounts.get(id)
    if (isCopy(account)) yield* doWorkOf(core, account, at)
    copyWork.copies.delete(id)
    yield null
  }
  for (const moment of [...state.monthEnds.keys()].toSorted((a, b) => a - b))
    yield { type: 'monthFeesCharged', moment }
}

function* doWorkOf(core: Core, account: CopyAccount, at: number): Steps {
  yield* settleCopy(core, account, at)
  const strategy = core.state.accounts.get(account.copy.providerId)?.strategy
  const isOver = strategy?.id !== account.copy.strategyId
  const isOff = !isCopyingOn(copyingOf(core.state.settings), account.ledger)
  if ((isOver || isOff) && account.copy.status !== 'ending')
    yield stoppedEvent(account, isOver ? 'strategyEnded' : 'copyingOff')
  yield* endCopy(core, account, at)
}

const inOrder = (ids: ReadonlySet<number>): number[] => [...ids].toSorted((a, b) => a - b)

/** True when a copy that ends waits for a price of this instrument: a cheap check for every tick. */
export function isAwaitedByCopies(
  { state, copyWork }: Pick<Core, 'state' | 'copyWork'>,
  instrumentId: number,
): boolean {
  for (const id of copyWork.ending) if (state.accounts.get(id)?.exposures.has(instrumentId)) return true
  return false
}

/** Copies that end close their positions on an instrument at its first fresh price. */
export function* endWaitingCopies(core: Core, instrumentId: number, at: number): Steps {
  for (const id of inOrder(core.copyWork.ending)) {
    const account = core.state.accounts.get(id)
    if (isCopy(account) && account.exposures.has(instrumentId)) yield* endCopy(core, account, at)
  }
}

/** The equity of an account now, where every price behind it is known. */
export const pricedEquity = ({ state }: Pick<DecisionContext, 'state'>, account: Account): Money | null =>
  isPriced(state, account) ? figuresOf(state, account).equity : null
