import type { InstrumentListing, MarketState } from '@fairlot/contract'
import { create } from 'zustand'

const useLatest = create<{ state: MarketState | null }>(() => ({ state: null }))

/** What everybody may do, as the server last pushed it; null before the first push. */
export const useMarketState = (): MarketState | null => useLatest(({ state }) => state)

export const takeMarketState = (state: MarketState): void => useLatest.setState({ state })

type Halts = MarketState['halts']

/** The list with the halts of now; the same list where it has them. What is halted is not open. */
export function withHalts(
  instruments: readonly InstrumentListing[],
  halts: Halts,
): readonly InstrumentListing[] {
  if (!areHaltsOther(instruments, halts)) return instruments
  const reasons = new Map(halts.map(({ instrumentId, reason }) => [instrumentId, reason]))
  return instruments.map((listing) => {
    const haltReason = reasons.get(listing.id) ?? null
    return haltReason === listing.haltReason
      ? listing
      : { ...listing, haltReason, isOpen: listing.isOpen && haltReason === null }
  })
}

/** Whether a list shows other halts than there are: whether such a market is open then only the server knows. */
export function areHaltsOther(instruments: readonly InstrumentListing[], halts: Halts): boolean {
  const reasons = new Map(halts.map(({ instrumentId, reason }) => [instrumentId, reason]))
  return instruments.some(({ id, haltReason }) => (reasons.get(id) ?? null) !== haltReason)
}

const SOONEST_LOOK_MS = 2_000
const LATEST_LOOK_MS = 3_600_000

/**
 * How long until a market of the list opens or closes, which no push tells; `now` is epoch ms on the market clock. At most an
 * hour, since the clocks may part; false where the list names no such moment.
 */
export function untilNextTurn(instruments: readonly InstrumentListing[], now: number): number | false {
  const turns = instruments.flatMap(({ nextOpenAt, nextCloseAt }) => nextOpenAt ?? nextCloseAt ?? [])
  if (turns.length === 0) return false
  const soonest = turns.reduce((first, at) => Math.min(first, at))
  return Math.min(Math.max(soonest - now, SOONEST_LOOK_MS), LATEST_LOOK_MS)
}
