/** The first terms of a journal: all at once, and only once. */
import { DEPLOYMENT } from '../model/author.ts'
import type { Entry, Event } from '../model/event.ts'
import { evolve, evolveEvent } from './evolve.ts'
import { FIRST_RULES, RULES } from '../model/rules.ts'
import { type Core, createCore, type Host } from '../state/running-core.ts'
import { type Seed, TERMS_RULES, type TermsChange } from '../model/terms.ts'
import type { AdoptTerms } from '../model/command.ts'
import { checkChange } from '../terms/change-terms.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import type { State } from '../state/state.ts'

/** The first entry of a journal: all initial terms and the current rules, in force at once. `at` is epoch ms. */
export function seedTerms(seed: Seed, at: number): Entry {
  const changes: TermsChange[] = [
    { kind: 'settings', settings: seed.settings },
    ...(seed.sessions ?? []).map((session) => ({ kind: 'calendar' as const, session })),
    ...seed.instruments.map((instrument) => ({
      kind: 'instrument' as const,
      instrument,
      listing: seed.listings?.get(instrument.id) ?? null,
    })),
    ...[...(seed.sources ?? [])].map(([instrumentId, source]) => ({
      kind: 'source' as const,
      instrumentId,
      source,
    })),
  ]
  const terms: Event[] = changes.map((change, index) => ({
    type: 'termsSet',
    changeId: index + 1,
    effectiveAt: at,
    change,
    rules: TERMS_RULES,
  }))
  const { rules = RULES } = seed
  const rulesEvents: Event[] = rules > FIRST_RULES ? [{ type: 'rulesSet', rules }] : []
  return { at, author: DEPLOYMENT, request: null, events: [...terms, ...rulesEvents] }
}

/** A core with terms and nothing else. */
export function seededCore(seed: Seed, host: Host = {}): Core {
  const core = createCore(host)
  evolve(core, seedTerms(seed, 0))
  return core
}

/**
 * All terms of the seed as events, in force at once. Rejected where the journal has terms already, where one of them
 * is invalid, or where the currency of a tradable instrument cannot be converted to the account currency.
 */
export function decideAdoption(
  { termsVersion }: Pick<State, 'termsVersion'>,
  { at, seed }: AdoptTerms,
): Event[] | Rejection {
  if (termsVersion > 0) return reject('termsFixed', { field: 'seed' })
  const { events } = seedTerms(seed, at)
  // Tested on a separate core, because later terms refer to earlier ones.
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
