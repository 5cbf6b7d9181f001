/** What a tick leads to (trading-rules §9). On most ticks that is nothing, and finding out costs a handful of comparisons. */
import type { TickCommand } from '../command.ts'
import { freshQuote, tradingRejection } from '../orders/order-validation.ts'
import { decideStopOut } from '../margin/decide-stop-out.ts'
import { instrumentsBehind } from '../margin/safe-range.ts'
import { fire, trail } from '../orders/decide-trigger.ts'
import type { Quote } from './quote.ts'
import type { Core } from '../core.ts'
import type { State } from '../state.ts'
import type { Steps } from '../steps.ts'
import { settle } from '../due-work/sweep.ts'

/** True when a tick leads to nothing; the cheap question asked on every one. */
export const isQuiet = ({ triggers, marginWatch }: Core, { quote, at }: TickCommand): boolean =>
  !triggers.isAnyExpired(at) && !triggers.isReachedBy(quote) && !marginWatch.isReachedBy(quote)

/**
 * Orders end whose time is over, so that none of them fills any more; then what the price reaches fires, stops before
 * pending orders; trailing stops follow; then the accounts it concerns are checked for stop-out. While its instrument does not trade, or when
 * it comes too late, a tick fires nothing and stops nobody out.
 */
export function* decideTick(core: Core, { quote, at }: TickCommand): Steps {
  const { state, triggers } = core
  const changed = new Set<number>()
  yield* noteChanged(state, fire(core, triggers.expired(at), at), { quote, changed })
  const instrument = state.instruments.get(quote.instrumentId)
  if (!instrument) return
  const isTradable = !tradingRejection(core, instrument, at) && freshQuote(state, instrument, at) !== null
  if (!isTradable) yield* lookAgain(core, quote)
  else yield* decideTrading(core, { quote, at, changed })
}

/**
 * Whoever leaves the safe prices here may have to be looked at on the next tick of another instrument, and so may those
 * who have only waited for this price.
 */
function* lookAgain({ marginWatch }: Core, quote: Quote): Steps {
  for (const accountId of marginWatch.leaving(quote)) yield { type: 'accountTouched', accountId }
}

/**
 * Notes the accounts to which something happens: the financing of a night that comes before an order's end can lead to a stop-out
 * on this very tick. Those whose worth has nothing to do with its instrument wait for a tick of theirs.
 */
function* noteChanged(
  state: Pick<State, 'accounts' | 'conversionPaths'>,
  steps: Steps,
  { quote, changed }: Pick<Look, 'quote' | 'changed'>,
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
type Look = { readonly quote: Quote; readonly at: number; readonly changed: Set<number> }

function* decideTrading(core: Core, { quote, at, changed }: Look): Steps {
  const { state, triggers, marginWatch } = core
  yield* noteChanged(state, fire(core, triggers.due(quote), at), { quote, changed })
  yield* trail(triggers, quote)
  for (const accountId of marginWatch.due(quote, changed)) {
    const account = state.accounts.get(accountId)
    if (account) {
      yield* settle(core, account, at)
      yield* decideStopOut(core, account, at)
    }
    yield { type: 'accountTouched', accountId }
  }
}
