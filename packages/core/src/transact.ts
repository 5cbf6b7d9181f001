import type { Command } from './command.ts'
import { decideTick, isQuiet } from './decide-tick.ts'
import { begin, finish, watchTouched, type Outcome } from './outcome.ts'
import type { Rejection } from './rejection.ts'
import { isRolloverDue, noteFirstPrice, rollOver } from './rollover.ts'
import type { State } from './state.ts'
import { BUDGET, proceed, type Budget, type Steps } from './steps.ts'
import { transactAsked } from './transact-asked.ts'
import { fire } from './decide-trigger.ts'

export { watchTouched, type Outcome } from './outcome.ts'

/**
 * Takes one command through decide and evolve. Deterministic: the same commands on the same state give the same
 * outcome. A refused command leaves the state as it was. Nothing happens after a 17:00 New York before its night is
 * financed: whatever command comes first does that, and then asks to be given again.
 */
export function transact(state: State, command: Command, budget: Budget = BUDGET): Outcome | Rejection {
  const { type, at } = command
  const { underway } = state
  if (underway) {
    if (underway.type !== type || underway.at !== at)
      throw new Error(`a ${type} was given while a ${underway.type} has more to do`)
    return proceed(state, underway, budget)
  }
  if (type === 'tick') {
    // Once for all that was asked since the last tick: only ticks look at what is watched.
    watchTouched(state)
    noteFirstPrice(state, command.quote)
  }
  const work = (steps: Steps, isPrelude = false) => proceed(state, { type, at, steps, isPrelude }, budget)
  if (isRolloverDue(state, at)) return work(rollOver(state, at), true)
  switch (command.type) {
    case 'tick':
      // The price moves before anything is decided.
      state.quotes.set(command.quote.instrumentId, command.quote)
      return isQuiet(state, command) ? finish(begin(state, at), null) : work(decideTick(state, command))
    case 'clock':
      return work(fire(state, state.triggers.expired(at), at))
    default:
      return transactAsked(state, command)
  }
}
