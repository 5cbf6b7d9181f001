/**
 * Absolute limits of terms: beyond them a position could not be closed, or costs would be unlimited (trading-rules
 * §10).
 */
import type { Rejection } from '../model/rejection.ts'
import type { State } from '../state/state.ts'
import { termsReplaced } from './adverse-terms.ts'
import type { Instrument } from '../model/instrument.ts'
import type { FirstTerms, Listing, TermsChange } from '../model/terms.ts'
import { firstWrong, type TermsCheck } from './terms-sanity.ts'

const WHOLE = 1_000_000
const FRESHNESS_MIN_MS = 1_000
/** 1 % of the price on each side, in 1e-6. */
const MARK_UP_MAX = 10_000
/** 100 % a year, in 1e-6 percent. */
const SWAP_MAX = 100_000_000
/** A tenth of the narrowest band of the seed, for new instruments: 0.2 % in 1e-6. */
const NEW_BAND_MIN = 2_000

type Known = Pick<State, 'settings' | 'instruments' | 'listings' | 'calendar' | 'sources' | 'firstTerms'>

/** Why a new value is out of bounds; null where none is. Unchanged values are not checked. */
export function checkBounds(state: Known, change: TermsChange): Rejection | null {
  const before = termsReplaced(state, change)
  switch (change.kind) {
    case 'calendar':
      return null
    case 'settings': {
      const { freshnessMs } = change.settings
      const isKept = before?.kind === 'settings' && before.settings.freshnessMs === freshnessMs
      return firstWrong([[isKept || isFresh(freshnessMs), 'freshnessMs', 'belowOneSecond']])
    }
    case 'source': {
      const { freshnessMs } = change.source
      const isKept = before?.kind === 'source' && before.source.freshnessMs === freshnessMs
      return firstWrong([[isKept || isFresh(freshnessMs), 'freshnessMs', 'belowOneSecond']])
    }
    case 'instrument':
      return firstWrong(
        boundsOf(
          state,
          change.instrument,
          change.listing,
          before?.kind === 'instrument' ? before.instrument : null,
        ),
      )
  }
}

function boundsOf(
  { firstTerms }: Known,
  instrument: Instrument,
  listing: Listing | null,
  before: Instrument | null,
): TermsCheck[] {
  const { suspectBand, maxSpread, markUp = 0, swapRate, freshnessMs = null } = instrument
  const first = firstTerms.get(instrument.id)
  const typical = first?.typical ?? (listing && typicalOf(listing))
  const minimumBand = first ? first.suspectBand / 10 : NEW_BAND_MIN
  return [
    [freshnessMs === (before?.freshnessMs ?? null) || isFresh(freshnessMs), 'freshnessMs', 'belowOneSecond'],
    [suspectBand === before?.suspectBand || suspectBand >= minimumBand, 'suspectBand', 'belowTenthOfDefault'],
    [
      maxSpread === before?.maxSpread || !typical || maxSpread * typical.price >= 2 * typical.spread * WHOLE,
      'maxSpread',
      'belowTwiceTypical',
    ],
    [markUp === (before?.markUp ?? 0) || markUp <= MARK_UP_MAX, 'markUp', 'aboveOnePercent'],
    [isSwap(swapRate.buy, before?.swapRate.buy), 'swapBuy', 'aboveWholeYear'],
    [isSwap(swapRate.sell, before?.swapRate.sell), 'swapSell', 'aboveWholeYear'],
  ]
}

const isFresh = (ms: number | null): boolean => ms === null || ms >= FRESHNESS_MIN_MS

const isSwap = (rate: number, before: number | undefined): boolean =>
  rate === before || Math.abs(rate) <= SWAP_MAX

const typicalOf = ({ typicalSpread, referencePrice }: Listing): FirstTerms['typical'] => ({
  spread: typicalSpread,
  price: referencePrice,
})

/** Records the first terms of an instrument. */
export function recordFirstTerms({ firstTerms }: Pick<State, 'firstTerms'>, change: TermsChange): void {
  if (change.kind !== 'instrument') return
  const { instrument, listing } = change
  const known = firstTerms.get(instrument.id)
  if (known?.typical) return
  firstTerms.set(instrument.id, {
    suspectBand: known?.suspectBand ?? instrument.suspectBand,
    typical: listing && typicalOf(listing),
  })
}
