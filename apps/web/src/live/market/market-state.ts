import type { InstrumentListing, MarketState } from '@fairlot/contract'
import { create } from 'zustand'

const useLatest = create<{ state: MarketState | null }>(() => ({ state: null }))

/** Trading mode and halts as last pushed; null before the first push. */
export const useMarketState = (): MarketState | null => useLatest(({ state }) => state)

export const setMarketState = (state: MarketState): void => useLatest.setState({ state })

type Halts = MarketState['halts']

/** The list with the current halts; the same object when nothing differs. A halted market is not open. */
export function withHalts(
  instruments: readonly InstrumentListing[],
  halts: Halts,
): readonly InstrumentListing[] {
  if (!haveHaltsChanged(instruments, halts)) return instruments
  const reasons = new Map(halts.map(({ instrumentId, reason }) => [instrumentId, reason]))
  return instruments.map((listing) => {
    const haltReason = reasons.get(listing.id) ?? null
    return haltReason === listing.haltReason
      ? listing
      : { ...listing, haltReason, isOpen: listing.isOpen && haltReason === null }
  })
}

/** Whether a list shows other halts than the current ones; only the server knows whether such a market is open. */
export function haveHaltsChanged(instruments: readonly InstrumentListing[], halts: Halts): boolean {
  const reasons = new Map(halts.map(({ instrumentId, reason }) => [instrumentId, reason]))
  return instruments.some(({ id, haltReason }) => (reasons.get(id) ?? null) !== haltReason)
}

const SHORTEST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 3_600_000

/**
 * Milliseconds until the next market of the list opens or closes, which is not pushed. `now` is epoch ms on the market clock. At most
 * an hour, because clocks drift; false when the list names no such time.
 */
export function msUntilNextSession(instruments: readonly InstrumentListing[], now: number): number | false {
  const times = instruments.flatMap(({ nextOpenAt, nextCloseAt }) => nextOpenAt ?? nextCloseAt ?? [])
  if (times.length === 0) return false
  const soonest = times.reduce((first, at) => Math.min(first, at))
  return Math.min(Math.max(soonest - now, SHORTEST_WAIT_MS), LONGEST_WAIT_MS)
}
