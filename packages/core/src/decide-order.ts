/** Checks of an order before it is accepted, in the order of rejection.ts. */
import type { PlaceOrder } from './command.ts'
import type { Conversion } from './conversion.ts'
import { conversionOf, isPriced } from './account.ts'
import type { Instrument } from './instrument.ts'
import { isRejection, reject, type Rejection } from './rejection.ts'
import { isFresh, openingPrice, type Quote } from './quote.ts'
import type { Price } from './number.ts'
import type { Account, State } from './state.ts'
import { checkStops } from './decide-stops.ts'
import { checkOpening, checkStopPrices } from './price-range.ts'

/** What an accepted order is filled from. */
export type Market = {
  readonly instrument: Instrument
  readonly quote: Quote
  readonly conversion: Conversion
  /** The version of the terms in force. */
  readonly terms: number
}

export function checkOrder(state: State, command: PlaceOrder, account: Account): Market | Rejection {
  const instrument = state.instruments.get(command.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const refused = checkTerms(instrument, command) ?? checkPrices(instrument, command) ?? checkExpiry(command)
  if (refused) return refused
  const market = tradableMarket(state, instrument, command.at)
  if (isRejection(market)) return market
  // Only now a market order has a price; of what can still be refused, that comes first.
  const opening = command.targetPrice ?? openingPrice(command.side, market.quote)
  return (
    checkOpening(instrument, opening) ??
    // Nobody knows what an account has left while one of its positions never had a price.
    (isPriced(state, account) ? null : reject('stalePrice', { instrument: instrument.code })) ??
    checkStops(instrument, command, stopsReference(command, market.quote)) ??
    market
  )
}

function checkTerms(instrument: Instrument, command: PlaceOrder): Rejection | null {
  if (!instrument.isEnabled) return reject('instrumentDisabled')
  if (instrument.leverages.length === 0) return reject('noLeverage')
  if (!instrument.leverages.includes(command.leverage)) {
    return reject('leverageNotOffered', {
      leverage: command.leverage,
      offered: instrument.leverages.join(', '),
    })
  }
  return checkLots(instrument, command)
}

/** At least the minimum, at most the maximum, a whole number of steps. */
export function checkLots(
  { lotMin, lotMax, lotStep }: Pick<Instrument, 'lotMin' | 'lotMax' | 'lotStep'>,
  { lots }: Pick<PlaceOrder, 'lots'>,
): Rejection | null {
  if (lots < lotMin) return reject('lotsBelowMinimum', { lots, minimum: lotMin })
  if (lots > lotMax) return reject('lotsAboveMaximum', { lots, maximum: lotMax })
  return lots % lotStep === 0 ? null : reject('lotsOffStep', { lots, step: lotStep })
}

/** The wished price and the stops; a market order has no price yet. */
const checkPrices = (instrument: Instrument, command: PlaceOrder): Rejection | null =>
  (command.targetPrice === null ? null : checkOpening(instrument, command.targetPrice)) ??
  checkStopPrices(instrument, command)

function checkExpiry({ expiresAt, targetPrice, at }: PlaceOrder): Rejection | null {
  if (expiresAt === null) return null
  return targetPrice !== null && expiresAt > at ? null : reject('expiryInPast', { expiresAt })
}

/** Why nothing opens, closes or triggers on an instrument now; null when it trades. */
export function tradingBar(state: State, instrument: Instrument, at: number): Rejection | null {
  const named = { instrument: instrument.code }
  if (!state.isOpen(instrument, at)) return reject('marketClosed', named)
  const halt = state.halts.get(instrument.id)
  if (halt !== undefined) return reject('marketHalted', { ...named, reason: halt })
  return state.mode === 'cancelOnly' ? reject('cancelOnly') : null
}

/** An open market with a fresh price and fresh conversion: what every opening needs. */
export function tradableMarket(state: State, instrument: Instrument, at: number): Market | Rejection {
  const barred = tradingBar(state, instrument, at)
  if (barred) return barred
  const quote = freshQuote(state, instrument, at)
  if (!quote) return reject('stalePrice', { instrument: instrument.code })
  const conversion = freshConversion(state, instrument, at)
  return conversion
    ? { instrument, quote, conversion, terms: state.termsVersion }
    : reject('stalePrice', { instrument: instrument.code })
}

/** Longest age of a quote that fills or triggers, ms: its source's own, the instrument's, or the deployment's. */
export const freshnessOf = (state: Pick<State, 'sources' | 'settings'>, instrument: Instrument): number =>
  state.sources.get(instrument.id)?.freshnessMs ?? instrument.freshnessMs ?? state.settings.freshnessMs

export function freshQuote(state: State, instrument: Instrument, at: number): Quote | null {
  const quote = state.quotes.get(instrument.id)
  if (!quote || quote.receivedAt < state.freshSince) return null
  return isFresh(quote, at, freshnessOf(state, instrument)) ? quote : null
}

/** While a conversion pair's market is closed its last rate stands; while it is open but stale, openings wait. */
function freshConversion(state: State, instrument: Instrument, at: number): Conversion | null {
  const conversion = conversionOf(state, instrument)
  const path = state.conversionPaths.get(instrument.id) ?? []
  const isUsable = (pair: Instrument) => freshQuote(state, pair, at) !== null || !state.isOpen(pair, at)
  return conversion && path.every((leg) => isUsable(leg.instrument)) ? conversion : null
}

/** Stops of a market order keep their distance from the closing price; those of a pending order from its target. */
function stopsReference(command: PlaceOrder, quote: Quote): Price {
  if (command.targetPrice !== null) return command.targetPrice
  return openingPrice(command.side === 'buy' ? 'sell' : 'buy', quote)
}
