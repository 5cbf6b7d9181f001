/** Terms once more (trading-rules §10): what may change, from when, and what was shown beforehand. */
import type { RejectionCode, SetTerms, WithdrawTerms } from '../src/index.ts'
import type { PlainEvent, PlainInstrument, PlainTermsChange } from './plain.ts'
import { wayOf } from './twin-market.ts'
import { firstOf, type Faults } from './twin-refusals.ts'
import { instrumentOf, type Twin, type TwinAnnounced } from './twin-state.ts'

/** The terms in force from now on, or announced for later; nothing when they are refused. */
export function changeTerms(twin: Twin, command: SetTerms, events: PlainEvent[]): RejectionCode | null {
  const { at, by } = command
  const change: PlainTermsChange = command.change
  const effectiveAt = command.effectiveAt ?? at
  const isShort = effectiveAt - at < twin.settings.noticeMs
  const isEmergency = by.type === 'deployment' || (by.second !== null && by.second.id !== by.id)
  const isDear = isWorse(twin, change, effectiveAt)
  const faults = faultsOf(twin, change)
  const refused = firstOf({
    ...faults,
    sameOperator: by.type === 'operator' && by.second?.id === by.id,
    secondOperatorNeeded:
      by.type === 'operator' &&
      by.second === null &&
      change.kind === 'settings' &&
      change.settings.fourEyesLimit > twin.settings.fourEyesLimit,
    termsInvalid: effectiveAt < at || faults.termsInvalid === true,
    noticeTooShort: isDear && isShort && !isEmergency,
  })
  if (refused) return refused
  const changeId = ++twin.lastChangeId
  events.push({ type: 'termsSet', changeId, effectiveAt, change })
  if (effectiveAt > at) twin.announced.push({ changeId, effectiveAt, change })
  else bringIntoForce(twin, change, at)
  if (isDear && isShort) twin.notes.push(`worse terms at once: ${by.type}`)
  if (effectiveAt > at) twin.notes.push(`announced: ${change.kind}`)
  return null
}

/** What was announced comes true, unless an order has come to rest on what it would change. */
export function comeIntoForce(
  twin: Twin,
  { changeId, change, effectiveAt }: TwinAnnounced,
  events: PlainEvent[],
): void {
  twin.announced = twin.announced.filter((other) => other.changeId !== changeId)
  if (firstOf(faultsOf(twin, change))) {
    twin.notes.push('announced change no longer possible')
    events.push({ type: 'termsWithdrawn', changeId })
    return
  }
  twin.notes.push(`took effect: ${change.kind}`)
  events.push({ type: 'termsTookEffect', changeId })
  bringIntoForce(twin, change, effectiveAt)
}

export function withdrawTerms(
  twin: Twin,
  { changeId, by }: WithdrawTerms,
  events: PlainEvent[],
): RejectionCode | null {
  const refused = firstOf({
    sameOperator: by.second?.id === by.id,
    termsUnknown: !twin.announced.some((announced) => announced.changeId === changeId),
  })
  if (refused) return refused
  twin.announced = twin.announced.filter((announced) => announced.changeId !== changeId)
  events.push({ type: 'termsWithdrawn', changeId })
  return null
}

/** Every change in force raises the version that receipts name. */
export function bringIntoForce(twin: Twin, change: PlainTermsChange, at: number): void {
  twin.termsVersion += 1
  const openOnes = () => twin.instruments.filter((instrument) => twin.hours.isOpen(instrument, at)).length
  const before = openOnes()
  putInPlace(twin, change)
  if (openOnes() < before) twin.notes.push('market closed by new terms')
  if (change.kind !== 'instrument' && openOnes() > before) twin.notes.push('market opened by new terms')
}

function putInPlace(twin: Twin, change: PlainTermsChange): void {
  switch (change.kind) {
    case 'settings':
      // The brand of its amounts is the core's own.
      twin.settings = change.settings as Twin['settings']
      return
    case 'calendar':
      twin.hours.define(change.session)
      return
    case 'source':
      twin.hours.setSource(change.instrumentId, change.source)
      return
    case 'instrument': {
      const { instrument } = change
      const isKnown = twin.instruments.some(({ id }) => id === instrument.id)
      twin.instruments = isKnown
        ? twin.instruments.map((other) => (other.id === instrument.id ? instrument : other))
        : [...twin.instruments, instrument]
    }
  }
}

/** What forbids a change, whoever asks for it and from whenever it is to hold. */
function faultsOf(twin: Twin, change: PlainTermsChange): Faults {
  switch (change.kind) {
    case 'settings': {
      const { settings } = change
      return {
        termsFixed:
          twin.settings.accountCurrency !== '' && settings.accountCurrency !== twin.settings.accountCurrency,
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
      return { unknownInstrument: !twin.instruments.some(({ id }) => id === change.instrumentId) }
    case 'instrument':
      return instrumentFaults(twin, change.instrument)
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
function instrumentFaults(twin: Twin, after: PlainInstrument): Faults {
  const before = twin.instruments.find(({ id }) => id === after.id)
  const isOther =
    before !== undefined &&
    (['priceDecimals', 'quoteCurrency', 'baseCurrency', 'contractSize', 'marginMode'] as const).some(
      (field) => before[field] !== after[field],
    )
  return {
    termsFixed:
      (before !== undefined && (before.code !== after.code || (isOther && isInUse(twin, before.id)))) ||
      (before === undefined || isOther ? isTurned(twin, after) : false),
    termsInvalid: !isSound(twin, after),
  }
}

/** Money of a living order would take another way than it takes now. */
function isTurned(twin: Twin, after: PlainInstrument): boolean {
  const others = twin.instruments.some(({ id }) => id === after.id)
    ? twin.instruments.map((other) => (other.id === after.id ? after : other))
    : [...twin.instruments, after]
  const ways = (instruments: typeof twin.instruments) =>
    twin.living.map((order) => {
      const way = wayOf({ ...twin, instruments }, instrumentOf(twin, order))
      return way.map(({ id }) => id).join()
    })
  return ways(others).join(';') !== ways(twin.instruments).join(';')
}

const isInUse = (twin: Twin, instrumentId: number): boolean =>
  twin.living.some((order) => {
    const instrument = instrumentOf(twin, order)
    return instrument.id === instrumentId || wayOf(twin, instrument).some(({ id }) => id === instrumentId)
  })

function isSound(twin: Twin, instrument: PlainInstrument): boolean {
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
    Number.isInteger(swapRate.buy) &&
    Number.isInteger(swapRate.sell) &&
    !(instrument.marginMode === 'fixed' && instrument.allowsNegativePrice) &&
    (session === 'always' || twin.hours.sessionOf(session) !== undefined)
  )
}

/** To the traders' disadvantage: a fee, a swap, the stop-out level, the notice, a leverage that is no longer there. */
function isWorse(twin: Twin, change: PlainTermsChange, effectiveAt: number): boolean {
  const earlier = twin.announced.filter((one) => one.effectiveAt <= effectiveAt)
  if (change.kind === 'settings') {
    const known = earlier.map((one) => (one.change.kind === 'settings' ? one.change.settings : null))
    return [twin.settings, ...known].some(
      (before) => before !== null && worseSettings(before, change.settings),
    )
  }
  if (change.kind !== 'instrument') return false
  const { instrument: after } = change
  const known = earlier.map((one) => (one.change.kind === 'instrument' ? one.change.instrument : null))
  return [...twin.instruments, ...known].some(
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
    before.leverages.some((each) => !after.leverages.includes(each))
  )
}
