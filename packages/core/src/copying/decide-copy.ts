/** Commands of an owner about a copy: start, pause, money in and out, the copy stop loss, and the end. */
import { figuresOf, isPriced, withdrawable } from '../margin/account-figures.ts'
import {
  carriedAt,
  COPY_STOP_LOSS_MAX,
  COPY_STOP_LOSS_MIN,
  copyingOf,
  EXPOSURE_LIMIT_MAX,
  MAX_COPIED_ORDERS,
  MULTIPLIER_MAX,
  MULTIPLIER_MIN,
  sumOfLosses,
  type CopyTerms,
} from '../model/copying.ts'
import type {
  AddToCopy,
  CopyCommand,
  SetCopyStopLoss,
  SetCopyTerms,
  StartCopy,
  TakeFromCopy,
} from '../model/command.ts'
import type { Event } from '../model/event.ts'
import { transferThrough } from '../model/ledger.ts'
import { larger, money, NO_MONEY, smaller, type Money } from '../model/number.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import { isBookable } from '../money/booking-range.ts'
import { withdrawableAtFreshPrices } from '../payments/decide-case.ts'
import type { DecisionContext } from '../state/running-core.ts'
import { carriedLossKey, type Account, type State } from '../state/state.ts'
import { pricesBehind, pricesBehindAll } from './copied-order.ts'
import { isCopy, stoppedEvent, type CopyAccount } from '../state/copy-account.ts'
import { checkCopyingOn } from './decide-strategy.ts'
import { feeTransfers, payableFee, pricedEquity } from './end-copy.ts'
import { baseAfterTaking, feeBasis, feeOnTaking, isAtStopLoss, markAfterTaking } from './performance-fee.ts'

type Decision = Event[] | Rejection

/** The account of a copy has the next id; the money comes from what its owner may withdraw. */
export function decideStartCopy(context: DecisionContext, command: StartCopy, owner: Account): Decision {
  const { state } = context
  const provider = state.accounts.get(state.strategies.get(command.strategyId) ?? 0)
  const refused = checkStart(context, command, owner, provider)
  if (refused) return refused
  if (!provider?.strategy) return reject('strategyNotFound')
  const { strategy } = provider
  const opening = openOrdersPart(state, command, provider)
  if (opening && 'rejected' in opening) return opening
  const { amount, terms, strategyId } = command
  const accountId = state.lastAccountId + 1
  return [
    {
      type: 'copyStarted',
      accountId,
      ownerId: owner.id,
      ledger: owner.ledger,
      strategyId,
      providerId: provider.id,
      terms,
      feeShare: strategy.feeShare,
      amount,
      carriedLoss: carriedLoss(state, owner.id, provider.id, command.at),
      ...(opening && { openOrders: opening }),
      transfers: transferThrough(owner, { id: accountId }, amount, 'copyIn'),
    },
  ]
}

function checkStart(
  context: DecisionContext,
  command: StartCopy,
  owner: Account,
  provider: Account | undefined,
): Rejection | null {
  const { state } = context
  const settings = copyingOf(state.settings)
  const off = checkCopyingOn(settings, owner.ledger)
  if (off) return off
  if (!provider) return reject('strategyNotFound')
  if (provider.id === owner.id) return reject('ownStrategy')
  if (owner.ledger === 'real' && provider.ledger === 'demo') return reject('strategyIsDemo')
  const isCopied = owner.copies.some((id) => state.accounts.get(id)?.copy?.strategyId === command.strategyId)
  if (isCopied) return reject('copyRunning')
  const most = settings.maxCopiesPerUser
  if (owner.copies.length >= most) return reject('tooManyCopies', { most })
  const copiers = provider.copiers.length + 1
  const isFull =
    copiers > settings.maxCopiesPerProvider || provider.orders.size * copiers >= MAX_COPIED_ORDERS
  if (isFull) return reject('strategyFull', { most: settings.maxCopiesPerProvider })
  const wrong = wrongTerm(command.terms)
  if (wrong) return reject('copyTermsInvalid', { field: wrong })
  const { feeShown } = command
  if (feeShown !== undefined && provider.strategy && provider.strategy.feeShare > feeShown)
    return reject('copyFeeRaised')
  const least = settings.minAmount
  if (command.amount < least) return reject('copyAmountTooSmall', { least })
  return checkMoney(context, owner, command.amount, command.at)
}

/** The first wrong choice of a copy; null where all are right. */
function wrongTerm({ multiplier, exposureLimit, stopLoss }: CopyTerms): keyof CopyTerms | null {
  if (!isWithin(multiplier, MULTIPLIER_MIN, MULTIPLIER_MAX)) return 'multiplier'
  if (!isWithin(exposureLimit, 1, EXPOSURE_LIMIT_MAX)) return 'exposureLimit'
  return isWithin(stopLoss, COPY_STOP_LOSS_MIN, COPY_STOP_LOSS_MAX) ? null : 'stopLoss'
}

const isWithin = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most

/** Money that leaves the owner's account for a copy must be free at fresh prices, as for a withdrawal. */
function checkMoney(context: DecisionContext, owner: Account, amount: Money, at: number): Rejection | null {
  if (amount <= 0n || !isBookable(amount)) return reject('amountInvalid', { amount })
  const free = withdrawableAtFreshPrices(context, owner, at)
  return amount > free ? reject('notEnoughMoney', { amount, most: free }) : null
}

type OpenOrdersPart = Extract<Event, { type: 'copyStarted' }>['openOrders']

/** The equity and prices by which open orders are copied; undefined where only new orders are. */
function openOrdersPart(
  state: State,
  { isWithOpenOrders }: StartCopy,
  provider: Account,
): OpenOrdersPart | Rejection {
  if (!isWithOpenOrders) return undefined
  const strategyEquity = pricedEquity({ state }, provider)
  if (strategyEquity === null) return reject('stalePrice')
  return { strategyEquity, prices: pricesBehindAll(state, provider) }
}

/** What a copy of this provider that its owner starts now has to make up for first. */
export const carriedLoss = (
  state: Pick<State, 'carriedLosses'>,
  ownerId: number,
  providerId: number,
  at: number,
): Money => sumOfLosses(carriedAt(state.carriedLosses.get(carriedLossKey(ownerId, providerId)) ?? [], at))

/** Somebody else's copy is reported as not found. */
export function decideOnCopy(context: DecisionContext, command: CopyCommand, owner: Account): Decision {
  const account = context.state.accounts.get(command.copyId)
  if (!isCopy(account) || account.ownerId !== owner.id)
    return reject('copyNotFound', { copyId: command.copyId })
  const { copy } = account
  if (copy.status === 'ending') return reject('copyEnding')
  switch (command.type) {
    case 'pauseCopy':
      if (copy.status === 'paused') return reject('copyPaused')
      return [{ type: 'copyPaused', accountId: account.id }]
    case 'resumeCopy':
      if (copy.status !== 'paused') return reject('copyNotPaused')
      return [{ type: 'copyResumed', accountId: account.id }]
    case 'addToCopy':
      return decideAdd(context, command, owner, account)
    case 'takeFromCopy':
      return decideTake(context, command, owner, account)
    case 'setCopyStopLoss':
      return decideStopLoss(context.state, command, { owner, account })
    case 'setCopyTerms':
      return decideTerms(context.state, command, account)
    case 'stopCopy':
      return [stoppedEvent(account, 'owner')]
  }
}

function decideAdd(
  context: DecisionContext,
  { amount, at }: AddToCopy,
  owner: Account,
  account: CopyAccount,
): Decision {
  const refused =
    checkCopyingOn(copyingOf(context.state.settings), owner.ledger) ?? checkMoney(context, owner, amount, at)
  if (refused) return refused
  const transfers = transferThrough(owner, account, amount, 'copyIn')
  const base = money(account.copy.base + amount)
  const mark = money(account.copy.mark + amount)
  return [{ type: 'copyFunded', accountId: account.id, amount, base, mark, transfers }]
}

/** Up to what is free at fresh prices; what is left must be enough for a copy. */
function decideTake(
  context: DecisionContext,
  { amount, at }: TakeFromCopy,
  owner: Account,
  account: CopyAccount,
): Decision {
  const { state } = context
  if (amount <= 0n || !isBookable(amount)) return reject('amountInvalid', { amount })
  if (!isPriced(state, account)) return reject('stalePrice')
  const figures = figuresOf(state, account)
  const fresh = withdrawableAtFreshPrices(context, account, at)
  const free = fresh < withdrawable(figures) ? fresh : withdrawable(figures)
  if (amount > free) return reject('notEnoughMoney', { amount, most: free })
  const { minAmount: least } = copyingOf(state.settings)
  const left = figures.equity - amount
  if (left < least) return reject('copyLeftTooSmall', { least, most: takeable(state, account, free) })
  const { copy } = account
  const basis = feeBasis(figures)
  const fee = payableFee(state, account, feeOnTaking(copy, basis, amount))
  const reduced: Event = {
    type: 'copyReduced',
    accountId: account.id,
    amount,
    fee,
    equity: figures.equity,
    prices: pricesBehind(state, account),
    base: baseAfterTaking(copy, figures.equity, amount),
    mark: markAfterTaking(copy, { basis, amount }, state),
    transfers: [
      ...feeTransfers(account, fee),
      ...transferThrough(account, owner, money(amount - fee), 'copyOut'),
    ],
  }
  return [reduced]
}

/** The most that can be taken out of a copy of which so much is free: the least amount of a copy stays in it. */
export function takeable(state: State, account: CopyAccount, free: Money): Money {
  const { equity } = figuresOf(state, account)
  return larger(NO_MONEY, smaller(free, money(equity - copyingOf(state.settings).minAmount)))
}

/** Choices that are left out stay; what is open stays as it is. An exposure limit of earlier versions may be above today's. */
function decideTerms(
  { instruments }: Pick<State, 'instruments'>,
  { multiplier, exposureLimit, excluded }: SetCopyTerms,
  { id, copy }: CopyAccount,
): Decision {
  if (multiplier !== undefined && !isWithin(multiplier, MULTIPLIER_MIN, MULTIPLIER_MAX))
    return reject('copyTermsInvalid', { field: 'multiplier' })
  if (exposureLimit !== undefined && !isWithin(exposureLimit, 1, EXPOSURE_LIMIT_MAX))
    return reject('copyTermsInvalid', { field: 'exposureLimit' })
  if (excluded?.some((instrumentId) => !instruments.has(instrumentId)))
    return reject('copyTermsInvalid', { field: 'excluded' })
  return [
    {
      type: 'copyTermsSet',
      accountId: id,
      multiplier: multiplier ?? copy.multiplier,
      exposureLimit: exposureLimit ?? copy.exposureLimit,
      excluded: excluded ? [...new Set(excluded)].toSorted((a, b) => a - b) : copy.excluded,
    },
  ]
}

/** A copy stop loss that is reached already would end the copy at once: stopping is another command. */
function decideStopLoss(
  state: State,
  { stopLoss }: SetCopyStopLoss,
  { owner, account }: { readonly owner: Account; readonly account: CopyAccount },
): Decision {
  if (!isWithin(stopLoss, COPY_STOP_LOSS_MIN, COPY_STOP_LOSS_MAX))
    return reject('copyTermsInvalid', { field: 'stopLoss' })
  // The part of the base that is left at least: a higher one is nearer.
  if (owner.status === 'frozen' && stopLoss < account.copy.stopLoss)
    return reject('stopsOnlyTightened', { reason: owner.statusReason })
  const equity = pricedEquity({ state }, account)
  if (equity === null) return reject('stalePrice')
  if (isAtStopLoss({ base: account.copy.base, stopLoss }, equity))
    return reject('copyTermsInvalid', { field: 'stopLoss', equity })
  return [{ type: 'copyStopLossSet', accountId: account.id, stopLoss }]
}
