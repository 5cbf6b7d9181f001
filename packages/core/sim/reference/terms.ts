/** Terms in the reference model (trading-rules §10): what may change, from when, and with how much notice. */
import type { RejectionCode, SetTerms, WithdrawTerms } from '../../src/index.ts'
import type { PlainEvent, PlainInstrument, PlainTermsChange } from '../plain-types.ts'
import { conversionPairsOf } from './market.ts'
import { firstOf, type Faults } from './refusals.ts'
import {
  adverseFieldsOf,
  announcedLater,
  changesLimit,
  isOutOfBounds,
  isSupervised,
  noticeFaults,
} from './terms-notice.ts'
import { isImplausible } from './terms-sanity.ts'
import { instrumentOf, type ReferenceModel, type ReferenceAnnounced } from './state.ts'

/** Puts terms in force now or announces them for later; nothing changes when they are rejected. */
export function changeTerms(
  model: ReferenceModel,
  command: SetTerms,
  events: PlainEvent[],
): RejectionCode | null {
  const { at, by } = command
  const change: PlainTermsChange = command.change
  const effectiveAt = command.effectiveAt ?? at
  const faults = faultsOf(model, change)
  const refused =
    firstOf({
      ...faults,
      sameOperator: by.type === 'operator' && by.second?.id === by.id,
      termsInvalid:
        effectiveAt < at ||
        faults.termsInvalid === true ||
        isOutOfBounds(model, change) ||
        (by.type === 'operator' && isImplausible(model, change)),
    }) ?? firstOf(noticeFaults(model, command, effectiveAt))
  if (refused) return refused
  const changeId = ++model.lastChangeId
  const isAdverse = adverseFieldsOf(model, change, effectiveAt).length > 0
  const isShort = effectiveAt - at < model.settings.noticeMs
  events.push({ type: 'termsSet', changeId, effectiveAt, change, rules: 3 })
  for (const later of announcedLater(model, change, effectiveAt)) {
    withdraw(model, later.changeId, events)
    model.notes.push(`withdrawn by an earlier change: ${by.type}`)
  }
  if (effectiveAt > at) model.announced.push({ changeId, effectiveAt, change })
  else bringIntoForce(model, change, at)
  if (isAdverse && isShort) model.notes.push(`adverse change at once: ${by.type}`)
  if (effectiveAt > at) model.notes.push(`announced: ${change.kind}`)
  return null
}

/** An announced change takes effect, unless an order by now depends on what it would change. */
export function applyAnnounced(
  model: ReferenceModel,
  { changeId, change, effectiveAt }: ReferenceAnnounced,
  events: PlainEvent[],
): void {
  model.announced = model.announced.filter((other) => other.changeId !== changeId)
  if (firstOf(faultsOf(model, change))) {
    model.notes.push('announced change no longer possible')
    events.push({ type: 'termsWithdrawn', changeId })
    return
  }
  model.notes.push(`took effect: ${change.kind}`)
  events.push({ type: 'termsTookEffect', changeId })
  bringIntoForce(model, change, effectiveAt)
}

export function withdrawTerms(
  model: ReferenceModel,
  { changeId, by }: WithdrawTerms,
  events: PlainEvent[],
): RejectionCode | null {
  const announced = model.announced.find((each) => each.changeId === changeId)
  const refused = firstOf({
    sameOperator: by.second?.id === by.id,
    termsUnknown: announced === undefined,
    secondOperatorNeeded:
      announced !== undefined &&
      changesLimit(model, announced.change, announced.effectiveAt) &&
      !isSupervised(by),
  })
  if (refused) return refused
  withdraw(model, changeId, events)
  return null
}

function withdraw(model: ReferenceModel, changeId: number, events: PlainEvent[]): void {
  model.announced = model.announced.filter((announced) => announced.changeId !== changeId)
  events.push({ type: 'termsWithdrawn', changeId, rules: 3 })
}

/** Every change in force raises the version that receipts name. */
export function bringIntoForce(model: ReferenceModel, change: PlainTermsChange, at: number): void {
  model.termsVersion += 1
  const countOpen = () => model.instruments.filter((instrument) => model.hours.isOpen(instrument, at)).length
  const before = countOpen()
  apply(model, change)
  if (countOpen() < before) model.notes.push('market closed by a change of terms')
  if (change.kind !== 'instrument' && countOpen() > before)
    model.notes.push('market opened by a change of terms')
}

function apply(model: ReferenceModel, change: PlainTermsChange): void {
  switch (change.kind) {
    case 'settings':
      // Its amounts have the core's branded type.
      model.settings = change.settings as ReferenceModel['settings']
      return
    case 'calendar':
      model.hours.define(change.session)
      return
    case 'source':
      model.hours.setSource(change.instrumentId, change.source)
      return
    case 'instrument': {
      const { instrument } = change
      if (!model.firstBands.some(({ id }) => id === instrument.id)) model.firstBands.push(instrument)
      const isKnown = model.instruments.some(({ id }) => id === instrument.id)
      model.instruments = isKnown
        ? model.instruments.map((other) => (other.id === instrument.id ? instrument : other))
        : [...model.instruments, instrument]
    }
  }
}

/** What forbids a change regardless of author and time. */
function faultsOf(model: ReferenceModel, change: PlainTermsChange): Faults {
  switch (change.kind) {
    case 'settings': {
      const { settings } = change
      return {
        termsFixed:
          model.settings.accountCurrency !== '' &&
          settings.accountCurrency !== model.settings.accountCurrency,
        termsInvalid:
          !/^[A-Z][A-Z][A-Z]$/.test(settings.accountCurrency) ||
          settings.demoBalance < 0n ||
          settings.fourEyesLimit < 0n ||
          !Number.isInteger(settings.stopOutLevel) ||
          !Number.isInteger(settings.warningLevel) ||
          ![settings.freshnessMs, settings.maxLivingOrders].every((value) => isCount(value, 1)) ||
          !isCount(settings.noticeMs, 0),
      }
    }
    case 'calendar':
      return { termsInvalid: !isReadable(change.session) }
    case 'source':
      return { unknownInstrument: !model.instruments.some(({ id }) => id === change.instrumentId) }
    case 'instrument':
      return instrumentFaults(model, change.instrument)
  }
}

const isCount = (value: number, least: number): boolean => Number.isInteger(value) && value >= least

const isReadable = ({
  zone,
  windows,
  holidays,
}: Extract<PlainTermsChange, { kind: 'calendar' }>['session']) => {
  const zones = ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo']
  const window = /^[A-Z][a-z]{2} \d\d:\d\d-[A-Z][a-z]{2} \d\d:\d\d$/
  return (
    zones.includes(zone) &&
    (windows === 'always' || windows.split('; ').every((each) => window.test(each))) &&
    holidays.every(({ date }) => !Number.isNaN(Date.parse(`${date}T00:00:00Z`)))
  )
}

/**
 * The code never changes; fields that orders are computed from do not change while an active order uses the
 * instrument.
 */
function instrumentFaults(model: ReferenceModel, after: PlainInstrument): Faults {
  const before = model.instruments.find(({ id }) => id === after.id)
  const isOtherContract =
    before !== undefined &&
    (['priceDecimals', 'quoteCurrency', 'baseCurrency', 'contractSize', 'marginMode'] as const).some(
      (field) => before[field] !== after[field],
    )
  return {
    termsFixed:
      (before !== undefined &&
        (before.code !== after.code || (isOtherContract && isInUse(model, before.id)))) ||
      (before === undefined || isOtherContract ? changesConversion(model, after) : false),
    termsInvalid: !isValidInstrument(model, after),
  }
}

/** The money of an active order would be converted through other pairs. */
function changesConversion(model: ReferenceModel, after: PlainInstrument): boolean {
  const others = model.instruments.some(({ id }) => id === after.id)
    ? model.instruments.map((other) => (other.id === after.id ? after : other))
    : [...model.instruments, after]
  const conversions = (instruments: typeof model.instruments) =>
    model.active.map((order) => {
      const way = conversionPairsOf({ ...model, instruments }, instrumentOf(model, order))
      return way.map(({ id }) => id).join()
    })
  return conversions(others).join(';') !== conversions(model.instruments).join(';')
}

const isInUse = (model: ReferenceModel, instrumentId: number): boolean =>
  model.active.some((order) => {
    const instrument = instrumentOf(model, order)
    return (
      instrument.id === instrumentId ||
      conversionPairsOf(model, instrument).some(({ id }) => id === instrumentId)
    )
  })

const isSourceOrder = (names: readonly string[]): boolean =>
  names.length < 11 && names.every((name, index) => /\S/.test(name) && names.indexOf(name) === index)

function isValidInstrument(model: ReferenceModel, instrument: PlainInstrument): boolean {
  const { leverages, lotMin, lotMax, lotStep, swapRate, session } = instrument
  const isRising = leverages.every((each, index) => isCount(each, 1) && each > (leverages[index - 1] ?? 0))
  const areLotsValid =
    isCount(lotStep, 1) && isCount(lotMin, 1) && lotMin % lotStep === 0 && isCount(lotMax, lotMin)
  return (
    isRising &&
    areLotsValid &&
    isCount(instrument.contractSize, 1) &&
    isCount(instrument.feeRate, 0) &&
    isCount(instrument.minStopDistance, 0) &&
    isCount(instrument.suspectBand, 1) &&
    isCount(instrument.maxSpread, 1) &&
    isCount(instrument.markUp ?? 0, 0) &&
    isSourceOrder(instrument.sourceOrder ?? []) &&
    Number.isInteger(swapRate.buy) &&
    Number.isInteger(swapRate.sell) &&
    !(instrument.marginMode === 'fixed' && instrument.allowsNegativePrice) &&
    (session === 'always' || model.hours.sessionOf(session) !== undefined)
  )
}
