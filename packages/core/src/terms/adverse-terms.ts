/** Which changes of terms are adverse for users, and how much notice they need (trading-rules §10). */
import type { State } from '../state/state.ts'
import { copyingOf } from '../model/copying.ts'
import { openingHours } from '../model/opening-hours.ts'
import { defineSession, marketStatus, type MarketStatus, sessionText } from '../calendar/trading-session.ts'
import type { Instrument } from '../model/instrument.ts'
import {
  TERMS_RULES,
  type InstrumentSource,
  type Listing,
  type TermsChange,
  type TermsRules,
  type TradingSettings,
} from '../model/terms.ts'
import { isConfirmed } from '../model/author.ts'
import type { SetTerms } from '../model/command.ts'
import type { TermsSet } from '../model/event.ts'
import { reject, type Rejection } from '../model/rejection.ts'

/** Whether a value is worse than the one before it. */
type Comparison<Value> = (after: Value, before: Value) => boolean
type Comparisons<Terms> = { readonly [Field in keyof Required<Terms>]: Comparison<Terms[Field]> }

const never = (): boolean => false
const isDifferent = (after: unknown, before: unknown): boolean => after !== before
const isHigher = (after: number, before: number): boolean => after > before
const isLower = (after: number, before: number): boolean => after < before

/** Every change is adverse, except those that can only be better. */
const INSTRUMENT: Comparisons<Instrument> = {
  id: never,
  code: isDifferent,
  quoteCurrency: isDifferent,
  baseCurrency: isDifferent,
  priceDecimals: isDifferent,
  contractSize: isDifferent,
  marginMode: isDifferent,
  leverages: (after, before) => before.some((offered) => !after.includes(offered)),
  lotStep: isDifferent,
  lotMin: isHigher,
  lotMax: isLower,
  feeRate: isHigher,
  minStopDistance: isHigher,
  allowsNegativePrice: isDifferent,
  suspectBand: isDifferent,
  maxSpread: isDifferent,
  markUp: (after, before) => (after ?? 0) > (before ?? 0),
  session: isDifferent,
  swapRate: (after, before) => after.buy < before.buy || after.sell < before.sell,
  tripleSwapDay: isDifferent,
  isEnabled: (after, before) => before && !after,
  sourceOrder: (after, before) => isDifferent((after ?? []).join('\n'), (before ?? []).join('\n')),
  freshnessMs: isDifferent,
}

/** Texts and the order of lists are never adverse; figures behind prices may be. */
const LISTING: Comparisons<Listing> = {
  showCode: never,
  name: never,
  category: never,
  logo: never,
  sort: never,
  pricePip: never,
  typicalSpread: isDifferent,
  referencePrice: isDifferent,
  yearlyVolatility: isDifferent,
}

/** A change of any setting of copying is adverse: all of them concern running copies or strategies. */
const isDifferentCopying = (
  after: TradingSettings['copying'],
  before: TradingSettings['copying'],
): boolean => {
  const [next, last] = [copyingOf({ copying: after }), copyingOf({ copying: before })]
  return (Object.keys(next) as (keyof typeof next)[]).some((name) => next[name] !== last[name])
}

/** The limits of two operators concern operators, not users: two operators change them, in either direction. */
const SETTINGS: Comparisons<TradingSettings> = {
  accountCurrency: isDifferent,
  feeType: isDifferent,
  demoBalance: isDifferent,
  freshnessMs: isDifferent,
  warningLevel: isDifferent,
  stopOutLevel: isHigher,
  maxLivingOrders: isDifferent,
  noticeMs: isDifferent,
  fourEyesLimit: never,
  fourEyesOperatorLimit: never,
  copying: isDifferentCopying,
}

const SOURCE: Comparisons<InstrumentSource> = {
  kind: isDifferent,
  hours: isDifferent,
  freshnessMs: isDifferent,
  name: isDifferent,
}

/**
 * Fields that may change at short notice with two operators: markets close, sources fail, instruments are delisted.
 */
const SHORT_NOTICE: ReadonlySet<string> = new Set(['session', 'isEnabled', 'sourceOrder', 'hours', 'source'])

/** True when all adverse fields may change at short notice, with a second operator. */
export const mayHaveShortNotice = (fields: readonly string[]): boolean =>
  fields.every((field) => SHORT_NOTICE.has(field))

function adverseAmong<Terms extends object>(
  comparisons: Comparisons<Terms>,
  after: Terms,
  before: Terms,
): string[] {
  return (Object.keys(comparisons) as (keyof Terms & string)[]).filter((field) =>
    comparisons[field](after[field], before[field]),
  )
}

/**
 * The adverse fields of a change, compared with the terms it replaces: `hours` for a schedule, `source` for a source
 * except its freshness, which was part of it before version 3 of the rules.
 */
function adverseAgainst(after: TermsChange, before: TermsChange, rules: TermsRules): string[] {
  if (after.kind === 'settings' && before.kind === 'settings')
    return adverseAmong(SETTINGS, after.settings, before.settings)
  if (after.kind === 'instrument' && before.kind === 'instrument') {
    const listed = after.listing && before.listing ? adverseAmong(LISTING, after.listing, before.listing) : []
    return [...adverseAmong(INSTRUMENT, after.instrument, before.instrument), ...listed]
  }
  if (after.kind === 'calendar' && before.kind === 'calendar')
    return scheduleOf(after) === scheduleOf(before) ? [] : ['hours']
  if (after.kind === 'source' && before.kind === 'source') {
    const fields = adverseAmong(SOURCE, after.source, before.source)
    return fields.map((field) => (rules >= 3 && field === 'freshnessMs' ? field : 'source'))
  }
  return []
}

const scheduleOf = ({ session }: Extract<TermsChange, { kind: 'calendar' }>): string => {
  const { zone, windows, holidays } = sessionText(defineSession(session))
  return JSON.stringify([zone, windows, holidays.toSorted((a, b) => (a.date < b.date ? -1 : 1))])
}

type Known = Pick<State, 'settings' | 'instruments' | 'listings' | 'calendar' | 'sources' | 'announced'>

/** The terms in force that a change replaces, as a change; null where it adds new ones. */
export function termsReplaced(
  { settings, instruments, listings, calendar, sources }: Omit<Known, 'announced'>,
  change: TermsChange,
): TermsChange | null {
  switch (change.kind) {
    case 'settings':
      return { kind: 'settings', settings }
    case 'instrument': {
      const { id } = change.instrument
      const instrument = instruments.get(id)
      return instrument ? { kind: 'instrument', instrument, listing: listings.get(id) ?? null } : null
    }
    case 'calendar': {
      const session = calendar.get(change.session.name)
      return session ? { kind: 'calendar', session: sessionText(session) } : null
    }
    case 'source': {
      const source = sources.get(change.instrumentId)
      return source ? { kind: 'source', instrumentId: change.instrumentId, source } : null
    }
  }
}

/** The terms a change is compared with: those in force, and those announced to apply before it. */
export function termsCompared(state: Known, change: TermsChange, effectiveAt: number): TermsChange[] {
  const subject = subjectOf(change)
  const inForce = termsReplaced(state, change)
  const announced = [...state.announced.values()]
    .filter((other) => other.effectiveAt <= effectiveAt && subjectOf(other.change) === subject)
    .map((other) => other.change)
  return [...(inForce ? [inForce] : []), ...announced]
}

/** Announced changes of the same subject that take effect later than `effectiveAt`. */
export function announcedAfter(
  { announced }: Pick<State, 'announced'>,
  change: TermsChange,
  effectiveAt: number,
): TermsSet[] {
  const subject = subjectOf(change)
  return [...announced.values()].filter(
    (other) => other.effectiveAt > effectiveAt && subjectOf(other.change) === subject,
  )
}

const subjectOf = (change: TermsChange): string => {
  switch (change.kind) {
    case 'settings':
      return 'settings'
    case 'instrument':
      return `instrument ${change.instrument.id}`
    case 'calendar':
      return `calendar ${change.session.name}`
    case 'source':
      return `source ${change.instrumentId}`
  }
}

/** The adverse fields of a change. */
export function adverseFields(
  state: Known,
  change: TermsChange,
  effectiveAt: number,
  rules: TermsRules = TERMS_RULES,
): string[] {
  const fields = termsCompared(state, change, effectiveAt).flatMap((before) =>
    adverseAgainst(change, before, rules),
  )
  return [...new Set(fields)]
}

/**
 * When a notice that begins at `at` is over (epoch ms): counted in hours in which the instrument is open by the terms
 * in force, for settings in calendar time. Infinity where the market is never open that long.
 */
export function noticeEnd(
  state: Pick<State, 'settings' | 'instruments' | 'calendar' | 'sources'>,
  change: TermsChange,
  at: number,
  noticeMs = state.settings.noticeMs,
): number {
  const statusAt = hoursOf(state, change)
  let [moment, left] = [at, noticeMs]
  while (statusAt && left > 0) {
    const { isOpen, changesAt } = statusAt(moment)
    if (changesAt === null) return isOpen ? moment + left : Infinity
    if (isOpen && moment + left <= changesAt) break
    if (isOpen) left -= changesAt - moment
    moment = changesAt
  }
  return moment + left
}

/** The hours that count as notice; null: around the clock. */
function hoursOf(
  { instruments, calendar, sources }: Pick<State, 'instruments' | 'calendar' | 'sources'>,
  change: TermsChange,
): ((at: number) => MarketStatus) | null {
  switch (change.kind) {
    case 'settings':
      return null
    case 'calendar': {
      const { name } = change.session
      return calendar.has(name) ? (at) => marketStatus(calendar, name, at) : null
    }
    case 'instrument':
    case 'source': {
      const instrument = instruments.get(
        change.kind === 'source' ? change.instrumentId : change.instrument.id,
      )
      const hours = openingHours(calendar, sources)
      return instrument ? (at) => hours(instrument, at) : null
    }
  }
}

/**
 * Notice by the first rules of terms, by which older journals were decided: few terms counted as adverse, two
 * operators needed no notice, and nothing had limits. Only `verify` uses them.
 */

/** The rejections by the first rules. `effectiveAt` is not in the past. */
export function checkFirstRules(state: State, command: SetTerms, effectiveAt: number): Rejection | null {
  const { at, change, by } = command
  if (by.type !== 'operator' || isConfirmed(by)) return null
  const { fourEyesLimit: limit, noticeMs } = state.settings
  if (change.kind === 'settings' && change.settings.fourEyesLimit > limit)
    return reject('secondOperatorNeeded', { limit })
  const isShort = effectiveAt - at < noticeMs
  return isShort && isAdverseByFirstRules(state, change, effectiveAt)
    ? reject('noticeTooShort', { noticeMs })
    : null
}

const isAdverseByFirstRules = (state: State, change: TermsChange, effectiveAt: number): boolean =>
  termsCompared(state, change, effectiveAt).some((before) => {
    if (change.kind === 'settings' && before.kind === 'settings')
      return areSettingsWorse(change.settings, before.settings)
    return change.kind === 'instrument' && before.kind === 'instrument'
      ? isInstrumentWorse(change.instrument, before.instrument)
      : false
  })

const areSettingsWorse = (after: TradingSettings, before: TradingSettings): boolean =>
  after.stopOutLevel > before.stopOutLevel ||
  after.feeType !== before.feeType ||
  after.noticeMs < before.noticeMs

const isInstrumentWorse = (after: Instrument, before: Instrument): boolean =>
  after.feeRate > before.feeRate ||
  after.swapRate.buy < before.swapRate.buy ||
  after.swapRate.sell < before.swapRate.sell ||
  (after.markUp ?? 0) > (before.markUp ?? 0) ||
  before.leverages.some((offered) => !after.leverages.includes(offered))
