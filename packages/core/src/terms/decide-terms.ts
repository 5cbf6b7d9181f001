/** Changes of terms: what may change, and how long beforehand it is shown (trading-rules §10). */
import { isConfirmed, type Operator } from '../author.ts'
import type { SetTerms, WithdrawTerms } from '../command.ts'
import { conversionPath, type ConversionLeg } from '../money/currency-conversion.ts'
import type { Event } from '../event.ts'
import type { Instrument } from './instrument.ts'
import { isBookable } from '../money/booking-range.ts'
import { reject, type Rejection } from '../rejection.ts'
import { defineSession, type SessionText } from '../trading-hours/session-text.ts'
import type { State } from '../state.ts'
import { checkSense, firstWrong, type TermsCheck } from './terms-sense.ts'
import type { TermsChange, TradingSettings } from './terms.ts'

/** New terms as an event, or why they may not be. At once where no later moment is asked for. */
export function decideTerms(state: State, command: SetTerms): Event[] | Rejection {
  const { at, change, by } = command
  const effectiveAt = command.effectiveAt ?? at
  const senseless = () => (by.type === 'operator' ? checkSense(state, change) : null)
  const refused = checkChange(state, change) ?? senseless() ?? checkLimit(state, command)
  if (refused) return refused
  if (effectiveAt < at) return reject('termsInvalid', { field: 'effectiveAt', why: 'inPast' })
  const notice = effectiveAt - at
  // Whoever runs the deployment says so in the journal; operators give traders time.
  if (
    by.type === 'operator' &&
    isWorse(state, change, effectiveAt) &&
    notice < state.settings.noticeMs &&
    !isConfirmed(by)
  )
    return reject('noticeTooShort', { noticeMs: state.settings.noticeMs })
  return [{ type: 'termsSet', changeId: state.lastChangeId + 1, effectiveAt, change }]
}

/** What only two people may do is not opened to one by one alone. */
function checkLimit({ settings }: Pick<State, 'settings'>, { change, by }: SetTerms): Rejection | null {
  if (by.type !== 'operator' || isConfirmed(by) || change.kind !== 'settings') return null
  const { fourEyesLimit: limit } = settings
  return change.settings.fourEyesLimit > limit ? reject('secondOperatorNeeded', { limit }) : null
}

/** What was announced and is not in force yet can be taken back. */
export const decideWithdrawTerms = (
  state: Pick<State, 'announced'>,
  { changeId }: WithdrawTerms,
): Event[] | Rejection =>
  state.announced.has(changeId)
    ? [{ type: 'termsWithdrawn', changeId }]
    : reject('termsUnknown', { changeId })

/** What a change of terms is measured by. */
type KnownTerms = Pick<State, 'settings' | 'instruments' | 'calendar' | 'conversionPaths' | 'orders'>

/** Why a change of terms cannot hold; null when it can. */
export function checkChange(state: KnownTerms, change: TermsChange): Rejection | null {
  switch (change.kind) {
    case 'settings':
      return checkSettings(state, change.settings)
    case 'instrument':
      return checkInstrument(state, change.instrument)
    case 'calendar':
      return checkSession(change.session)
    case 'source':
      if (!state.instruments.has(change.instrumentId)) return reject('unknownInstrument')
      return firstWrong([[isFreshness(change.source.freshnessMs), 'freshnessMs']])
  }
}

function checkSettings(state: KnownTerms, settings: TradingSettings): Rejection | null {
  const { accountCurrency } = state.settings
  if (accountCurrency !== '' && settings.accountCurrency !== accountCurrency)
    return reject('termsFixed', { field: 'accountCurrency' })
  return firstWrong([
    [/^[A-Z]{3}$/.test(settings.accountCurrency), 'accountCurrency'],
    [settings.demoBalance >= 0n && isBookable(settings.demoBalance), 'demoBalance'],
    [isWhole(settings.freshnessMs, 1), 'freshnessMs'],
    [Number.isSafeInteger(settings.stopOutLevel), 'stopOutLevel'],
    [Number.isSafeInteger(settings.warningLevel), 'warningLevel'],
    [isWhole(settings.maxLivingOrders, 1), 'maxLivingOrders'],
    [isWhole(settings.noticeMs, 0), 'noticeMs'],
    [settings.fourEyesLimit >= 0n, 'fourEyesLimit'],
  ])
}

/** An instrument that orders live on, or are converted by, stays what it is; what it costs may change. */
function checkInstrument(state: KnownTerms, instrument: Instrument): Rejection | null {
  const before = state.instruments.get(instrument.id)
  const fixed = before && changedIdentity(before, instrument)
  if (before && fixed && (fixed === 'code' || isInUse(state, before)))
    return reject('termsFixed', { field: fixed })
  if ((!before || fixed) && turnsMoneyAway(state, instrument))
    return reject('termsFixed', { field: 'quoteCurrency' })
  const { leverages, lotMin, lotStep, lotMax } = instrument
  const isSessionKnown = instrument.session === 'always' || state.calendar.has(instrument.session)
  return firstWrong([
    [isWhole(instrument.id, 1), 'id'],
    [isWhole(instrument.priceDecimals, 0) && instrument.priceDecimals <= 10, 'priceDecimals'],
    [isWhole(instrument.contractSize, 1), 'contractSize', 'belowOne'],
    [leverages.every((value) => isWhole(value, 1)), 'leverages', 'belowOne'],
    [leverages.every((value, index) => value > (leverages[index - 1] ?? 0)), 'leverages', 'notAscending'],
    [isWhole(lotStep, 1), 'lotStep', 'belowOne'],
    [isWhole(lotMin, 1), 'lotMin', 'belowOne'],
    [lotMin % lotStep === 0, 'lotMin', 'offStep'],
    [isWhole(lotMax, lotMin), 'lotMax', 'belowMinimum'],
    [isWhole(instrument.feeRate, 0), 'feeRate'],
    [isWhole(instrument.minStopDistance, 0), 'minStopDistance'],
    [isWhole(instrument.suspectBand, 1), 'suspectBand', 'belowOne'],
    [isWhole(instrument.maxSpread, 1), 'maxSpread', 'belowOne'],
    [Number.isSafeInteger(instrument.swapRate.buy), 'swapBuy'],
    [Number.isSafeInteger(instrument.swapRate.sell), 'swapSell'],
    [isFreshness(instrument.freshnessMs ?? null), 'freshnessMs'],
    [isWhole(instrument.markUp ?? 0, 0), 'markUp'],
    ...orderChecks(instrument.sourceOrder ?? []),
    // Exposure of a fixed margin is a share of the opening price, which must not be zero.
    [
      instrument.marginMode === 'leveraged' || !instrument.allowsNegativePrice,
      'allowsNegativePrice',
      'negativeNotPossible',
    ],
    [isSessionKnown, 'session', 'unknownSession'],
  ])
}

const SOURCES_MOST = 10
const SOURCE_NAME_MOST = 200

const orderChecks = (order: readonly string[]): TermsCheck[] => [
  [order.length <= SOURCES_MOST, 'sourceOrder'],
  [order.every((name) => name.trim() !== '' && name.length <= SOURCE_NAME_MOST), 'sourceOrder', 'missing'],
  [new Set(order).size === order.length, 'sourceOrder', 'repeated'],
]

const isFreshness = (ms: number | null): boolean => ms === null || isWhole(ms, 1)

const isWhole = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least

const IDENTITY = [
  'code',
  'priceDecimals',
  'quoteCurrency',
  'baseCurrency',
  'contractSize',
  'marginMode',
] as const

const changedIdentity = (before: Instrument, after: Instrument) =>
  IDENTITY.find((field) => before[field] !== after[field])

/** True while an order lives on it, or on an instrument whose money it converts. */
function isInUse(state: KnownTerms, { id }: Instrument): boolean {
  for (const other of usedInstruments(state)) {
    if (other === id || state.conversionPaths.get(other)?.some((leg) => leg.instrument.id === id)) return true
  }
  return false
}

/** Those that orders live on. */
function usedInstruments({ orders }: KnownTerms): Set<number> {
  const used = new Set<number>()
  for (const { instrumentId } of orders.values()) used.add(instrumentId)
  return used
}

/**
 * True when it would lead the money of living orders another way. The new pair may have no price yet: until it came nobody
 * would know what their accounts are worth.
 */
function turnsMoneyAway(state: KnownTerms, instrument: Instrument): boolean {
  const after = [...new Map(state.instruments).set(instrument.id, instrument).values()]
  const { accountCurrency } = state.settings
  for (const id of usedInstruments(state)) {
    const used = state.instruments.get(id)
    if (!used || used.marginMode === 'fixed') continue
    const path = conversionPath(after, used.quoteCurrency, accountCurrency)
    if (!isSamePath(path, state.conversionPaths.get(id))) return true
  }
  return false
}

const isSamePath = (a: readonly ConversionLeg[] | null, b: readonly ConversionLeg[] | null | undefined) =>
  a?.length === b?.length && (a ?? []).every((leg, index) => leg.instrument.id === b?.[index]?.instrument.id)

/** Which part of a schedule cannot be read; null when all of it can. */
function checkSession(session: SessionText): Rejection | null {
  const parts = [
    ['zone', { ...session, windows: 'always', holidays: [] }],
    ['windows', { ...session, holidays: [] }],
    ['holidays', session],
  ] as const
  return firstWrong(parts.map(([field, part]) => [isReadable(part), field, 'unreadable']))
}

function isReadable(session: SessionText): boolean {
  try {
    defineSession(session)
    return true
  } catch {
    return false
  }
}

/**
 * True for a change to the traders' disadvantage: dearer, less leverage, a wider price, an earlier stop-out, a shorter notice. It is compared with
 * what is in force, and with what was announced to hold before it: a better offer is not taken back unseen.
 */
export function isWorse(
  state: Pick<State, 'settings' | 'instruments' | 'announced'>,
  change: TermsChange,
  effectiveAt: number,
): boolean {
  const announced = [...state.announced.values()].filter((other) => other.effectiveAt <= effectiveAt)
  const befores = announced.map((other) => other.change)
  if (change.kind === 'settings') {
    const known = befores.flatMap((before) => (before.kind === 'settings' ? before.settings : []))
    return [state.settings, ...known].some((before) => areWorse(change.settings, before))
  }
  if (change.kind !== 'instrument') return false
  const { instrument } = change
  const inForce = state.instruments.get(instrument.id)
  const known = befores.flatMap((before) => (before.kind === 'instrument' ? before.instrument : []))
  return [...(inForce ? [inForce] : []), ...known.filter(({ id }) => id === instrument.id)].some((before) =>
    isDearer(instrument, before),
  )
}

const areWorse = (after: TradingSettings, before: TradingSettings): boolean =>
  after.stopOutLevel > before.stopOutLevel ||
  after.feeType !== before.feeType ||
  after.noticeMs < before.noticeMs

const isDearer = (after: Instrument, before: Instrument): boolean =>
  after.feeRate > before.feeRate ||
  after.swapRate.buy < before.swapRate.buy ||
  after.swapRate.sell < before.swapRate.sell ||
  (after.markUp ?? 0) > (before.markUp ?? 0) ||
  before.leverages.some((offered) => !after.leverages.includes(offered))

/** Refused where the second person of an act is the first again. */
export const checkOperator = (by: Operator): Rejection | null =>
  by.second !== null && !isConfirmed(by) ? reject('sameOperator') : null
