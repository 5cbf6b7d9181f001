/** When the twin may trade, at which price and at which rate (trading-rules §1 to §3). */
import type { RejectionCode } from '../src/index.ts'
import type { PlainInstrument, PlainQuote } from './plain.ts'
import { times, UNITY, upsideDown, type Quotient } from './twin-money.ts'
import type { Twin } from './twin-state.ts'

/** Young enough to fill or trigger: by the setting, or by the instrument's own limit where its source is quiet. */
export function isFreshAt(twin: Twin, quote: PlainQuote | undefined, at: number): quote is PlainQuote {
  const instrument = twin.instruments.find(({ id }) => id === quote?.instrumentId)
  return (
    quote !== undefined && at - quote.receivedAt <= (instrument?.freshnessMs ?? twin.settings.freshnessMs)
  )
}

export const isHalted = (twin: Twin, instrumentId: number): boolean =>
  twin.halts.some((halt) => halt.instrumentId === instrumentId && halt.until === Infinity)

/** Why nothing opens, closes or triggers. */
export function barOf(twin: Twin, instrument: PlainInstrument, at: number): RejectionCode | null {
  if (!twin.hours.isOpen(instrument, at)) return 'marketClosed'
  if (isHalted(twin, instrument.id)) return 'marketHalted'
  return twin.mode === 'cancelOnly' ? 'cancelOnly' : null
}

export type TwinRate = { readonly q: Quotient; readonly quotes: readonly PlainQuote[] }

/**
 * `q` of trading-rules §3: 1 when the currencies are equal, the mid of the pair or its inverse, or through USD. Fixed
 * margin mode counts in the account currency and needs none. Null while a pair has no price.
 */
export function rateNow(twin: Twin, instrument: PlainInstrument): TwinRate | null {
  const { accountCurrency } = twin.settings
  const from = instrument.quoteCurrency
  if (instrument.marginMode === 'fixed' || from === accountCurrency) return { q: UNITY, quotes: [] }
  const hasPair = twin.instruments.some((pair) => joins(pair, from, accountCurrency))
  if (hasPair) return pairRate(twin, from, accountCurrency)
  const first = pairRate(twin, from, 'USD')
  const second = first && pairRate(twin, 'USD', accountCurrency)
  return second && { q: times(first.q, second.q), quotes: [...first.quotes, ...second.quotes] }
}

const joins = (pair: PlainInstrument, a: string, b: string): boolean =>
  (pair.baseCurrency === a && pair.quoteCurrency === b) ||
  (pair.baseCurrency === b && pair.quoteCurrency === a)

function pairRate(twin: Twin, from: string, to: string): TwinRate | null {
  const pair = twin.instruments.find((candidate) => joins(candidate, from, to))
  const quote = pair && twin.quotes.get(pair.id)
  if (!pair || !quote) return null
  const mid = { over: BigInt(quote.bid + quote.ask), under: 2n * 10n ** BigInt(pair.priceDecimals) }
  return { q: pair.baseCurrency === from ? mid : upsideDown(mid), quotes: [quote] }
}

/** For openings and stop-outs: a pair that is open but stale makes them wait; while it is closed its last rate stands. */
function openingRate(twin: Twin, instrument: PlainInstrument, at: number): TwinRate | null {
  const rate = rateNow(twin, instrument)
  const isUsable = (quote: PlainQuote) => {
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
  if (barOf(twin, instrument, at) || !isFreshAt(twin, quote, at)) return null
  const rate = openingRate(twin, instrument, at)
  return rate && { instrument, quote, rate }
}

/** What a user's close, a take profit or a stop loss is made from: the last conversion rate will do. */
export function twinClosingMarket(twin: Twin, instrument: PlainInstrument, at: number): TwinMarket | null {
  const quote = twin.quotes.get(instrument.id)
  if (barOf(twin, instrument, at) || !isFreshAt(twin, quote, at)) return null
  const rate = rateNow(twin, instrument)
  return rate && { instrument, quote, rate }
}

/** The pairs that an instrument's profits pass through. */
export const pairsOf = (twin: Twin, instrument: PlainInstrument): number[] =>
  rateNow(twin, instrument)?.quotes.map(({ instrumentId }) => instrumentId) ?? []
