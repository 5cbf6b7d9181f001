/** When the reference model may trade, at which price and conversion rate (trading-rules §1 to §3). */
import type { RejectionCode } from '../../src/index.ts'
import type { PlainInstrument, PlainQuote, PlainReceiptTick } from '../plain-types.ts'
import { times, UNITY, inverseOf, type Quotient } from './money.ts'
import type { ReferenceModel } from './state.ts'

/** Longest age of a price: of its source, else of the instrument, else the setting. */
export function freshnessAt(model: ReferenceModel, instrumentId: number): number {
  const instrument = model.instruments.find(({ id }) => id === instrumentId)
  const ofSource = model.hours.sourceOf(instrumentId)?.freshnessMs ?? null
  return ofSource ?? instrument?.freshnessMs ?? model.settings.freshnessMs
}

/** Fresh enough to fill or trigger. */
export const isFreshAt = (model: ReferenceModel, quote: PlainReceiptTick | undefined, at: number): boolean =>
  quote !== undefined && at - quote.receivedAt <= freshnessAt(model, quote.instrumentId)

export const isHalted = (model: ReferenceModel, instrumentId: number): boolean =>
  model.halts.some((halt) => halt.instrumentId === instrumentId && halt.until === Infinity)

export type ReferenceDeal = 'opening' | 'closing'

/** Why nothing can be opened or closed. In reduce-only mode closing goes on. */
export function barOf(
  model: ReferenceModel,
  instrument: PlainInstrument,
  at: number,
  deal: ReferenceDeal,
): RejectionCode | null {
  if (!model.hours.isOpen(instrument, at)) return 'marketClosed'
  if (isHalted(model, instrument.id) || model.mode.is === 'halted') return 'marketHalted'
  return model.mode.is === 'reduceOnly' && deal === 'opening' ? 'reduceOnly' : null
}

export type ReferenceRate = { readonly q: Quotient; readonly quotes: readonly PlainReceiptTick[] }
type Prices = ReadonlyMap<number, PlainReceiptTick>

/**
 * `q` of trading-rules §3: 1 when the currencies are equal, the mid of the pair or its inverse, or through USD. Fixed
 * margin mode counts in the account currency and needs none. Null while a pair has no price.
 */
export function rateNow(
  model: ReferenceModel,
  instrument: PlainInstrument,
  prices: Prices = model.quotes,
): ReferenceRate | null {
  return instrument.marginMode === 'fixed'
    ? { q: UNITY, quotes: [] }
    : rateFrom(model, instrument.quoteCurrency, prices)
}

/** The value of one unit of a currency in the account currency. */
export function rateFrom(
  model: ReferenceModel,
  from: string,
  prices: Prices = model.quotes,
): ReferenceRate | null {
  const { accountCurrency } = model.settings
  if (from === accountCurrency) return { q: UNITY, quotes: [] }
  const hasPair = model.instruments.some((pair) => connects(pair, from, accountCurrency))
  if (hasPair) return pairRate(model, [from, accountCurrency], prices)
  const first = pairRate(model, [from, 'USD'], prices)
  const second = first && pairRate(model, ['USD', accountCurrency], prices)
  return second && { q: times(first.q, second.q), quotes: [...first.quotes, ...second.quotes] }
}

const connects = (pair: PlainInstrument, a: string, b: string): boolean =>
  (pair.baseCurrency === a && pair.quoteCurrency === b) ||
  (pair.baseCurrency === b && pair.quoteCurrency === a)

function pairRate(
  model: ReferenceModel,
  [from, to]: readonly [string, string],
  prices: Prices,
): ReferenceRate | null {
  const pair = model.instruments.find((candidate) => connects(candidate, from, to))
  const quote = pair && prices.get(pair.id)
  if (!pair || !quote) return null
  const mid = {
    numerator: BigInt(quote.bid + quote.ask),
    denominator: 2n * 10n ** BigInt(pair.priceDecimals),
  }
  return { q: pair.baseCurrency === from ? mid : inverseOf(mid), quotes: [quote] }
}

/** For openings and stop-outs: they wait while a pair is open but stale; the last rate of a closed pair is valid. */
function openingRate(model: ReferenceModel, instrument: PlainInstrument, at: number): ReferenceRate | null {
  const rate = rateNow(model, instrument)
  return rate?.quotes.every((quote) => isUsableAt(model, quote, at)) ? rate : null
}

/** Whether a price may convert money now: it is fresh, or its market is closed. */
export function isUsableAt(model: ReferenceModel, quote: PlainReceiptTick, at: number): boolean {
  const pair = model.instruments.find(({ id }) => id === quote.instrumentId)
  return isFreshAt(model, quote, at) || (pair !== undefined && !model.hours.isOpen(pair, at))
}

/** What a fill is computed from. */
export type ReferenceMarket = {
  readonly instrument: PlainInstrument
  readonly quote: PlainQuote
  readonly rate: ReferenceRate
}

/** What an opening or a stop-out is computed from; null unless market, price and conversion allow one. */
export function referenceMarket(
  model: ReferenceModel,
  instrument: PlainInstrument,
  at: number,
  deal: ReferenceDeal = 'opening',
): ReferenceMarket | null {
  const quote = model.quotes.get(instrument.id)
  if (!quote || barOf(model, instrument, at, deal) || !isFreshAt(model, quote, at)) return null
  const rate = openingRate(model, instrument, at)
  return rate && { instrument, quote, rate }
}

/** What a user's close, a take profit or a stop loss is computed from: the last conversion rate is enough. */
export function referenceClosingMarket(
  model: ReferenceModel,
  instrument: PlainInstrument,
  at: number,
): ReferenceMarket | null {
  const quote = model.quotes.get(instrument.id)
  if (!quote || barOf(model, instrument, at, 'closing') || !isFreshAt(model, quote, at)) return null
  const rate = rateNow(model, instrument)
  return rate && { instrument, quote, rate }
}

/** The pairs that convert an instrument's currency to the account currency, with or without a price. */
export function conversionPairsOf(
  { instruments, settings }: ReferenceModel,
  instrument: PlainInstrument,
): PlainInstrument[] {
  return instrument.marginMode === 'fixed'
    ? []
    : (conversionPairsFrom({ instruments, settings }, instrument.quoteCurrency) ?? [])
}

/** The pairs that convert a currency to the account currency; null where there are none. */
export function conversionPairsFrom(
  { instruments, settings }: Pick<ReferenceModel, 'instruments' | 'settings'>,
  from: string,
): PlainInstrument[] | null {
  const { accountCurrency } = settings
  if (from === accountCurrency) return []
  const pairOf = (a: string, b: string) => instruments.find((pair) => connects(pair, a, b))
  const direct = pairOf(from, accountCurrency)
  const toUsd = pairOf(from, 'USD')
  const fromUsd = pairOf('USD', accountCurrency)
  if (direct) return [direct]
  return toUsd && fromUsd ? [toUsd, fromUsd] : null
}
