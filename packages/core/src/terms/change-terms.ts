/** Changes of terms: what may change, and with how much notice (trading-rules §10). */
import { rewatchAlerts } from '../alerts/fire-alerts.ts'
import { isConfirmed, type Operator, type OperatorRole } from '../model/author.ts'
import type { SetTerms, WithdrawTerms } from '../model/command.ts'
import { type ConversionLeg, conversionPath, pathToAccount } from '../model/currency-conversion.ts'
import type { Event, TermsSet } from '../model/event.ts'
import type { Instrument } from '../model/instrument.ts'
import { isBookable } from '../money/booking-range.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import { defineSession, type SessionText } from '../calendar/trading-session.ts'
import type { State } from '../state/state.ts'
import {
  adverseFields,
  announcedAfter,
  checkFirstRules,
  mayHaveShortNotice,
  noticeEnd,
  termsCompared,
} from './adverse-terms.ts'
import { checkBounds, recordFirstTerms } from './terms-bounds.ts'
import { checkSanity, firstWrong, type TermsCheck } from './terms-sanity.ts'
import { TERMS_RULES, type TermsChange, type TermsRules, type TradingSettings } from '../model/terms.ts'
import { type Core, needSweep } from '../state/running-core.ts'

/** New terms as an event, or a rejection. At once unless a later moment is requested. */
export function decideTerms(state: State, command: SetTerms): Event[] | Rejection {
  const { at, change, by, rules = TERMS_RULES } = command
  const effectiveAt = command.effectiveAt ?? at
  const failsSanity = () => (by.type === 'operator' ? checkSanity(state, change) : null)
  const refused = checkChange(state, change) ?? failsSanity()
  if (refused) return refused
  const changeId = state.lastChangeId + 1
  if (rules === 1)
    return (
      checkMoment(command, effectiveAt) ??
      checkFirstRules(state, command, effectiveAt) ?? [{ type: 'termsSet', changeId, effectiveAt, change }]
    )
  return (
    checkBounds(state, change, rules) ??
    checkMoment(command, effectiveAt) ??
    checkLimits(state, command, effectiveAt) ??
    checkNotice(state, command, effectiveAt) ?? [
      { type: 'termsSet', changeId, effectiveAt, change, rules },
      ...withdrawnBy(state, change, effectiveAt, rules).map(({ changeId: later }): Event => ({
        type: 'termsWithdrawn',
        changeId: later,
        rules,
      })),
    ]
  )
}

/**
 * The announced changes that a change withdraws: those of its subject that take effect later. Each contains the whole
 * value and was compared with the terms known when it was decided, so it would undo this change.
 */
const withdrawnBy = (
  state: Pick<State, 'announced'>,
  change: TermsChange,
  effectiveAt: number,
  rules: TermsRules = TERMS_RULES,
): TermsSet[] => (rules < 3 ? [] : announcedAfter(state, change, effectiveAt))

const checkMoment = ({ at }: SetTerms, effectiveAt: number): Rejection | null =>
  Number.isSafeInteger(effectiveAt) && effectiveAt >= at
    ? null
    : reject('termsInvalid', { field: 'effectiveAt', why: 'inPast' })

/** These limits are neither raised nor lowered by one operator alone. */
const LIMITS = ['fourEyesLimit', 'fourEyesOperatorLimit'] as const
const MAY_CONFIRM_LIMITS: readonly OperatorRole[] = ['compliance', 'administrator']

/** Limits above which money needs two operators are changed by two, in either direction. */
function checkLimits(state: State, command: SetTerms, effectiveAt: number): Rejection | null {
  const { at, change, by, rules } = command
  const limit = changedLimit(state, change, effectiveAt, rules)
  if (limit === null) return null
  if (by.type === 'deployment')
    return holdsRealMoney(state) ? checkFullNotice(state, change, at, effectiveAt) : null
  return isAgreedOnLimits(by) ? null : reject('secondOperatorNeeded', { field: limit })
}

const isAgreedOnLimits = (by: Operator): boolean =>
  isConfirmed(by) && by.second !== null && MAY_CONFIRM_LIMITS.includes(by.second.role)

/** The limit that a change changes, itself or by withdrawing an announced change of a limit; null for none. */
export function changedLimit(
  state: State,
  change: TermsChange,
  effectiveAt: number,
  rules?: TermsRules,
): string | null {
  const withdrawn = withdrawnBy(state, change, effectiveAt, rules)
  const limits = [{ change, effectiveAt }, ...withdrawn].map((each) => ownLimitOf(state, each))
  return limits.find((limit) => limit !== null) ?? null
}

/** The limit in which a change of settings differs from what it replaces; null for none. */
export function ownLimitOf(
  state: ComparedTerms,
  { change, effectiveAt }: Pick<TermsSet, 'change' | 'effectiveAt'>,
): string | null {
  if (change.kind !== 'settings') return null
  const { settings } = change
  const replaced = termsCompared(state, change, effectiveAt)
  return (
    LIMITS.find((limit) =>
      replaced.some((before) => before.kind === 'settings' && before.settings[limit] !== settings[limit]),
    ) ?? null
  )
}

/**
 * Adverse changes need notice. Two operators can shorten it where a market closes, a source fails or an instrument is
 * delisted. The deployment may change settings at a start, as long as no real account has money.
 */
function checkNotice(state: State, command: SetTerms, effectiveAt: number): Rejection | null {
  const { at, change, by, rules } = command
  const adverse = adverseFields(state, change, effectiveAt, rules)
  if (adverse.length === 0) return null
  if (by.type === 'deployment')
    return change.kind === 'settings' && holdsRealMoney(state)
      ? checkFullNotice(state, change, at, effectiveAt)
      : null
  const tooShort = checkFullNotice(state, change, at, effectiveAt)
  if (!tooShort || !mayHaveShortNotice(adverse)) return tooShort
  return isConfirmed(by) ? null : reject('secondOperatorNeeded', { field: adverse[0] ?? '' })
}

function checkFullNotice(state: State, change: TermsChange, at: number, effectiveAt: number) {
  const { noticeMs } = state.settings
  return effectiveAt < noticeEnd(state, change, at) ? reject('noticeTooShort', { noticeMs }) : null
}

/** True once a real account has money. */
function holdsRealMoney({ accounts }: Pick<State, 'accounts'>): boolean {
  for (const { ledger, available, frozen } of accounts.values())
    if (ledger === 'real' && (available.balance !== 0n || frozen.balance !== 0n)) return true
  return false
}

/** Withdraws an announced change that is not in force yet. One of a limit is withdrawn by two operators. */
export function decideWithdrawTerms(
  state: ComparedTerms,
  { changeId, by, rules = TERMS_RULES }: WithdrawTerms,
): Event[] | Rejection {
  const announced = state.announced.get(changeId)
  if (!announced) return reject('termsUnknown', { changeId })
  if (rules < 3) return [{ type: 'termsWithdrawn', changeId }]
  const limit = ownLimitOf(state, announced)
  return limit !== null && !isAgreedOnLimits(by)
    ? reject('secondOperatorNeeded', { field: limit })
    : [{ type: 'termsWithdrawn', changeId, rules }]
}

type ComparedTerms = Parameters<typeof termsCompared>[0]

/** The state that a change of terms is checked against. */
type KnownTerms = Pick<State, 'settings' | 'instruments' | 'calendar' | 'conversionPaths' | 'orders'>

/** Why a change of terms is invalid; null when it is valid. */
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
    [isIntegerFrom(settings.freshnessMs, 1), 'freshnessMs'],
    [Number.isSafeInteger(settings.stopOutLevel), 'stopOutLevel'],
    [Number.isSafeInteger(settings.warningLevel), 'warningLevel'],
    [isIntegerFrom(settings.maxLivingOrders, 1), 'maxLivingOrders'],
    [isIntegerFrom(settings.noticeMs, 0), 'noticeMs'],
    [settings.fourEyesLimit >= 0n, 'fourEyesLimit'],
  ])
}

/** The identity of an instrument with active orders, or of one that converts them, is fixed; its costs may change. */
function checkInstrument(state: KnownTerms, instrument: Instrument): Rejection | null {
  const before = state.instruments.get(instrument.id)
  const fixed = before && changedIdentity(before, instrument)
  if (before && fixed && (fixed === 'code' || isInUse(state, before)))
    return reject('termsFixed', { field: fixed })
  if ((!before || fixed) && changesConversion(state, instrument))
    return reject('termsFixed', { field: 'quoteCurrency' })
  const { leverages, lotMin, lotStep, lotMax } = instrument
  const isSessionKnown = instrument.session === 'always' || state.calendar.has(instrument.session)
  return firstWrong([
    [isIntegerFrom(instrument.id, 1), 'id'],
    [isIntegerFrom(instrument.priceDecimals, 0) && instrument.priceDecimals <= 10, 'priceDecimals'],
    [isIntegerFrom(instrument.contractSize, 1), 'contractSize', 'belowOne'],
    [leverages.every((value) => isIntegerFrom(value, 1)), 'leverages', 'belowOne'],
    [leverages.every((value, index) => value > (leverages[index - 1] ?? 0)), 'leverages', 'notAscending'],
    [isIntegerFrom(lotStep, 1), 'lotStep', 'belowOne'],
    [isIntegerFrom(lotMin, 1), 'lotMin', 'belowOne'],
    [lotMin % lotStep === 0, 'lotMin', 'offStep'],
    [isIntegerFrom(lotMax, lotMin), 'lotMax', 'belowMinimum'],
    [isIntegerFrom(instrument.feeRate, 0), 'feeRate'],
    [isIntegerFrom(instrument.minStopDistance, 0), 'minStopDistance'],
    [isIntegerFrom(instrument.suspectBand, 1), 'suspectBand', 'belowOne'],
    [isIntegerFrom(instrument.maxSpread, 1), 'maxSpread', 'belowOne'],
    [Number.isSafeInteger(instrument.swapRate.buy), 'swapBuy'],
    [Number.isSafeInteger(instrument.swapRate.sell), 'swapSell'],
    [isFreshness(instrument.freshnessMs ?? null), 'freshnessMs'],
    [isIntegerFrom(instrument.markUp ?? 0, 0), 'markUp'],
    ...orderChecks(instrument.sourceOrder ?? []),
    // Exposure in fixed margin mode is a fraction of the opening price, which must not be zero.
    [
      instrument.marginMode === 'leveraged' || !instrument.allowsNegativePrice,
      'allowsNegativePrice',
      'negativeNotPossible',
    ],
    [isSessionKnown, 'session', 'unknownSession'],
  ])
}

const SOURCES_MAX = 10
const SOURCE_NAME_MAX = 200

const orderChecks = (order: readonly string[]): TermsCheck[] => [
  [order.length <= SOURCES_MAX, 'sourceOrder'],
  [order.every((name) => name.trim() !== '' && name.length <= SOURCE_NAME_MAX), 'sourceOrder', 'missing'],
  [new Set(order).size === order.length, 'sourceOrder', 'repeated'],
]

const isFreshness = (ms: number | null): boolean => ms === null || isIntegerFrom(ms, 1)

const isIntegerFrom = (value: number, least: number): boolean => Number.isSafeInteger(value) && value >= least

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

/** True while it, or an instrument whose currency it converts, has an active order. */
function isInUse(state: KnownTerms, { id }: Instrument): boolean {
  for (const other of usedInstruments(state)) {
    if (other === id || state.conversionPaths.get(other)?.some((leg) => leg.instrument.id === id)) return true
  }
  return false
}

/** Instruments with active orders. */
function usedInstruments({ orders }: KnownTerms): Set<number> {
  const used = new Set<number>()
  for (const { instrumentId } of orders.values()) used.add(instrumentId)
  return used
}

/**
 * True when it would change the conversion of active orders. The new pair may have no price yet, and until it has one
 * their accounts' equity would be unknown.
 */
function changesConversion(state: KnownTerms, instrument: Instrument): boolean {
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

/** The invalid part of a schedule; null when it is valid. */
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

/** True for a change that is adverse compared with the terms in force, or with those announced to apply before it. */
export const isAdverse = (
  state: Parameters<typeof adverseFields>[0],
  change: TermsChange,
  effectiveAt: number,
): boolean => adverseFields(state, change, effectiveAt).length > 0

/** Applies terms at once, or keeps them until their moment is reported. */
export function setTerms(core: Core, event: TermsSet, at: number): void {
  const { state } = core
  state.lastChangeId = Math.max(state.lastChangeId, event.changeId)
  if (event.effectiveAt > at) state.announced.set(event.changeId, withoutRules(event))
  else applyTerms(core, event.change)
}

/** The version of the rules is not needed for an announced change. */
const withoutRules = ({ rules: _, ...event }: TermsSet): TermsSet => event

/** Applies announced terms. */
export function bringTermsIntoEffect(core: Core, changeId: number): void {
  const { state } = core
  const announced = state.announced.get(changeId)
  if (!announced) throw new Error(`an event names change of terms ${changeId}, which was not announced`)
  state.announced.delete(changeId)
  applyTerms(core, announced.change)
}

function applyTerms(core: Core, change: TermsChange): void {
  const { state } = core
  state.termsVersion += 1
  recordFirstTerms(state, change)
  switch (change.kind) {
    case 'settings':
      applySettings(core, change.settings)
      return
    case 'instrument':
      forgetOldPrice(state, change.instrument)
      state.instruments.set(change.instrument.id, change.instrument)
      rewatchAlerts(core, ({ instrumentId }) => instrumentId === change.instrument.id)
      if (change.listing) state.listings.set(change.instrument.id, change.listing)
      findConversionPaths(state)
      if (!change.instrument.isEnabled) needSweep(core.sweep)
      return
    case 'calendar':
      state.calendar.set(change.session.name, defineSession(change.session))
      rewatchAlerts(core, ({ kind }) => kind === 'dayMove')
      return
    case 'source':
      state.sources.set(change.instrumentId, change.source)
      return
  }
}

/** A price with other decimals or currencies is invalid: nothing fills until there is a new one. */
function forgetOldPrice(state: State, after: Instrument): void {
  const before = state.instruments.get(after.id)
  if (before && PRICED_IN.some((field) => before[field] !== after[field])) state.quotes.delete(after.id)
}

const PRICED_IN = ['priceDecimals', 'baseCurrency', 'quoteCurrency'] as const

/** Another stop-out level changes the stop-out price bands of all accounts. */
function applySettings({ state, dirtyAccounts }: Core, settings: TradingSettings): void {
  const { accountCurrency, stopOutLevel } = state.settings
  state.settings = settings
  if (settings.accountCurrency !== accountCurrency) findConversionPaths(state)
  if (settings.stopOutLevel === stopOutLevel) return
  for (const account of state.accounts.values()) if (account.margin > 0n) dirtyAccounts.add(account.id)
}

/** Paths refer to instrument objects, so every change of an instrument changes all paths. */
function findConversionPaths(state: State): void {
  const { accountCurrency } = state.settings
  const instruments = [...state.instruments.values()]
  for (const instrument of instruments) {
    state.conversionPaths.set(instrument.id, pathToAccount(instruments, instrument, accountCurrency))
  }
}
