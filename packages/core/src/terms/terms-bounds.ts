/**
 * Absolute limits of terms: beyond them a position could not be closed, or costs would be unlimited (trading-rules
 * §10).
 */
import type { Rejection } from '../model/rejection.ts'
import type { State } from '../state/state.ts'
import { termsReplaced } from './adverse-terms.ts'
import type { Instrument } from '../model/instrument.ts'
import {
  TERMS_RULES,
  type FirstTerms,
  type Listing,
  type TermsChange,
  type TermsRules,
  type TradingSettings,
} from '../model/terms.ts'
import { firstWrong, type TermsCheck } from './terms-sanity.ts'

const WHOLE = 1_000_000
const FRESHNESS_MIN_MS = 1_000
/** From version 3 of the rules on: a shorter notice tells nobody in time, a longer one forbids every change. */
const NOTICE_MIN_MS = 3_600_000
const NOTICE_MAX_MS = 30 * 24 * NOTICE_MIN_MS
/** Percent, from version 3 on: below, losses exceed the balance; above, the margin alone closes positions. */
const STOP_OUT_MIN = 10
const STOP_OUT_MAX = 90
/** 1 % of the price on each side, in 1e-6. */
const MARK_UP_MAX = 10_000
/** 100 % a year, in 1e-6 percent. */
const SWAP_MAX = 100_000_000
/** A tenth of the narrowest band of the seed, for new instruments: 0.2 % in 1e-6. */
const NEW_BAND_MIN = 2_000

type Known = Pick<State, 'settings' | 'instruments' | 'listings' | 'calendar' | 'sources' | 'firstTerms'>

/** Why a new value is out of bounds; null where none is. Unchanged values are not checked. */
export function checkBounds(
  state: Known,
  change: TermsChange,
  rules: TermsRules = TERMS_RULES,
): Rejection | null {
  const before = termsReplaced(state, change)
  switch (change.kind) {
    case 'calendar':
      return null
    case 'settings':
      return firstWrong(
        settingsBounds(change.settings, before?.kind === 'settings' ? before.settings : null, rules),
      )
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

function settingsBounds(
  { freshnessMs, noticeMs, stopOutLevel }: TradingSettings,
  before: TradingSettings | null,
  rules: TermsRules,
): TermsCheck[] {
  const isKept = (name: 'noticeMs' | 'stopOutLevel', value: number) => rules < 3 || before?.[name] === value
  return [
    [before?.freshnessMs === freshnessMs || isFresh(freshnessMs), 'freshnessMs', 'belowOneSecond'],
    [
      isKept('noticeMs', noticeMs) || (noticeMs >= NOTICE_MIN_MS && noticeMs <= NOTICE_MAX_MS),
      'noticeMs',
      'outsideNotice',
    ],
    [
      isKept('stopOutLevel', stopOutLevel) || (stopOutLevel >= STOP_OUT_MIN && stopOutLevel <= STOP_OUT_MAX),
      'stopOutLevel',
      'outsideStopOut',
    ],
  ]
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
