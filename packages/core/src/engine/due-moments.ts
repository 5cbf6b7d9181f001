/**
 * Moments of the clock: full hours, rollovers, announced changes of terms, and the ends of halts and freezes by one
 * operator; and the day on which the strategy of a provider who stays frozen ends.
 */
import { equityRanges } from '../copying/equity-range.ts'
import { FROZEN_PROVIDER_MS } from '../model/copying.ts'
import { checkChange } from '../terms/change-terms.ts'
import type { Event } from '../model/event.ts'
import { duePriceSnapshots, isPriceSnapshotDue, takePriceSnapshot } from '../money/price-snapshots.ts'
import type { Core } from '../state/running-core.ts'
import { WHOLE_MARKET, type State } from '../state/state.ts'
import { freezeEnd } from '../accounts/decide-account.ts'
import { haltEnd, modeHaltEnd } from '../market/halts.ts'

/**
 * True when a moment has passed that no event has reported yet: it comes before anything else. `at` is epoch ms.
 * False before the first terms.
 */
export function isMomentDue(
  state: Pick<
    State,
    'termsVersion' | 'lastPriceSnapshot' | 'announced' | 'haltEnds' | 'freezes' | 'frozenProviders'
  >,
  at: number,
): boolean {
  if (state.termsVersion === 0) return false
  if (isPriceSnapshotDue(state, at)) return true
  for (const { effectiveAt } of state.announced.values()) if (effectiveAt <= at) return true
  for (const endsAt of state.haltEnds.values()) if (endsAt <= at) return true
  for (const { lapsesAt } of state.freezes.values()) if (lapsesAt <= at) return true
  for (const since of state.frozenProviders.values()) if (since + FROZEN_PROVIDER_MS <= at) return true
  return false
}

/** `rank` and `key` order events of the same moment. */
type Due = {
  readonly moment: number
  readonly rank: number
  readonly key: number
  readonly event: () => Event
}

/**
 * One event for each passed moment, in order of time; at the same moment terms come first, then expired halts and
 * freezes, then strategies of frozen providers, then prices.
 */
export function* dueMoments(state: State, at: number): Generator<Event, void> {
  const due: Due[] = []
  for (const { effectiveAt: moment, changeId: key } of state.announced.values())
    due.push({ moment, rank: 0, key, event: () => termsEvent(state, key) })
  for (const [key, moment] of state.haltEnds)
    due.push({ moment, rank: 1, key, event: () => haltEvent(state, key, moment) })
  for (const [key, { lapsesAt: moment }] of state.freezes)
    due.push({ moment, rank: 2, key, event: () => freezeEndEvent(state, key, moment) })
  for (const [key, since] of state.frozenProviders)
    due.push({
      moment: since + FROZEN_PROVIDER_MS,
      rank: 3,
      key,
      event: () => frozenStrategyEnd(state, key),
    })
  for (const moment of duePriceSnapshots(state, at))
    due.push({ moment, rank: 4, key: 0, event: () => takePriceSnapshot(state, moment) })
  const passed = due.filter(({ moment }) => moment <= at)
  const inOrder = passed.toSorted((a, b) => a.moment - b.moment || a.rank - b.rank || a.key - b.key)
  for (const { event } of inOrder) yield event()
}

/** The same events; before prices, the equities of providers since the last ones. */
export function* dueMomentsWithRanges(core: Core, at: number): Generator<Event, void> {
  for (const event of dueMoments(core.state, at)) {
    if (event.type === 'pricesMarked') yield* equityRanges(core, event.moment)
    yield event
  }
}

const haltEvent = (state: State, key: number, moment: number): Event =>
  key === WHOLE_MARKET ? modeHaltEnd(state, moment) : haltEnd(state, key, moment)

function freezeEndEvent(state: State, accountId: number, moment: number): Event {
  const account = state.accounts.get(accountId)
  if (!account) throw new Error(`account ${accountId} is frozen, but does not exist`)
  return freezeEnd(state, account, moment)
}

/** Copies of a provider who stays frozen end. */
const frozenStrategyEnd = ({ accounts }: State, accountId: number): Event => ({
  type: 'strategyEnded',
  strategyId: accounts.get(accountId)?.strategy?.id ?? 0,
  accountId,
  reason: 'providerFrozen',
})

/** An announced change that is no longer possible, or unknown, is withdrawn. */
function termsEvent(state: State, changeId: number): Event {
  const announced = state.announced.get(changeId)
  const isPossible = announced !== undefined && !checkChange(state, announced.change)
  return { type: isPossible ? 'termsTookEffect' : 'termsWithdrawn', changeId }
}
