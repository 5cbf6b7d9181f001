/**
 * Which changes of terms are adverse, how much notice they need, and which are forbidden, in the reference model
 * (trading-rules §10).
 */
import type { Operator, SetTerms } from '../../src/index.ts'
import type { PlainInstrument, PlainTermsChange } from '../plain-types.ts'
import type { Faults } from './refusals.ts'
import {
  balanceAt,
  frozenAccount,
  userAccount,
  type ReferenceAnnounced,
  type ReferenceModel,
} from './state.ts'

type Change<Kind extends PlainTermsChange['kind']> = Extract<PlainTermsChange, { kind: Kind }>
type Settings = Change<'settings'>['settings']

/** Terms of the same subject that are in force or announced to be before a moment. */
function termsReplaced(
  model: ReferenceModel,
  change: PlainTermsChange,
  effectiveAt: number,
): PlainTermsChange[] {
  const inForce: PlainTermsChange[] = [
    { kind: 'settings', settings: model.settings as Settings },
    ...model.instruments.map((instrument): PlainTermsChange => ({
      kind: 'instrument',
      instrument,
      listing: null,
    })),
  ]
  if (change.kind === 'calendar') {
    const session = model.hours.sessionOf(change.session.name)
    if (session) inForce.push({ kind: 'calendar', session })
  }
  if (change.kind === 'source') {
    const source = model.hours.sourceOf(change.instrumentId)
    if (source) inForce.push({ kind: 'source', instrumentId: change.instrumentId, source })
  }
  const announced = model.announced.filter((one) => one.effectiveAt <= effectiveAt).map((one) => one.change)
  return [...inForce, ...announced].filter((before) => subjectOf(before) === subjectOf(change))
}

const subjectOf = (change: PlainTermsChange): string => {
  if (change.kind === 'instrument') return `instrument ${change.instrument.id}`
  if (change.kind === 'calendar') return `hours ${change.session.name}`
  return change.kind === 'source' ? `source ${change.instrumentId}` : 'settings'
}

/** What is announced about the subject of a change for a moment after it. */
export const announcedLater = (
  model: ReferenceModel,
  change: PlainTermsChange,
  effectiveAt: number,
): ReferenceAnnounced[] =>
  model.announced.filter(
    (one) => one.effectiveAt > effectiveAt && subjectOf(one.change) === subjectOf(change),
  )

/** Fields that differ, unless they can only be better for users. */
function adverseBetween(before: PlainTermsChange, after: PlainTermsChange): string[] {
  if (before.kind === 'settings' && after.kind === 'settings') {
    const isBetter = { stopOutLevel: after.settings.stopOutLevel < before.settings.stopOutLevel }
    return worseFields(before.settings, after.settings, isBetter).filter(
      (name) => name !== 'fourEyesLimit' && name !== 'fourEyesOperatorLimit',
    )
  }
  if (before.kind === 'instrument' && after.kind === 'instrument')
    return worseFields(
      withDefaults(before.instrument),
      withDefaults(after.instrument),
      betterTerms(before.instrument, after.instrument),
    )
  if (before.kind === 'calendar' && after.kind === 'calendar')
    return worseFields(normalised(before.session), normalised(after.session)).length > 0 ? ['calendar'] : []
  if (before.kind === 'source' && after.kind === 'source')
    return worseFields(before.source, after.source).map((name) =>
      name === 'freshnessMs' ? 'freshnessMs' : 'source',
    )
  return []
}

const withDefaults = (terms: PlainInstrument) => ({
  ...terms,
  markUp: terms.markUp ?? 0,
  sourceOrder: terms.sourceOrder ?? [],
  freshnessMs: terms.freshnessMs ?? null,
})

/** Windows and days in the order of time, whatever the order in which they were written. */
const normalised = ({ zone, windows, holidays }: Change<'calendar'>['session']) => ({
  zone,
  windows: windows
    .split(';')
    .map((window) => window.trim())
    .toSorted((a, b) => openingOf(a) - openingOf(b)),
  holidays: holidays.map(({ date, closesAt }) => `${date} ${closesAt}`).toSorted(),
})

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const openingOf = (window: string): number =>
  DAYS.indexOf(window.slice(0, 3)) * 1440 + Number(window.slice(4, 6)) * 60 + Number(window.slice(7, 9))

const betterTerms = (before: PlainInstrument, after: PlainInstrument): Readonly<Record<string, boolean>> => ({
  feeRate: after.feeRate < before.feeRate,
  markUp: (after.markUp ?? 0) < (before.markUp ?? 0),
  swapRate: after.swapRate.buy >= before.swapRate.buy && after.swapRate.sell >= before.swapRate.sell,
  leverages: before.leverages.every((each) => after.leverages.includes(each)),
  lotMin: after.lotMin < before.lotMin,
  lotMax: after.lotMax > before.lotMax,
  minStopDistance: after.minStopDistance < before.minStopDistance,
  isEnabled: after.isEnabled,
})

const worseFields = (
  before: object,
  after: object,
  isBetter: Readonly<Record<string, boolean>> = {},
): string[] => {
  const [was, is] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  return [...new Set([...was.keys(), ...is.keys()])].filter(
    (name) => asText(was.get(name)) !== asText(is.get(name)) && isBetter[name] !== true,
  )
}

const asText = (value: unknown): string =>
  typeof value === 'bigint' ? `${value}` : (JSON.stringify(value) ?? 'none')

/** Fields in which a change is worse than any terms that would apply before it. */
export const adverseFieldsOf = (
  model: ReferenceModel,
  change: PlainTermsChange,
  effectiveAt: number,
): string[] => termsReplaced(model, change, effectiveAt).flatMap((before) => adverseBetween(before, change))

/** Time from `from` to `until` that counts as notice, minute by minute. */
function countedNotice(model: ReferenceModel, change: PlainTermsChange, from: number, until: number): number {
  if (change.kind === 'settings') return until - from
  const id =
    change.kind === 'source' ? change.instrumentId : change.kind === 'instrument' ? change.instrument.id : -1
  const known = model.instruments.find((instrument) => instrument.id === id)
  const traded = known ?? { id: -1, session: change.kind === 'calendar' ? change.session.name : 'always' }
  let sum = 0
  for (let moment = from; moment < until;) {
    const next = Math.min(until, (Math.floor(moment / 60_000) + 1) * 60_000)
    if (model.hours.isOpen(traded, moment)) sum += next - moment
    moment = next
  }
  return sum
}

export const changesLimit = (model: ReferenceModel, change: PlainTermsChange, effectiveAt: number): boolean =>
  change.kind === 'settings' &&
  termsReplaced(model, change, effectiveAt).some(
    (before) =>
      before.kind === 'settings' &&
      (before.settings.fourEyesLimit !== change.settings.fourEyesLimit ||
        before.settings.fourEyesOperatorLimit !== change.settings.fourEyesOperatorLimit),
  )

/** Rules of §10 that an otherwise valid change breaks. */
export function noticeFaults(model: ReferenceModel, command: SetTerms, effectiveAt: number): Faults {
  const { at, by } = command
  const change: PlainTermsChange = command.change
  const adverse = adverseFieldsOf(model, change, effectiveAt)
  // Withdrawing a change of a limit changes it too.
  const isLimit = [{ change, effectiveAt }, ...announcedLater(model, change, effectiveAt)].some((one) =>
    changesLimit(model, one.change, one.effectiveAt),
  )
  if (adverse.length === 0 && !isLimit) return {}
  const isShort = countedNotice(model, change, at, effectiveAt) < model.settings.noticeMs
  if (by.type === 'deployment')
    return { noticeTooShort: isShort && change.kind === 'settings' && holdsRealMoney(model) }
  const isAgreed = by.second !== null && by.second.id !== by.id
  const isUrgent = adverse.every((field) => URGENT.includes(field))
  const isAdverse = adverse.length > 0 && isShort
  return {
    secondOperatorNeeded: (isLimit && !isSupervised(by)) || (isAdverse && isUrgent && !isAgreed),
    noticeTooShort: isAdverse && !isUrgent,
  }
}

/** Two operators, of whom the second may decide about limits. */
export const isSupervised = ({ id, second }: Operator): boolean =>
  second !== null && second.id !== id && (second.role === 'compliance' || second.role === 'administrator')

const URGENT = ['calendar', 'source', 'session', 'sourceOrder', 'isEnabled']

const holdsRealMoney = (model: ReferenceModel): boolean =>
  model.accounts.some(
    ({ id, ledger }) =>
      ledger === 'real' &&
      (balanceAt(model, userAccount(id)) !== 0n || balanceAt(model, frozenAccount(id)) !== 0n),
  )

/** New values outside the absolute limits. */
export function isOutOfBounds(model: ReferenceModel, change: PlainTermsChange): boolean {
  switch (change.kind) {
    case 'calendar':
      return false
    case 'settings': {
      const [is, was] = [change.settings, model.settings]
      const [hours, stopOut] = [is.noticeMs / 3_600_000, is.stopOutLevel]
      return (
        (is.freshnessMs < 1_000 && is.freshnessMs !== was.freshnessMs) ||
        (is.noticeMs !== was.noticeMs && (hours < 1 || hours > 720)) ||
        (stopOut !== was.stopOutLevel && (stopOut < 10 || stopOut > 90))
      )
    }
    case 'source': {
      const { freshnessMs } = change.source
      const before = model.hours.sourceOf(change.instrumentId)?.freshnessMs ?? null
      return freshnessMs !== null && freshnessMs < 1_000 && freshnessMs !== before
    }
    case 'instrument':
      return isInstrumentOutOfBounds(model, change.instrument)
  }
}

/** A suspect band is limited by the instrument's first one; that of a new instrument is at least 0.2 %. */
function isInstrumentOutOfBounds(model: ReferenceModel, after: PlainInstrument): boolean {
  const before = model.instruments.find(({ id }) => id === after.id)
  const first = model.firstBands.find(({ id }) => id === after.id)
  const least = first ? first.suspectBand : 20_000
  const isNew = <Value>(value: Value, old: Value | undefined) => value !== old
  return (
    (after.freshnessMs !== undefined &&
      after.freshnessMs < 1_000 &&
      isNew(after.freshnessMs, before?.freshnessMs)) ||
    (after.suspectBand * 10 < least && isNew(after.suspectBand, before?.suspectBand)) ||
    ((after.markUp ?? 0) > 10_000 && isNew(after.markUp ?? 0, before?.markUp ?? 0)) ||
    (Math.abs(after.swapRate.buy) > 100_000_000 && isNew(after.swapRate.buy, before?.swapRate.buy)) ||
    (Math.abs(after.swapRate.sell) > 100_000_000 && isNew(after.swapRate.sell, before?.swapRate.sell))
  )
}
