import { CLOCK, MARKET, type Author } from './author.ts'
import type { Command, TickCommand } from './command.ts'
import { decideTick, isQuiet } from './decide-tick.ts'
import { fire } from './decide-trigger.ts'
import { dueMoments, isMomentDue } from './due-moments.ts'
import { isPriceMissing, missingPrice } from './night.ts'
import { begin, finish, MOST_WATCHED, watchTouched, type Outcome } from './outcome.ts'
import type { Rejection } from './rejection.ts'
import type { State } from './state.ts'
import { BUDGET, proceed, take, type Budget, type Steps } from './steps.ts'
import { isUnsettled, settle, sweepAccounts } from './sweep.ts'
import { concernedAccount, transactAsked } from './transact-asked.ts'

export { watchTouched, type Outcome } from './outcome.ts'

/**
 * Takes one command through decide and evolve. Deterministic: the same commands on the same state give the same
 * outcome. A refused command leaves the state as it was. Moments that have passed are told first, and what is due on the account
 * that a command concerns is done first: that is little, and `hasMore` then asks to be given the command again.
 */
export function transact(state: State, command: Command, budget: Budget = BUDGET): Outcome | Rejection {
  const { type, at } = command
  if (state.underway) {
    if (type !== 'tick' || state.underway.at !== at)
      throw new Error(`a ${type} was given while a tick has more to do`)
    return proceed(state, state.underway, budget)
  }
  // Once for all that was asked since the last tick: only ticks look at what is watched.
  if (type === 'tick' && !isWatched(state)) return finish(begin(state, at, MARKET), null, true)
  if (isMomentDue(state, at)) return workFirst(state, at, dueMoments(state, at))
  switch (command.type) {
    case 'tick':
      return transactTick(state, command, budget)
    case 'clock':
      return transactClock(state, at, budget)
    default: {
      const account = concernedAccount(state, command)
      if (account && isUnsettled(state, account)) return workFirst(state, at, settle(state, account, at))
      return transactAsked(state, command)
    }
  }
}

/** Works on until everybody's safe prices are those of now; a tick is not looked at before. */
function isWatched(state: State): boolean {
  watchTouched(state, MOST_WATCHED)
  return state.touched.size === 0
}

/** What comes before a command: whole, for it is little. */
function workFirst(state: State, at: number, steps: Steps): Outcome {
  const progress = begin(state, at, CLOCK)
  take(progress, steps, { events: Infinity, looks: Infinity })
  return finish(progress, null, true)
}

function transactTick(state: State, command: TickCommand, budget: Budget): Outcome {
  const { quote, at } = command
  const author: Author = MARKET
  const isAwaited = isPriceMissing(state, quote.instrumentId)
  // The price moves before anything is decided.
  state.quotes.set(quote.instrumentId, quote)
  if (!isAwaited && isQuiet(state, command)) return finish(begin(state, at, author), null)
  return proceed(state, { at, author, steps: stepsOf(state, command, isAwaited) }, budget)
}

/** The first price of an instrument may be the one that a night waits for. */
function* stepsOf(state: State, command: TickCommand, isAwaited: boolean): Steps {
  if (isAwaited) yield* missingPrice(state, command.quote)
  yield* decideTick(state, command)
}

/** Nothing of this is kept for the next time: what the budget leaves undone is found again. */
function transactClock(state: State, at: number, budget: Budget): Outcome {
  const progress = begin(state, at, CLOCK)
  take(progress, clockSteps(state, at), budget)
  watchTouched(state, MOST_WATCHED)
  return finish(progress, null)
}

/** Orders whose time is over end; then due work goes on. */
function* clockSteps(state: State, at: number): Steps {
  // A journal from before terms were events knows none until it adopts them.
  if (state.termsVersion === 0) return
  yield* fire(state, state.triggers.expired(at), at)
  yield* sweepAccounts(state, at)
}
