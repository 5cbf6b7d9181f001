/** Terms as text, field by field, for comparing before and after. */
import {
  copyingOf,
  decimalText,
  DEFAULT_OPERATOR_LIMIT,
  fromTicks,
  fromUnits,
  LOTS_DECIMALS,
  MONEY_DECIMALS,
  price,
  RATIO_DECIMALS,
  sessionText,
  termsSubject,
  type Instrument,
  type InstrumentSource,
  type Listing,
  type SessionText,
  type State,
  type TermsChange,
  type TradingSettings,
} from '@fairlot/core'

/** A field of terms before and after a change; null if it had no value. */
export type FieldChange = {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

type Fields = Readonly<Record<string, string | null>>

/** The fields in which a change differs from the terms it replaces. */
export function changedFields(before: TermsChange | null, after: TermsChange): FieldChange[] {
  const [old, changed] = [before ? fieldsOf(before) : {}, fieldsOf(after)]
  return Object.entries(changed)
    .map(([field, value]) => ({ field, before: old[field] ?? null, after: value }))
    .filter((change) => change.before !== change.after)
}

/** Every field of terms as text and numbers. */
export function fieldsOf(change: TermsChange): Fields {
  switch (change.kind) {
    case 'settings':
      return settingsFields(change.settings)
    case 'instrument':
      return { ...instrumentFields(change.instrument), ...listingFields(change.instrument, change.listing) }
    case 'calendar':
      return sessionFields(change.session)
    case 'source':
      return sourceFields(change.source)
  }
}

const yesOrNo = (value: boolean): string => (value ? 'yes' : 'no')
const inUnits = (units: bigint | number, decimals: number): string => decimalText(fromUnits(units, decimals))
const inRatio = (value: number): string => inUnits(value, RATIO_DECIMALS)
const inLots = (value: number): string => inUnits(value, LOTS_DECIMALS)

const inMoney = (units: bigint): string => inUnits(units, MONEY_DECIMALS)

function settingsFields(settings: TradingSettings): Fields {
  const copying = copyingOf(settings)
  return {
    accountCurrency: settings.accountCurrency,
    feeType: settings.feeType,
    demoBalance: inMoney(settings.demoBalance),
    freshnessMs: String(settings.freshnessMs),
    warningLevel: String(settings.warningLevel),
    stopOutLevel: String(settings.stopOutLevel),
    maxLivingOrders: String(settings.maxLivingOrders),
    noticeMs: String(settings.noticeMs),
    fourEyesLimit: inMoney(settings.fourEyesLimit),
    fourEyesOperatorLimit: inMoney(settings.fourEyesOperatorLimit ?? DEFAULT_OPERATOR_LIMIT),
    isDemoCopyOn: yesOrNo(copying.isDemoOn),
    isRealCopyOn: yesOrNo(copying.isRealOn),
    copyLegalBasis: copying.legalBasis,
    copyMinAmount: inMoney(copying.minAmount),
    providerMinEquity: inMoney(copying.providerMinEquity),
    maxCopiesPerUser: String(copying.maxCopiesPerUser),
    maxCopiesPerProvider: String(copying.maxCopiesPerProvider),
  }
}

const instrumentFields = (instrument: Instrument): Fields => ({
  code: instrument.code,
  isEnabled: yesOrNo(instrument.isEnabled),
  baseCurrency: instrument.baseCurrency,
  quoteCurrency: instrument.quoteCurrency,
  priceDecimals: String(instrument.priceDecimals),
  contractSize: String(instrument.contractSize),
  marginMode: instrument.marginMode,
  leverages: instrument.leverages.join(', '),
  lotMin: inLots(instrument.lotMin),
  lotStep: inLots(instrument.lotStep),
  lotMax: inLots(instrument.lotMax),
  feeRate: inRatio(instrument.feeRate),
  swapBuy: inRatio(instrument.swapRate.buy),
  swapSell: inRatio(instrument.swapRate.sell),
  tripleSwapDay: instrument.tripleSwapDay,
  minStopDistance: decimalText(fromTicks(instrument.minStopDistance, instrument.priceDecimals)),
  suspectBand: inRatio(instrument.suspectBand),
  maxSpread: inRatio(instrument.maxSpread),
  sourceOrder: (instrument.sourceOrder ?? []).join(', '),
  markUp: inRatio(instrument.markUp ?? 0),
  freshnessMs: instrument.freshnessMs === undefined ? null : String(instrument.freshnessMs),
  allowsNegativePrice: yesOrNo(instrument.allowsNegativePrice),
  session: instrument.session,
})

/** A change without a listing leaves it unchanged. */
function listingFields({ priceDecimals }: Instrument, listing: Listing | null): Fields {
  if (!listing) return {}
  const inPrice = (ticks: number) => decimalText(fromTicks(price(ticks), priceDecimals))
  return {
    showCode: listing.showCode,
    name: listing.name,
    category: listing.category,
    logo: listing.logo,
    sort: String(listing.sort),
    pricePip: inPrice(listing.pricePip),
    typicalSpread: inPrice(listing.typicalSpread),
    referencePrice: inPrice(listing.referencePrice),
    yearlyVolatility: inRatio(listing.yearlyVolatility),
  }
}

const sessionFields = ({ zone, windows, holidays }: SessionText): Fields => ({
  zone,
  windows,
  holidays: holidays
    .map(({ date, closesAt }) => (closesAt === null ? date : `${date} ${closesAt}`))
    .join(', '),
})

const sourceFields = ({ kind, hours, freshnessMs, name }: InstrumentSource): Fields => ({
  sourceName: name ?? null,
  sourceKind: kind,
  sourceHours: hours,
  sourceFreshnessMs: freshnessMs === null ? null : String(freshnessMs),
})

/** The terms in force of a change's subject, as a change; null if there are none yet. */
export function termsInForce(state: State, change: TermsChange): TermsChange | null {
  switch (change.kind) {
    case 'settings':
      return { kind: 'settings', settings: state.settings }
    case 'instrument': {
      const instrument = state.instruments.get(change.instrument.id)
      const listing = state.listings.get(change.instrument.id) ?? null
      return instrument ? { kind: 'instrument', instrument, listing } : null
    }
    case 'calendar': {
      const session = state.calendar.get(change.session.name)
      return session ? { kind: 'calendar', session: sessionText(session) } : null
    }
    case 'source': {
      const source = state.sources.get(change.instrumentId)
      return source ? { kind: 'source', instrumentId: change.instrumentId, source } : null
    }
  }
}

/** The terms of a change's subject right before `effectiveAt` (epoch ms): the last announced before it, or those in force. */
export function termsBefore(state: State, change: TermsChange, effectiveAt: number, changeId = Infinity) {
  const subject = termsSubject(change)
  const [last] = [...state.announced.values()]
    .filter(
      (other) =>
        other.change.kind === change.kind &&
        termsSubject(other.change) === subject &&
        (other.effectiveAt < effectiveAt || (other.effectiveAt === effectiveAt && other.changeId < changeId)),
    )
    .toSorted((a, b) => b.effectiveAt - a.effectiveAt || b.changeId - a.changeId)
  return last?.change ?? termsInForce(state, change)
}
