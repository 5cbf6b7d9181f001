/** The effects of a tick (trading-rules §9). Most ticks have none, which takes a few comparisons to find out. */
import { isCopy } from '../state/copy-account.ts'
import { decideCopyStopLoss, endWaitingCopies, isAwaitedByCopies, settleCopy } from '../copying/end-copy.ts'
import { withCopies } from './follow-provider.ts'
import { endAlerts, fireAlerts, recheckMarginAlerts } from '../alerts/fire-alerts.ts'
import type { TickCommand } from '../model/command.ts'
import { alertsKeepHours } from '../model/rules.ts'
import { freshQuote, tradingRejection } from '../orders/tradable-market.ts'
import { decideStopOut } from '../orders/decide-stop-out.ts'
import { instrumentsBehind } from '../margin/stop-out-price-band.ts'
import { fire } from '../orders/decide-trigger.ts'
import { trail } from '../orders/trailing-stop.ts'
import type { Quote } from '../model/quote.ts'
import type { Core } from '../state/running-core.ts'
import type { State } from '../state/state.ts'
import type { Steps } from '../state/work-in-steps.ts'
import { settle } from '../accounts/due-work.ts'

/** True when a tick has no effect: a cheap check for every tick. */
export const isQuiet = (
  { state, triggers, marginWatch, alerts, copyWork }: Core,
  { quote, at }: TickCommand,
): boolean =>
  !triggers.isAnyExpired(at) &&
  !triggers.isReachedBy(quote) &&
  !marginWatch.isReachedBy(quote) &&
  !alerts.isReachedBy(quote) &&
  !alerts.isAnyOver(at) &&
  (copyWork.ending.size === 0 || !isAwaitedByCopies({ state, copyWork }, quote.instrumentId))

/**
 * Expired orders and alerts end first, so that none of them is filled or fires; then triggers fire, stops before pending orders; trailing
 * stops follow; then alerts fire; then the accounts concerned are checked for stop-out. During a halt a tick only fires
 * alerts; outside trading hours, or when it is too late, it fires nothing and stops nobody out.
 */
export function* decideTick(core: Core, { quote, at }: TickCommand): Steps {
  const { state, triggers } = core
  const changed = new Set<number>()
  yield* noteChanged(state, fire(core, triggers.expired(at), at), { quote, changed })
  yield* endAlerts(core, at)
  const instrument = state.instruments.get(quote.instrumentId)
  if (!instrument) return
  const isFresh = freshQuote(state, instrument, at) !== null
  const isTradable = isFresh && !tradingRejection(core, instrument, at, 'closing')
  if (isTradable) yield* fireOrders(core, { quote, at, changed })
  const isInHours = !alertsKeepHours(state) || core.isOpen(instrument, at)
  if (isFresh && isInHours) yield* fireAlerts(core, { quote, at, changed })
  else yield* recheckMarginAlerts(core, quote)
  if (isTradable) yield* stopOutAccounts(core, { quote, at, changed })
  else yield* recheck(core, quote)
}

/**
 * Accounts that leave their stop-out price bands, or that waited for this price, may have to be checked on the next
 * tick of another instrument.
 */
function* recheck({ marginWatch }: Core, quote: Quote): Steps {
  for (const accountId of marginWatch.leaving(quote)) yield { type: 'accountDirty', accountId }
}

/**
 * Records changed accounts: a swap booked before an order ends can lead to a stop-out on this tick. Accounts that do
 * not depend on its instrument wait for a tick of their own.
 */
function* noteChanged(
  state: Pick<State, 'accounts' | 'conversionPaths'>,
  steps: Steps,
  { quote, changed }: Pick<Check, 'quote' | 'changed'>,
): Steps {
  for (const step of steps) {
    yield step
    const account = step && 'accountId' in step ? state.accounts.get(step.accountId) : undefined
    if (!step || !account) continue
    const isTraded = step.type === 'positionOpened' || step.type === 'positionClosed'
    if (isTraded || instrumentsBehind(state, account).includes(quote.instrumentId)) changed.add(account.id)
  }
}

/** A tick, and the accounts that it has changed so far. */
type Check = { readonly quote: Quote; readonly at: number; readonly changed: Set<number> }

function* fireOrders(core: Core, { quote, at, changed }: Check): Steps {
  const { state, triggers } = core
  const fired = withCopies(core, fire(core, triggers.due(quote), at), at)
  yield* noteChanged(state, fired, { quote, changed })
  yield* endWaitingCopies(core, quote.instrumentId, at)
  yield* trail(triggers, quote)
}

function* stopOutAccounts(core: Core, { quote, at, changed }: Check): Steps {
  const { state, marginWatch } = core
  for (const accountId of marginWatch.due(quote, changed)) {
    const account = state.accounts.get(accountId)
    if (account) {
      yield* isCopy(account) ? settleCopy(core, account, at) : settle(core, account, at)
      yield* withCopies(core, decideStopOut(core, account, at), at)
      yield* decideCopyStopLoss(core, account, at)
    }
    yield { type: 'accountDirty', accountId }
  }
}
