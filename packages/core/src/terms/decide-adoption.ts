/** The first terms of a journal: all at once, and never again. */
import type { AdoptTerms } from '../command.ts'
import { checkChange } from './decide-terms.ts'
import type { Event } from '../event.ts'
import { evolveEvent } from '../evolve.ts'
import { reject, type Rejection } from '../rejection.ts'
import { seedTerms } from './seed.ts'
import { createCore } from '../core.ts'
import type { State } from '../state.ts'

/**
 * Every term of the seed as an event, in force at once. Refused where the journal has terms already, where one of them cannot
 * hold, or where the money of an instrument that is on offer cannot be turned into the account currency.
 */
export function decideAdoption(
  { termsVersion }: Pick<State, 'termsVersion'>,
  { at, seed }: AdoptTerms,
): Event[] | Rejection {
  if (termsVersion > 0) return reject('termsFixed', { field: 'seed' })
  const { events } = seedTerms(seed, at)
  // Tried out on a core of their own: the later ones name what the earlier ones define.
  const trial = createCore()
  for (const event of events) {
    const refused = event.type === 'termsSet' ? checkChange(trial.state, event.change) : null
    if (refused) return refused
    evolveEvent(trial, event, at)
  }
  return checkConversions(trial.state) ?? [...events]
}

function checkConversions({
  instruments,
  conversionPaths,
}: Pick<State, 'instruments' | 'conversionPaths'>): Rejection | null {
  for (const { id, code, isEnabled } of instruments.values()) {
    if (isEnabled && conversionPaths.get(id) === null)
      return reject('termsInvalid', { field: 'accountCurrency', instrument: code })
  }
  return null
}
