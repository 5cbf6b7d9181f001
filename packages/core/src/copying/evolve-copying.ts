/** The effects of the events of strategies and copies on the state. */
import {
  carriedAt,
  copyingOf,
  isCopyingOn,
  lossesHandedOn,
  OPENINGS_WINDOW_MS,
  type Copy,
  type Strategy,
} from '../model/copying.ts'
import type {
  CopyEnded,
  CopyingEvent,
  CopyStarted,
  PricesMarked,
  StrategyEnded,
  StrategyPublished,
} from '../model/event.ts'
import { post, type Posting, type Transfer } from '../model/ledger.ts'
import { money } from '../model/number.ts'
import { rolloverBefore } from '../money/overnight-swap.ts'
import type { Core } from '../state/running-core.ts'
import { addAccount, carriedLossKey, type Account, type State } from '../state/state.ts'

const DAY_MS = 86_400_000

/** Applies one event of strategies and copies. Returns its ledger rows. */
export function evolveCopying(core: Core, event: CopyingEvent, at: number): readonly Posting[] {
  const { state, dirtyAccounts } = core
  switch (event.type) {
    case 'strategyPublished':
      publishStrategy(state, event, at)
      dirtyAccounts.add(event.accountId)
      return NONE
    case 'strategyFeeSet':
      strategyOf(state, event.accountId).feeShare = event.feeShare
      return NONE
    case 'strategyEnded':
      endStrategy(core, event, at)
      return NONE
    case 'copyStarted': {
      const copy = startCopy(state, event, at)
      return book(core, copy, event.transfers, at)
    }
    case 'copyPaused':
      copyOf(state, event.accountId).copy.status = 'paused'
      return NONE
    case 'copyResumed':
      copyOf(state, event.accountId).copy.status = 'running'
      return NONE
    case 'copyStopLossSet':
      copyOf(state, event.accountId).copy.stopLoss = event.stopLoss
      dirtyAccounts.add(event.accountId)
      return NONE
    case 'copyTermsSet': {
      const { multiplier, exposureLimit, excluded } = event
      Object.assign(copyOf(state, event.accountId).copy, { multiplier, exposureLimit, excluded })
      return NONE
    }
    case 'copyFunded':
    case 'copyReduced': {
      const account = copyOf(state, event.accountId)
      Object.assign(account.copy, { base: event.base, mark: event.mark })
      return book(core, account, event.transfers, at)
    }
    case 'copySkipped':
      return NONE
    case 'copyStopped':
      Object.assign(copyOf(state, event.accountId).copy, { status: 'ending', endReason: event.reason })
      core.copyWork.copies.add(event.accountId)
      core.copyWork.ending.add(event.accountId)
      return NONE
    case 'copyEnded':
      return endCopy(core, event, at)
    case 'performanceFeeCharged': {
      const account = copyOf(state, event.accountId)
      Object.assign(account.copy, { mark: event.mark, feeChargedAt: event.moment })
      return book(core, account, event.transfers, event.moment)
    }
    case 'monthFeesCharged':
      state.monthEnds.delete(event.moment)
      return NONE
  }
}

const NONE: readonly Posting[] = []

/** Books the transfers of a copy; the equity of everybody they concern has changed. */
function book(
  { state, dirtyAccounts }: Core,
  account: Account & { copy: Copy },
  transfers: readonly Transfer[],
  at: number,
): Posting[] {
  for (const id of [account.id, account.ownerId, account.copy.providerId]) dirtyAccounts.add(id)
  return transfers.map((transfer) => post(state.ledger, transfer, at))
}

/** An account that is a copy. Throws for any other: what is in the journal has happened. */
function copyOf(state: State, accountId: number): Account & { copy: Copy } {
  const account = state.accounts.get(accountId)
  if (!account?.copy) throw new Error(`an event names account ${accountId}, which is not a copy`)
  return account as Account & { copy: Copy }
}

function accountOf(state: State, accountId: number): Account {
  const account = state.accounts.get(accountId)
  if (!account) throw new Error(`an event names account ${accountId}, which was never opened`)
  return account
}

function strategyOf(state: State, accountId: number): Strategy {
  const { strategy } = accountOf(state, accountId)
  if (!strategy) throw new Error(`an event names the strategy of account ${accountId}, which has none`)
  return strategy
}

function publishStrategy(state: State, event: StrategyPublished, at: number): void {
  const { strategyId, accountId, feeShare } = event
  accountOf(state, accountId).strategy = { id: strategyId, feeShare, publishedAt: at, recentOpenings: [] }
  state.strategies.set(strategyId, accountId)
  state.lastStrategyId = Math.max(state.lastStrategyId, strategyId)
}

/** Its copies end as due work. */
function endStrategy(core: Core, { strategyId, accountId }: StrategyEnded, at: number): void {
  const { state, copyWork } = core
  const account = accountOf(state, accountId)
  account.strategy = null
  account.strategyEndedAt = at
  state.strategies.delete(strategyId)
  state.frozenProviders.delete(accountId)
  copyWork.strategies.delete(accountId)
  core.providerEquities.ranges.delete(accountId)
  core.dirtyAccounts.add(accountId)
  for (const id of account.copiers) copyWork.copies.add(id)
}

function startCopy(state: State, event: CopyStarted, at: number): Account & { copy: Copy } {
  const { accountId, ownerId, providerId, strategyId, terms, feeShare, amount } = event
  const key = carriedLossKey(ownerId, providerId)
  const takenOver = carriedAt(state.carriedLosses.get(key) ?? [], at)
  state.carriedLosses.delete(key)
  const account = addAccount(state, accountId, event.ledger, ownerId)
  const copy: Copy = {
    strategyId,
    providerId,
    ...terms,
    excluded: [],
    feeShare,
    startedAt: at,
    status: 'running',
    endReason: null,
    base: amount,
    mark: money(amount + event.carriedLoss),
    takenOver,
    feeChargedAt: 0,
    orders: new Map(),
  }
  linkCopy(state, account, copy)
  return Object.assign(account, { copy })
}

/** Makes an account a copy, and lists it with its owner and its provider. */
export function linkCopy(state: State, account: Account, copy: Copy): void {
  account.copy = copy
  state.copies.add(account.id)
  const [owner, provider] = [accountOf(state, account.ownerId), accountOf(state, copy.providerId)]
  owner.copies = [...owner.copies, account.id]
  provider.copiers = [...provider.copiers, account.id]
}

function endCopy(core: Core, event: CopyEnded, at: number): readonly Posting[] {
  const { state, copyWork } = core
  const account = copyOf(state, event.accountId)
  const { copy, id, ownerId } = account
  const postings = book(core, account, event.transfers, at)
  const losses = lossesHandedOn(copy.takenOver, event.carriedLoss, at)
  if (losses.length > 0) state.carriedLosses.set(carriedLossKey(ownerId, copy.providerId), losses)
  const [owner, provider] = [accountOf(state, ownerId), accountOf(state, copy.providerId)]
  owner.copies = owner.copies.filter((each) => each !== id)
  provider.copiers = provider.copiers.filter((each) => each !== id)
  state.copies.delete(id)
  copyWork.copies.delete(id)
  copyWork.ending.delete(id)
  Object.assign(account, { copy: null, status: 'closed', statusReason: '' })
  return postings
}

/** A copy that ends and waited for a market ends as due work once something else has closed what it still had. */
export function noteEmptied({ copyWork }: Core, { id, copy, orders }: Account): void {
  if (copy?.status === 'ending' && orders.size === 0) copyWork.copies.add(id)
}

/** Counts an order that the provider of a strategy has placed, for the limit a minute. */
export function countOpening(account: Account, at: number): void {
  const { strategy } = account
  if (!strategy) return
  const since = at - OPENINGS_WINDOW_MS
  strategy.recentOpenings = [...strategy.recentOpenings.filter((moment) => moment > since), at]
}

/**
 * The 30 days until a frozen provider's strategy ends begin with the first freeze that counts, but not before the
 * strategy was published.
 */
export function noteFreeze(
  { frozenProviders }: Pick<State, 'frozenProviders'>,
  { id, status, strategy }: Account,
  since: number,
): void {
  if (strategy && status === 'frozen') frozenProviders.set(id, Math.max(since, strategy.publishedAt))
  else frozenProviders.delete(id)
}

/** True for the last 17:00 New York of a month, which is the same day in UTC. */
export const isMonthEnd = (moment: number): boolean =>
  rolloverBefore(moment) === moment &&
  new Date(moment).getUTCMonth() !== new Date(moment + DAY_MS).getUTCMonth()

/** Keeps the prices of a month's end until the fee of every copy is charged. */
export function keepMonthEnd({ state, copyWork }: Core, { moment, prices, night }: PricesMarked): void {
  if (night === null || state.copies.size === 0 || !isMonthEnd(moment)) return
  state.monthEnds.set(moment, new Map(prices.map((tick) => [tick.instrumentId, tick])))
  for (const id of state.copies) copyWork.copies.add(id)
}

/** Strategies and copies end where the settings have switched copying off: demo money may copy a real strategy. */
export function noteSwitchedOff({ state, copyWork }: Core): void {
  const settings = copyingOf(state.settings)
  copyWork.strategies.clear()
  for (const accountId of state.strategies.values())
    if (!isCopyingOn(settings, accountOf(state, accountId).ledger)) copyWork.strategies.add(accountId)
  for (const id of state.copies)
    if (!isCopyingOn(settings, accountOf(state, id).ledger)) copyWork.copies.add(id)
}

/** Finds the due work of copying in a state that was loaded, where no event has announced it. */
export function findCopyWork(core: Core): void {
  const { state, copyWork } = core
  noteSwitchedOff(core)
  for (const id of state.copies) {
    const { copy } = copyOf(state, id)
    const isOver = state.accounts.get(copy.providerId)?.strategy?.id !== copy.strategyId
    if (copy.status === 'ending') copyWork.ending.add(id)
    if (copy.status === 'ending' || isOver || state.monthEnds.size > 0) copyWork.copies.add(id)
  }
}
