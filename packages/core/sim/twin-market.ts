/** When the twin may trade, at which price and at which rate (trading-rules §1 to §3). */
import type { RejectionCode } from '../src/index.ts'
import type { PlainInstrument, PlainQuote, PlainReceiptTick } from './plain.ts'
import { times, UNITY, upsideDown, type Quotient } from './twin-money.ts'
import type { Twin } from './twin-state.ts'

/** Longest age of a price: what its source says, else the instrument, else the setting. */
export function freshnessAt(twin: Twin, instrumentId: number): number {
  const instrument = twin.instruments.find(({ id }) => id === instrumentId)
  const ofSource = twin.hours.sourceOf(instrumentId)?.freshnessMs ?? null
  return ofSource ?? instrument?.freshnessMs ?? twin.settings.freshnessMs
}

/** Young enough to fill or trigger. */
export const isFreshAt = (twin: Twin, quote: PlainReceiptTick | undefined, at: number): boolean =>
  quote !== undefined && at - quote.receivedAt <= freshnessAt(twin, quote.instrumentId)

export const isHalted = (twin: Twin, instrumentId: number): boolean =>
  twin.halts.some((halt) => halt.instrumentId === instrumentId && halt.until === Infinity)

/** Why nothing opens, closes or triggers. */
export function barOf(twin: Twin, instrument: PlainInstrument, at: number): RejectionCode | null {
  if (!twin.hours.isOpen(instrument, at)) return 'marketClosed'
  if (isHalted(twin, instrument.id)) return 'marketHalted'
  return twin.mode === 'cancelOnly' ? 'cancelOnly' : null
}

export type TwinRate = { readonly q: Quotient; readonly quotes: readonly PlainReceiptTick[] }
type Prices = ReadonlyMap<number, PlainReceiptTick>

/**
 * `q` of trading-rules §3: 1 when the currencies are equal, the mid of the pair or its inverse, or through USD. Fixed
 * margin mode counts in the account currency and needs none. Null while a pair has no price.
 */
export function rateNow(
  twin: Twin,
  instrument: PlainInstrument,
  prices: Prices = twin.quotes,
): TwinRate | null {
  const { accountCurrency } = twin.settings
  const from = instrument.quoteCurrency
  if (instrument.marginMode === 'fixed' || from === accountCurrency) return { q: UNITY, quotes: [] }
  const hasPair = twin.instruments.some((pair) => joins(pair, from, accountCurrency))
  if (hasPair) return pairRate(twin, [from, accountCurrency], prices)
  const first = pairRate(twin, [from, 'USD'], prices)
  const second = first && pairRate(twin, ['USD', accountCurrency], prices)
  return second && { q: times(first.q, second.q), quotes: [...first.quotes, ...second.quotes] }
}

const joins = (pair: PlainInstrument, a: string, b: string): boolean =>
  (pair.baseCurrency === a && pair.quoteCurrency === b) ||
  (pair.baseCurrency === b && pair.quoteCurrency === a)

function pairRate(twin: Twin, [from, to]: readonly [string, string], prices: Prices): TwinRate | null {
  const pair = twin.instruments.find((candidate) => joins(candidate, from, to))
  const quote = pair && prices.get(pair.id)
  if (!pair || !quote) return null
  const mid = { over: BigInt(quote.bid + quote.ask), under: 2n * 10n ** BigInt(pair.priceDecimals) }
  return { q: pair.baseCurrency === from ? mid : upsideDown(mid), quotes: [quote] }
}

/** For openings and stop-outs: a pair that is open but stale makes them wait; while it is closed its last rate stands. */
function openingRate(twin: Twin, instrument: PlainInstrument, at: number): TwinRate | null {
  const rate = rateNow(twin, instrument)
  const isUsable = (quote: PlainReceiptTick) => {
    const pair = twin.instruments.find(({ id }) => id === quote.instrumentId)
    return isFreshAt(twin, quote, at) || (pair !== undefined && !twin.hours.isOpen(pair, at))
  }
  return rate?.quotes.every(isUsable) ? rate : null
}

/** What a fill is made from. */
export type TwinMarket = {
  readonly instrument: PlainInstrument
  readonly quote: PlainQuote
  readonly rate: TwinRate
}

/** What an opening or a stop-out is made from; null unless market, price and conversion allow one. */
export function twinMarket(twin: Twin, instrument: PlainInstrument, at: number): TwinMarket | null {
  const quote = twin.quotes.get(instrument.id)
  if (!quote || barOf(twin, instrument, at) || !isFreshAt(twin, quote, at)) return null
  const rate = openingRate(twin, instrument, at)
  return rate && { instrument, quote, rate }
}

/** What a user's close, a take profit or a stop loss is made from: the last conversion rate will do. */
export function twinClosingMarket(twin: Twin, instrument: PlainInstrument, at: number): TwinMarket | null {
  const quote = twin.quotes.get(instrument.id)
  if (!quote || barOf(twin, instrument, at) || !isFreshAt(twin, quote, at)) return null
  const rate = rateNow(twin, instrument)
  return rate && { instrument, quote, rate }
}

/** The pairs that lead from an instrument's money to the account's, whether they have a price or not. */
export function wayOf({ instruments, settings }: Twin, instrument: PlainInstrument): PlainInstrument[] {
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
