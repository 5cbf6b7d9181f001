import { CLOCK, MARKET, type Author } from './author.ts'
import type { Command, TickCommand } from './command.ts'
import { decideTick, isQuiet } from './market/decide-tick.ts'
import { applyQuote } from './evolve.ts'
import { publish } from './market/mark-up.ts'
import { fire } from './orders/decide-trigger.ts'
import { dueMoments, isMomentDue } from './due-work/due-moments.ts'
import { isPriceMissing, missingPrice } from './overnight/overnight-swap.ts'
import { begin, finish, MOST_WATCHED, watchTouched, type Outcome } from './outcome.ts'
import type { Rejection } from './rejection.ts'
import type { Core } from './core.ts'
import { proceed, take } from './slice.ts'
import { BUDGET, SLICE_BUDGET, type Budget, type Steps } from './steps.ts'
import { isUnsettled, settle, sweepAccounts } from './due-work/sweep.ts'
import { concernedAccount, transactRequest } from './transact-request.ts'

export { watchTouched, type Outcome } from './outcome.ts'

/**
 * Takes one command through decide and evolve. Deterministic: the same commands on the same state give the same
 * outcome. A refused command leaves the state as it was. Moments that have passed are told first, and what is due on the account
 * that a command concerns is done first: that is little, and `hasMore` then asks to be given the command again.
 */
export function transact(core: Core, command: Command, given?: Budget): Outcome | Rejection {
  const { type, at } = command
  const budget = given ?? (type === 'clock' ? SLICE_BUDGET : BUDGET)
  const { state, underway } = core
  if (underway) {
    if (type !== 'tick' || underway.at !== at)
      throw new Error(`a ${type} was given while a tick has more to do`)
    return proceed(core, underway, budget)
  }
  // Once for all that was asked since the last tick: only ticks look at what is watched.
  if (type === 'tick' && !isWatched(core)) return finish(begin(core, at, MARKET), null, true)
  if (isMomentDue(state, at)) return workFirst(core, at, dueMoments(state, at))
  switch (command.type) {
    case 'tick':
      return transactTick(core, command, budget)
    case 'clock':
      return transactClock(core, at, budget)
    default: {
      const account = concernedAccount(state, command)
      if (account && isUnsettled(core, account)) return workFirst(core, at, settle(core, account, at))
      return transactRequest(core, command)
    }
  }
}

/** Works on until everybody's safe prices are those of now; a tick is not looked at before. */
function isWatched(core: Core): boolean {
  watchTouched(core, MOST_WATCHED)
  return core.touched.size === 0
}

/** What comes before a command: whole, for it is little. */
function workFirst(core: Core, at: number, steps: Steps): Outcome {
  const progress = begin(core, at, CLOCK)
  take(progress, steps, { events: Infinity, looks: Infinity })
  return finish(progress, null, true)
}

function transactTick(core: Core, given: TickCommand, budget: Budget): Outcome {
  const { at } = given
  // By the terms in force now: a mark-up that has just come into force is in the very next price.
  const quote = publish(core.state.instruments.get(given.quote.instrumentId), given.quote)
  const command = { ...given, quote }
  const author: Author = MARKET
  const isAwaited = isPriceMissing(core.state, quote.instrumentId)
  // The price moves before anything is decided.
  applyQuote(core.state, quote)
  if (!isAwaited && isQuiet(core, command)) return finish(begin(core, at, author), null)
  return proceed(core, { at, author, steps: stepsOf(core, command, isAwaited) }, budget)
}

/** The first price of an instrument may be the one that a night waits for. */
function* stepsOf(core: Core, command: TickCommand, isAwaited: boolean): Steps {
  if (isAwaited) yield* missingPrice(core.state, command.quote)
  yield* decideTick(core, command)
}

/** Nothing of this is kept for the next time: what the budget leaves undone is found again, and `hasDueWork` tells of it. */
function transactClock(core: Core, at: number, budget: Budget): Outcome {
  const progress = begin(core, at, CLOCK)
  take(progress, clockSteps(core, at), budget)
  watchTouched(core, MOST_WATCHED)
  return finish(progress, null)
}

/** Orders whose time is over end; then due work goes on. */
function* clockSteps(core: Core, at: number): Steps {
  // A journal from before terms were events knows none until it adopts them.
  if (core.state.termsVersion === 0) return
  yield* fire(core, core.triggers.expired(at), at)
  yield* sweepAccounts(core, at)
}
