/** Terms that could hold and yet make no sense: what a person has mistyped. The deployment's own configuration is not asked. */
import { pathToAccount } from '../money/currency-conversion.ts'
import { reject, type Rejection } from '../rejection.ts'
import type { State } from '../state.ts'
import { defineSession, type SessionText } from '../trading-hours/session-text.ts'
import type { Instrument } from './instrument.ts'
import type { Listing, TermsChange, TradingSettings } from './terms.ts'

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

/** Whether a field is right, its name, and what is wrong with it otherwise. */
export type TermsCheck = readonly [isRight: boolean, field: string, why?: TermsProblem]

/** The first field that is wrong, as a refusal; null when none is. */
export function firstWrong(checks: readonly TermsCheck[]): Rejection | null {
  const wrong = checks.find(([isRight]) => !isRight)
  return wrong ? reject('termsInvalid', { field: wrong[1], why: wrong[2] ?? 'outOfRange' }) : null
}

type Known = Pick<State, 'settings' | 'instruments' | 'listings'>

/** One whole: a fee of all the margin, a band of all the price. In 1e-6. */
const WHOLE = 1_000_000
/** A night that costs more than ten times the position a year, in 1e-6 percent. */
const SWAP_MOST = 1_000_000_000
/** A tenth of the price on each side, in 1e-6. */
const MARK_UP_MOST = 100_000
const DAY_MS = 86_400_000
const FRESHNESS_LEAST_MS = 100
const LEVERAGE_MOST = 1_000
/** Units of a lot, or of money that a lot holds back where the margin is fixed. */
const CONTRACT_SIZE_MOST = 1_000_000_000

/** Why an operator cannot have meant this; null when they can. What made no sense before may stay: it is not what they change. */
export function checkSense(state: Known, change: TermsChange): Rejection | null {
  const before = inForce(state, change)
  const known = before ? checksOf(state, before) : []
  const news = checksOf(state, change).filter((_check, index) => known[index]?.[0] !== false)
  return firstWrong(news)
}

/** What a change replaces, as a change of its own. */
function inForce({ settings, instruments, listings }: Known, change: TermsChange): TermsChange | null {
  if (change.kind === 'settings') return { kind: 'settings', settings }
  if (change.kind !== 'instrument') return null
  const { id } = change.instrument
  const [instrument, listing] = [instruments.get(id), listings.get(id) ?? null]
  return instrument ? { kind: 'instrument', instrument, listing: change.listing && listing } : null
}

function checksOf(state: Known, change: TermsChange): TermsCheck[] {
  switch (change.kind) {
    case 'settings':
      return senseOfSettings(change.settings)
    case 'instrument':
      return [
        ...senseOfInstrument(state, change.instrument),
        ...senseOfCurrencies(state, change.instrument),
        ...(change.listing ? senseOfListing(change.instrument, change.listing) : []),
      ]
    case 'calendar':
      return senseOfSession(change.session)
    case 'source':
      return []
  }
}

const senseOfSettings = (settings: TradingSettings): TermsCheck[] => [
  [settings.stopOutLevel >= 1, 'stopOutLevel', 'belowOne'],
  [settings.warningLevel >= settings.stopOutLevel, 'warningLevel', 'belowStopOut'],
  [isFreshness(settings.freshnessMs), 'freshnessMs'],
  [settings.demoBalance > 0n, 'demoBalance', 'belowOne'],
  [settings.noticeMs <= 365 * DAY_MS, 'noticeMs'],
]

const isFreshness = (ms: number): boolean => ms >= FRESHNESS_LEAST_MS && ms <= DAY_MS

function senseOfInstrument({ instruments, settings }: Known, instrument: Instrument): TermsCheck[] {
  const { id, code, feeRate, swapRate, leverages, lotMax, lotStep, freshnessMs } = instrument
  const isTaken = [...instruments.values()].some((other) => other.id !== id && other.code === code)
  return [
    [/^[A-Z0-9][A-Z0-9._-]{0,19}$/i.test(code), 'code', 'unreadable'],
    [!isTaken, 'code', 'taken'],
    [/^[A-Z0-9]{2,12}$/.test(instrument.baseCurrency), 'baseCurrency', 'notACurrency'],
    [/^[A-Z]{3,5}$/.test(instrument.quoteCurrency), 'quoteCurrency', 'notACurrency'],
    [instrument.baseCurrency !== instrument.quoteCurrency, 'baseCurrency', 'taken'],
    [leverages.every((leverage) => leverage <= LEVERAGE_MOST), 'leverages'],
    [instrument.contractSize <= CONTRACT_SIZE_MOST, 'contractSize'],
    [lotMax % lotStep === 0, 'lotMax', 'offStep'],
    [settings.feeType === 'fixed' || feeRate <= WHOLE, 'feeRate', 'aboveWhole'],
    [Math.abs(swapRate.buy) <= SWAP_MOST, 'swapBuy'],
    [Math.abs(swapRate.sell) <= SWAP_MOST, 'swapSell'],
    [instrument.suspectBand <= WHOLE, 'suspectBand', 'aboveWhole'],
    [instrument.maxSpread <= WHOLE, 'maxSpread', 'aboveWhole'],
    [freshnessMs === undefined || isFreshness(freshnessMs), 'freshnessMs'],
    [(instrument.markUp ?? 0) <= MARK_UP_MOST, 'markUp'],
  ]
}

const senseOfListing = ({ maxSpread }: Instrument, listing: Listing): TermsCheck[] => [
  [isLabel(listing.showCode, 20), 'showCode', 'missing'],
  [listing.name === null || isLabel(listing.name, 80), 'name', 'missing'],
  [isLabel(listing.category, 40), 'category', 'missing'],
  [Number.isSafeInteger(listing.sort), 'sort'],
  [listing.pricePip >= 1, 'pricePip', 'belowOne'],
  [listing.typicalSpread >= 0, 'typicalSpread'],
  [listing.referencePrice > 0, 'referencePrice', 'belowOne'],
  // Wider than what is let in: no price of it would ever count.
  [listing.typicalSpread * WHOLE <= maxSpread * listing.referencePrice, 'typicalSpread', 'widerThanAllowed'],
  [listing.yearlyVolatility >= 0 && listing.yearlyVolatility <= 10 * WHOLE, 'yearlyVolatility'],
]

const isLabel = (text: string, most: number): boolean => text.trim() !== '' && text.length <= most

/** The money of what is on offer has to reach the account currency, also that of others which this one converts. */
function senseOfCurrencies({ instruments, settings }: Known, instrument: Instrument): TermsCheck[] {
  const before = [...instruments.values()]
  const after = [...new Map(instruments).set(instrument.id, instrument).values()]
  const leads = (all: readonly Instrument[], one: Instrument) =>
    pathToAccount(all, one, settings.accountCurrency) !== null
  const isStranded = before.some(
    (other) => other.id !== instrument.id && other.isEnabled && leads(before, other) && !leads(after, other),
  )
  return [
    [!instrument.isEnabled || leads(after, instrument), 'quoteCurrency', 'noPair'],
    [!isStranded, 'quoteCurrency', 'stillConverts'],
  ]
}

/** No window is longer: one that seems to be ends before it begins. */
const LONGEST_WINDOW_MINUTES = 6 * 1_440
const WEEK_MINUTES = 7 * 1_440

function senseOfSession(session: SessionText): TermsCheck[] {
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
