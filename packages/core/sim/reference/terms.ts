/** Terms once more (trading-rules §10): what may change, from when, and what was shown beforehand. */
import type { RejectionCode, SetTerms, WithdrawTerms } from '../../src/index.ts'
import type { PlainEvent, PlainInstrument, PlainTermsChange } from '../plain.ts'
import { wayOf } from './market.ts'
import { firstOf, type Faults } from './refusals.ts'
import { isSenseless } from './terms-sense.ts'
import { instrumentOf, type ReferenceModel, type ReferenceAnnounced } from './state.ts'

/** The terms in force from now on, or announced for later; nothing when they are refused. */
export function changeTerms(
  model: ReferenceModel,
  command: SetTerms,
  events: PlainEvent[],
): RejectionCode | null {
  const { at, by } = command
  const change: PlainTermsChange = command.change
  const effectiveAt = command.effectiveAt ?? at
  const isShort = effectiveAt - at < model.settings.noticeMs
  const isEmergency = by.type === 'deployment' || (by.second !== null && by.second.id !== by.id)
  const isDear = isWorse(model, change, effectiveAt)
  const faults = faultsOf(model, change)
  const refused = firstOf({
    ...faults,
    sameOperator: by.type === 'operator' && by.second?.id === by.id,
    secondOperatorNeeded:
      by.type === 'operator' &&
      by.second === null &&
      change.kind === 'settings' &&
      change.settings.fourEyesLimit > model.settings.fourEyesLimit,
    termsInvalid:
      effectiveAt < at ||
      faults.termsInvalid === true ||
      (by.type === 'operator' && isSenseless(model, change)),
    noticeTooShort: isDear && isShort && !isEmergency,
  })
  if (refused) return refused
  const changeId = ++model.lastChangeId
  events.push({ type: 'termsSet', changeId, effectiveAt, change })
  if (effectiveAt > at) model.announced.push({ changeId, effectiveAt, change })
  else bringIntoForce(model, change, at)
  if (isDear && isShort) model.notes.push(`worse terms at once: ${by.type}`)
  if (effectiveAt > at) model.notes.push(`announced: ${change.kind}`)
  return null
}

/** What was announced comes true, unless an order has come to rest on what it would change. */
export function comeIntoForce(
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
  const refused = firstOf({
    sameOperator: by.second?.id === by.id,
    termsUnknown: !model.announced.some((announced) => announced.changeId === changeId),
  })
  if (refused) return refused
  model.announced = model.announced.filter((announced) => announced.changeId !== changeId)
  events.push({ type: 'termsWithdrawn', changeId })
  return null
}

/** Every change in force raises the version that receipts name. */
export function bringIntoForce(model: ReferenceModel, change: PlainTermsChange, at: number): void {
  model.termsVersion += 1
  const openOnes = () => model.instruments.filter((instrument) => model.hours.isOpen(instrument, at)).length
  const before = openOnes()
  putInPlace(model, change)
  if (openOnes() < before) model.notes.push('market closed by new terms')
  if (change.kind !== 'instrument' && openOnes() > before) model.notes.push('market opened by new terms')
}

function putInPlace(model: ReferenceModel, change: PlainTermsChange): void {
  switch (change.kind) {
    case 'settings':
      // The brand of its amounts is the core's own.
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
      const isKnown = model.instruments.some(({ id }) => id === instrument.id)
      model.instruments = isKnown
        ? model.instruments.map((other) => (other.id === instrument.id ? instrument : other))
        : [...model.instruments, instrument]
    }
  }
}

/** What forbids a change, whoever asks for it and from whenever it is to hold. */
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

/** Its code is its name for ever; what orders are reckoned in stays as long as one lives on it, or is converted by it. */
function instrumentFaults(model: ReferenceModel, after: PlainInstrument): Faults {
  const before = model.instruments.find(({ id }) => id === after.id)
  const isOther =
    before !== undefined &&
    (['priceDecimals', 'quoteCurrency', 'baseCurrency', 'contractSize', 'marginMode'] as const).some(
      (field) => before[field] !== after[field],
    )
  return {
    termsFixed:
      (before !== undefined && (before.code !== after.code || (isOther && isInUse(model, before.id)))) ||
      (before === undefined || isOther ? isTurned(model, after) : false),
    termsInvalid: !isSound(model, after),
  }
}

/** Money of a living order would take another way than it takes now. */
function isTurned(model: ReferenceModel, after: PlainInstrument): boolean {
  const others = model.instruments.some(({ id }) => id === after.id)
    ? model.instruments.map((other) => (other.id === after.id ? after : other))
    : [...model.instruments, after]
  const ways = (instruments: typeof model.instruments) =>
    model.living.map((order) => {
      const way = wayOf({ ...model, instruments }, instrumentOf(model, order))
      return way.map(({ id }) => id).join()
    })
  return ways(others).join(';') !== ways(model.instruments).join(';')
}

const isInUse = (model: ReferenceModel, instrumentId: number): boolean =>
  model.living.some((order) => {
    const instrument = instrumentOf(model, order)
    return instrument.id === instrumentId || wayOf(model, instrument).some(({ id }) => id === instrumentId)
  })

const isOrder = (names: readonly string[]): boolean =>
  names.length < 11 && names.every((name, index) => /\S/.test(name) && names.indexOf(name) === index)

function isSound(model: ReferenceModel, instrument: PlainInstrument): boolean {
  const { leverages, lotMin, lotMax, lotStep, swapRate, session } = instrument
  const isRising = leverages.every((each, index) => isCount(each, 1) && each > (leverages[index - 1] ?? 0))
  const areLots =
    isCount(lotStep, 1) && isCount(lotMin, 1) && lotMin % lotStep === 0 && isCount(lotMax, lotMin)
  return (
    isRising &&
    areLots &&
    isCount(instrument.contractSize, 1) &&
    isCount(instrument.feeRate, 0) &&
    isCount(instrument.minStopDistance, 0) &&
    isCount(instrument.suspectBand, 1) &&
    isCount(instrument.maxSpread, 1) &&
    isCount(instrument.markUp ?? 0, 0) &&
    isOrder(instrument.sourceOrder ?? []) &&
    Number.isInteger(swapRate.buy) &&
    Number.isInteger(swapRate.sell) &&
    !(instrument.marginMode === 'fixed' && instrument.allowsNegativePrice) &&
    (session === 'always' || model.hours.sessionOf(session) !== undefined)
  )
}

/** To the traders' disadvantage: a fee, a swap, a mark-up, the stop-out level, the notice, a leverage that is no longer there. */
function isWorse(model: ReferenceModel, change: PlainTermsChange, effectiveAt: number): boolean {
  const earlier = model.announced.filter((one) => one.effectiveAt <= effectiveAt)
  if (change.kind === 'settings') {
    const known = earlier.map((one) => (one.change.kind === 'settings' ? one.change.settings : null))
    return [model.settings, ...known].some(
      (before) => before !== null && worseSettings(before, change.settings),
    )
  }
  if (change.kind !== 'instrument') return false
  const { instrument: after } = change
  const known = earlier.map((one) => (one.change.kind === 'instrument' ? one.change.instrument : null))
  return [...model.instruments, ...known].some(
    (before) => before !== null && before.id === after.id && isDearer(before, after),
  )
}

type PlainSettings = Extract<PlainTermsChange, { kind: 'settings' }>['settings']

const worseSettings = (before: PlainSettings, after: PlainSettings): boolean =>
  after.feeType !== before.feeType ||
  after.stopOutLevel > before.stopOutLevel ||
  after.noticeMs < before.noticeMs

function isDearer(before: PlainInstrument, after: PlainInstrument): boolean {
  const paysLess = after.swapRate.buy < before.swapRate.buy || after.swapRate.sell < before.swapRate.sell
  return (
    after.feeRate > before.feeRate ||
    paysLess ||
    (after.markUp ?? 0) > (before.markUp ?? 0) ||
    before.leverages.some((each) => !after.leverages.includes(each))
  )
}
