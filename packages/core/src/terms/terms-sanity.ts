/**
 * Sanity checks of valid terms: probable typing errors of operators. The deployment's own configuration is not
 * checked.
 */
import { copyingOf, type CopyingSettings } from '../model/copying.ts'
import { pathToAccount } from '../model/currency-conversion.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import type { State } from '../state/state.ts'
import { defineSession, type SessionText } from '../calendar/trading-session.ts'
import type { Instrument } from '../model/instrument.ts'
import type { Listing, TermsChange, TradingSettings } from '../model/terms.ts'

/** What is wrong with a field of a change of terms. */
export type TermsProblem =
  | 'outOfRange'
  | 'missing'
  | 'belowOne'
  | 'notAscending'
  | 'offStep'
  | 'belowMinimum'
  | 'aboveWhole'
  | 'belowStopOut'
  | 'tooManyDecimals'
  | 'finerThanTick'
  | 'widerThanAllowed'
  | 'taken'
  | 'notACurrency'
  | 'noPair'
  | 'stillConverts'
  | 'unknownSession'
  | 'unknownSource'
  | 'unknownCategory'
  | 'otherKind'
  | 'repeated'
  | 'unreadable'
  | 'endsBeforeItBegins'
  | 'overlaps'
  | 'twice'
  | 'inPast'
  | 'negativeNotPossible'
  | 'belowOneSecond'
  | 'outsideNotice'
  | 'outsideStopOut'
  | 'belowTenthOfDefault'
  | 'belowTwiceTypical'
  | 'aboveOnePercent'
  | 'aboveWholeYear'

/** Whether a field is plausible, its name, and what is wrong otherwise. */
export type TermsCheck = readonly [isRight: boolean, field: string, why?: TermsProblem]

/** The first wrong field as a rejection; null when there is none. */
export function firstWrong(checks: readonly TermsCheck[]): Rejection | null {
  const wrong = checks.find(([isRight]) => !isRight)
  return wrong ? reject('termsInvalid', { field: wrong[1], why: wrong[2] ?? 'outOfRange' }) : null
}

type Known = Pick<State, 'settings' | 'instruments' | 'listings'>

/** 100 %: a fee of the whole margin, a band of the whole price. In 1e-6. */
const WHOLE = 1_000_000
/** A swap of more than ten times the position a year, in 1e-6 percent. */
const SWAP_MAX = 1_000_000_000
/** A tenth of the price on each side, in 1e-6. */
const MARK_UP_MAX = 100_000
const DAY_MS = 86_400_000
const FRESHNESS_MIN_MS = 100
const LEVERAGE_MAX = 1_000
/** Units of a lot, or its margin in fixed margin mode. */
const CONTRACT_SIZE_MAX = 1_000_000_000

/** Why a change is implausible; null when it is not. An implausible value that was there before may stay. */
export function checkSanity(state: Known, change: TermsChange): Rejection | null {
  const before = termsInForce(state, change)
  const knownChecks = before ? checksOf(state, before) : []
  const newChecks = checksOf(state, change).filter((_check, index) => knownChecks[index]?.[0] !== false)
  return firstWrong(newChecks)
}

/** The terms in force that a change replaces, as a change. */
function termsInForce({ settings, instruments, listings }: Known, change: TermsChange): TermsChange | null {
  if (change.kind === 'settings') return { kind: 'settings', settings }
  if (change.kind !== 'instrument') return null
  const { id } = change.instrument
  const [instrument, listing] = [instruments.get(id), listings.get(id) ?? null]
  return instrument ? { kind: 'instrument', instrument, listing: change.listing && listing } : null
}

function checksOf(state: Known, change: TermsChange): TermsCheck[] {
  switch (change.kind) {
    case 'settings':
      return settingsChecks(change.settings)
    case 'instrument':
      return [
        ...instrumentChecks(state, change.instrument),
        ...currencyChecks(state, change.instrument),
        ...(change.listing ? listingChecks(change.instrument, change.listing) : []),
      ]
    case 'calendar':
      return sessionChecks(change.session)
    case 'source':
      return []
  }
}

const settingsChecks = (settings: TradingSettings): TermsCheck[] => [
  [settings.stopOutLevel >= 1, 'stopOutLevel', 'belowOne'],
  [settings.warningLevel >= settings.stopOutLevel, 'warningLevel', 'belowStopOut'],
  [isFreshness(settings.freshnessMs), 'freshnessMs'],
  [settings.demoBalance > 0n, 'demoBalance', 'belowOne'],
  [settings.noticeMs <= 365 * DAY_MS, 'noticeMs'],
  ...copyingChecks(copyingOf(settings)),
]

const isFreshness = (ms: number): boolean => ms >= FRESHNESS_MIN_MS && ms <= DAY_MS

/** Real money is copied only under a legal basis that users can read. */
const copyingChecks = (copying: CopyingSettings): TermsCheck[] => [
  [copying.minAmount > 0n, 'copyMinAmount', 'belowOne'],
  [copying.maxCopiesPerUser >= 1, 'maxCopiesPerUser', 'belowOne'],
  [copying.maxCopiesPerProvider >= 1, 'maxCopiesPerProvider', 'belowOne'],
  [copying.providerMinEquity >= 0n, 'providerMinEquity'],
  [!copying.isRealOn || copying.legalBasis.trim() !== '', 'copyLegalBasis', 'missing'],
]

function instrumentChecks({ instruments, settings }: Known, instrument: Instrument): TermsCheck[] {
  const { id, code, feeRate, swapRate, leverages, lotMax, lotStep, freshnessMs } = instrument
  const isTaken = [...instruments.values()].some((other) => other.id !== id && other.code === code)
  return [
    [/^[A-Z0-9][A-Z0-9._-]{0,19}$/i.test(code), 'code', 'unreadable'],
    [!isTaken, 'code', 'taken'],
    [/^[A-Z0-9]{2,12}$/.test(instrument.baseCurrency), 'baseCurrency', 'notACurrency'],
    [/^[A-Z]{3,5}$/.test(instrument.quoteCurrency), 'quoteCurrency', 'notACurrency'],
    [instrument.baseCurrency !== instrument.quoteCurrency, 'baseCurrency', 'taken'],
    [leverages.every((leverage) => leverage <= LEVERAGE_MAX), 'leverages'],
    [instrument.contractSize <= CONTRACT_SIZE_MAX, 'contractSize'],
    [lotMax % lotStep === 0, 'lotMax', 'offStep'],
    [settings.feeType === 'fixed' || feeRate <= WHOLE, 'feeRate', 'aboveWhole'],
    [Math.abs(swapRate.buy) <= SWAP_MAX, 'swapBuy'],
    [Math.abs(swapRate.sell) <= SWAP_MAX, 'swapSell'],
    [instrument.suspectBand <= WHOLE, 'suspectBand', 'aboveWhole'],
    [instrument.maxSpread <= WHOLE, 'maxSpread', 'aboveWhole'],
    [freshnessMs === undefined || isFreshness(freshnessMs), 'freshnessMs'],
    [(instrument.markUp ?? 0) <= MARK_UP_MAX, 'markUp'],
  ]
}

const listingChecks = ({ maxSpread }: Instrument, listing: Listing): TermsCheck[] => [
  [isLabel(listing.showCode, 20), 'showCode', 'missing'],
  [listing.name === null || isLabel(listing.name, 80), 'name', 'missing'],
  [isLabel(listing.category, 40), 'category', 'missing'],
  [Number.isSafeInteger(listing.sort), 'sort'],
  [listing.pricePip >= 1, 'pricePip', 'belowOne'],
  [listing.typicalSpread >= 0, 'typicalSpread'],
  [listing.referencePrice > 0, 'referencePrice', 'belowOne'],
  // A typical spread above the maximum: no price would ever be accepted.
  [listing.typicalSpread * WHOLE <= maxSpread * listing.referencePrice, 'typicalSpread', 'widerThanAllowed'],
  [listing.yearlyVolatility >= 0 && listing.yearlyVolatility <= 10 * WHOLE, 'yearlyVolatility'],
]

const isLabel = (text: string, most: number): boolean => text.trim() !== '' && text.length <= most

/**
 * The currency of tradable instruments must be convertible to the account currency, also of those that this one
 * converts.
 */
function currencyChecks({ instruments, settings }: Known, instrument: Instrument): TermsCheck[] {
  const before = [...instruments.values()]
  const after = [...new Map(instruments).set(instrument.id, instrument).values()]
  const isConvertible = (all: readonly Instrument[], one: Instrument) =>
    pathToAccount(all, one, settings.accountCurrency) !== null
  const isStranded = before.some(
    (other) =>
      other.id !== instrument.id &&
      other.isEnabled &&
      isConvertible(before, other) &&
      !isConvertible(after, other),
  )
  return [
    [!instrument.isEnabled || isConvertible(after, instrument), 'quoteCurrency', 'noPair'],
    [!isStranded, 'quoteCurrency', 'stillConverts'],
  ]
}

/** A longer window probably ends before it begins. */
const LONGEST_WINDOW_MINUTES = 6 * 1_440
const WEEK_MINUTES = 7 * 1_440

function sessionChecks(session: SessionText): TermsCheck[] {
  const { windows } = defineSession(session)
  const dates = new Set(session.holidays.map(({ date }) => date))
  const named: TermsCheck[] = [
    [/^[a-z0-9][a-z0-9-]{0,29}$/.test(session.name) && session.name !== 'always', 'name', 'unreadable'],
    [dates.size === session.holidays.length, 'holidays', 'twice'],
  ]
  if (windows === 'always') return named
  const ends = windows.map(({ closes }, index) => {
    const next = windows[index + 1]?.opens ?? (windows[0]?.opens ?? 0) + WEEK_MINUTES
    return { closes, next }
  })
  return [
    ...named,
    [
      windows.every(({ opens, closes }) => closes - opens <= LONGEST_WINDOW_MINUTES),
      'windows',
      'endsBeforeItBegins',
    ],
    [ends.every(({ closes, next }) => closes <= next), 'windows', 'overlaps'],
  ]
}
