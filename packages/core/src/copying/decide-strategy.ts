/** Publishing a strategy, changing its fee, and ending it. */
import {
  copyingOf,
  isCopyingOn,
  MAX_COPIED_ORDERS,
  MAX_FEE_SHARE,
  openingsPerMinute,
  OPENINGS_WINDOW_MS,
  PUBLISH_AGAIN_MS,
  type CopyingSettings,
} from '../model/copying.ts'
import type { PublishStrategy, SetStrategyFee } from '../model/command.ts'
import type { Event } from '../model/event.ts'
import type { LedgerKind } from '../model/ledger.ts'
import type { Ratio } from '../model/number.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import type { Account, State } from '../state/state.ts'
import { strategyEnd } from '../state/copy-account.ts'
import { pricedEquity } from './end-copy.ts'

/** Why money of this kind may not be copied; null where it may. */
export const checkCopyingOn = (settings: CopyingSettings, ledger: LedgerKind): Rejection | null =>
  isCopyingOn(settings, ledger) ? null : reject('copyingOff')

/** One strategy a user at a time, a new one 30 days after the last. Whether the user is verified is the host's to check. */
export function decidePublish(
  state: State,
  { at, feeShare }: PublishStrategy,
  account: Account,
): Event[] | Rejection {
  const settings = copyingOf(state.settings)
  const off = checkCopyingOn(settings, account.ledger)
  if (off) return off
  if (account.strategy) return reject('strategyRunning')
  const again = account.strategyEndedAt + PUBLISH_AGAIN_MS
  if (account.strategyEndedAt > 0 && at < again) return reject('strategyTooSoon', { from: again })
  const wrongFee = checkFee(feeShare)
  if (wrongFee) return wrongFee
  const equity = pricedEquity({ state }, account)
  if (equity === null) return reject('stalePrice')
  const least = settings.providerMinEquity
  if (equity < least) return reject('providerEquityTooLow', { least })
  const strategyId = state.lastStrategyId + 1
  return [{ type: 'strategyPublished', strategyId, accountId: account.id, feeShare, equity }]
}

const checkFee = (feeShare: Ratio): Rejection | null =>
  Number.isSafeInteger(feeShare) && feeShare >= 0 && feeShare <= MAX_FEE_SHARE
    ? null
    : reject('feeShareInvalid', { most: MAX_FEE_SHARE })

/** Another fee for copies that start afterwards; those that run keep theirs. */
export function decideStrategyFee(
  { feeShare }: SetStrategyFee,
  { id, strategy }: Account,
): Event[] | Rejection {
  if (!strategy) return reject('strategyNotFound')
  const wrongFee = checkFee(feeShare)
  if (wrongFee) return wrongFee
  if (feeShare === strategy.feeShare) return reject('strategyFeeSame')
  return [{ type: 'strategyFeeSet', strategyId: strategy.id, accountId: id, feeShare }]
}

export function decideEndStrategy(account: Account): Event[] | Rejection {
  const ended = strategyEnd(account, 'withdrawn')
  return ended.length > 0 ? ended : reject('strategyNotFound')
}

/** Why a provider may not open another order now: its copies would open too many. Closing is never refused. */
export function checkVolume({ strategy, copiers, orders }: Account, at: number): Rejection | null {
  if (!strategy || copiers.length === 0) return null
  const active = Math.ceil(MAX_COPIED_ORDERS / copiers.length) - 1
  if (orders.size >= active) return reject('tooManyOrders', { most: active })
  const most = openingsPerMinute(copiers.length)
  const recent = strategy.recentOpenings.filter((moment) => moment > at - OPENINGS_WINDOW_MS)
  return recent.length >= most ? reject('tooManyOpenings', { most }) : null
}
