/** What a tick leads to (trading-rules §9). On most ticks that is nothing, and finding out costs a handful of comparisons. */
import type { TickCommand } from './command.ts'
import { freshQuote, tradingBar } from './decide-order.ts'
import { decideStopOut } from './decide-stop-out.ts'
import { fire, trail } from './decide-trigger.ts'
import type { Quote } from './quote.ts'
import type { State } from './state.ts'
import type { Steps } from './steps.ts'
import { settle } from './sweep.ts'

/** True when a tick leads to nothing; the cheap question asked on every one. */
export const isQuiet = ({ triggers, marginWatch }: State, { quote, at }: TickCommand): boolean =>
  !triggers.isAnyExpired(at) && !triggers.isReachedBy(quote) && !marginWatch.isReachedBy(quote)

/**
 * Orders end whose time is over, so that none of them fills any more; then what the price reaches fires, stops before
 * pending orders; trailing stops follow; then the accounts it concerns are checked for stop-out. While its instrument does not trade, or when
 * it comes too late, a tick fires nothing and stops nobody out.
 */
export function* decideTick(state: State, { quote, at }: TickCommand): Steps {
  yield* fire(state, state.triggers.expired(at), at)
  const instrument = state.instruments.get(quote.instrumentId)
  if (!instrument) return
  const isTradable = !tradingBar(state, instrument, at) && freshQuote(state, instrument, at) !== null
  if (!isTradable) yield* lookAgain(state, quote)
  else yield* decideTrading(state, quote, at)
}

/**
 * Whoever leaves the safe prices here may have to be looked at on the next tick of another instrument, and so may those
 * who have only waited for this price.
 */
function* lookAgain(state: State, quote: Quote): Steps {
  for (const id of state.marginWatch.leaving(quote)) {
    state.touched.add(id)
    yield null
  }
}

function* decideTrading(state: State, quote: Quote, at: number): Steps {
  const changed = new Set<number>()
  for (const event of fire(state, state.triggers.due(quote), at)) {
    yield event
    if (event?.type === 'positionOpened' || event?.type === 'positionClosed') changed.add(event.accountId)
  }
  yield* trail(state, quote)
  for (const id of state.marginWatch.due(quote, changed)) {
    const account = state.accounts.get(id)
    if (account) {
      yield* settle(state, account, at)
      yield* decideStopOut(state, account, at)
    }
    state.touched.add(id)
    yield null
  }
}
