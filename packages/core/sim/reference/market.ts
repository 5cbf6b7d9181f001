/** When the reference model may trade, at which price and at which rate (trading-rules §1 to §3). */
import type { RejectionCode } from '../../src/index.ts'
import type { PlainInstrument, PlainQuote, PlainReceiptTick } from '../plain.ts'
import { times, UNITY, upsideDown, type Quotient } from './money.ts'
import type { ReferenceModel } from './state.ts'

/** Longest age of a price: what its source says, else the instrument, else the setting. */
export function freshnessAt(model: ReferenceModel, instrumentId: number): number {
  const instrument = model.instruments.find(({ id }) => id === instrumentId)
  const ofSource = model.hours.sourceOf(instrumentId)?.freshnessMs ?? null
  return ofSource ?? instrument?.freshnessMs ?? model.settings.freshnessMs
}

/** Young enough to fill or trigger. */
export const isFreshAt = (model: ReferenceModel, quote: PlainReceiptTick | undefined, at: number): boolean =>
  quote !== undefined && at - quote.receivedAt <= freshnessAt(model, quote.instrumentId)

export const isHalted = (model: ReferenceModel, instrumentId: number): boolean =>
  model.halts.some((halt) => halt.instrumentId === instrumentId && halt.until === Infinity)

/** Why nothing opens, closes or triggers. */
export function barOf(model: ReferenceModel, instrument: PlainInstrument, at: number): RejectionCode | null {
  if (!model.hours.isOpen(instrument, at)) return 'marketClosed'
  if (isHalted(model, instrument.id)) return 'marketHalted'
  return model.mode === 'cancelOnly' ? 'cancelOnly' : null
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
  const { accountCurrency } = model.settings
  const from = instrument.quoteCurrency
  if (instrument.marginMode === 'fixed' || from === accountCurrency) return { q: UNITY, quotes: [] }
  const hasPair = model.instruments.some((pair) => joins(pair, from, accountCurrency))
  if (hasPair) return pairRate(model, [from, accountCurrency], prices)
  const first = pairRate(model, [from, 'USD'], prices)
  const second = first && pairRate(model, ['USD', accountCurrency], prices)
  return second && { q: times(first.q, second.q), quotes: [...first.quotes, ...second.quotes] }
}

const joins = (pair: PlainInstrument, a: string, b: string): boolean =>
  (pair.baseCurrency === a && pair.quoteCurrency === b) ||
  (pair.baseCurrency === b && pair.quoteCurrency === a)

function pairRate(
  model: ReferenceModel,
  [from, to]: readonly [string, string],
  prices: Prices,
): ReferenceRate | null {
  const pair = model.instruments.find((candidate) => joins(candidate, from, to))
  const quote = pair && prices.get(pair.id)
  if (!pair || !quote) return null
  const mid = { over: BigInt(quote.bid + quote.ask), under: 2n * 10n ** BigInt(pair.priceDecimals) }
  return { q: pair.baseCurrency === from ? mid : upsideDown(mid), quotes: [quote] }
}

/** For openings and stop-outs: a pair that is open but stale makes them wait; while it is closed its last rate stands. */
function openingRate(model: ReferenceModel, instrument: PlainInstrument, at: number): ReferenceRate | null {
  const rate = rateNow(model, instrument)
  const isUsable = (quote: PlainReceiptTick) => {
    const pair = model.instruments.find(({ id }) => id === quote.instrumentId)
    return isFreshAt(model, quote, at) || (pair !== undefined && !model.hours.isOpen(pair, at))
  }
  return rate?.quotes.every(isUsable) ? rate : null
}

/** What a fill is made from. */
export type ReferenceMarket = {
  readonly instrument: PlainInstrument
  readonly quote: PlainQuote
  readonly rate: ReferenceRate
}

/** What an opening or a stop-out is made from; null unless market, price and conversion allow one. */
export function referenceMarket(
  model: ReferenceModel,
  instrument: PlainInstrument,
  at: number,
): ReferenceMarket | null {
  const quote = model.quotes.get(instrument.id)
  if (!quote || barOf(model, instrument, at) || !isFreshAt(model, quote, at)) return null
  const rate = openingRate(model, instrument, at)
  return rate && { instrument, quote, rate }
}

/** What a user's close, a take profit or a stop loss is made from: the last conversion rate will do. */
export function referenceClosingMarket(
  model: ReferenceModel,
  instrument: PlainInstrument,
  at: number,
): ReferenceMarket | null {
  const quote = model.quotes.get(instrument.id)
  if (!quote || barOf(model, instrument, at) || !isFreshAt(model, quote, at)) return null
  const rate = rateNow(model, instrument)
  return rate && { instrument, quote, rate }
}

/** The pairs that lead from an instrument's money to the account's, whether they have a price or not. */
export function wayOf(
  { instruments, settings }: ReferenceModel,
  instrument: PlainInstrument,
): PlainInstrument[] {
  const { accountCurrency } = settings
  const from = instrument.quoteCurrency
  if (instrument.marginMode === 'fixed' || from === accountCurrency) return []
  const pairOf = (a: string, b: string) => instruments.find((pair) => joins(pair, a, b))
  const direct = pairOf(from, accountCurrency)
  const there = pairOf(from, 'USD')
  const back = pairOf('USD', accountCurrency)
  if (direct) return [direct]
  return there && back ? [there, back] : []
}
