/** Checks of an order before it is accepted, in the order of rejection.ts. */
import type { PlaceOrder } from '../command.ts'
import type { Conversion } from '../money/currency-conversion.ts'
import { conversionOf, isPriced } from '../margin/account-figures.ts'
import type { Instrument } from '../terms/instrument.ts'
import { isRejection, reject, type Rejection } from '../rejection.ts'
import { isFresh, openingPrice, type Quote } from '../market/quote.ts'
import type { Account, State } from '../state.ts'
import type { DecisionContext } from '../core.ts'
import {
  checkExpiry,
  checkLots,
  checkOpening,
  checkStopPrices,
  checkStops,
  stopsReference,
} from './order-rules.ts'

/** What an accepted order is filled from. */
export type Market = {
  readonly instrument: Instrument
  readonly quote: Quote
  readonly conversion: Conversion
  /** The version of the terms in force. */
  readonly terms: number
}

export function checkOrder(
  context: DecisionContext,
  command: PlaceOrder,
  account: Account,
): Market | Rejection {
  const { state } = context
  const instrument = state.instruments.get(command.instrumentId)
  if (!instrument) return reject('unknownInstrument')
  const refused = checkTerms(instrument, command) ?? checkPrices(instrument, command) ?? checkEnd(command)
  if (refused) return refused
  const market = tradableMarket(context, instrument, command.at)
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
  return checkLots(instrument, command.lots)
}

/** The wished price and the stops; a market order has no price yet. */
const checkPrices = (instrument: Instrument, command: PlaceOrder): Rejection | null =>
  (command.targetPrice === null ? null : checkOpening(instrument, command.targetPrice)) ??
  checkStopPrices(instrument, command)

/** Only a pending order ends by itself. */
const checkEnd = ({ expiresAt, targetPrice, at }: PlaceOrder): Rejection | null =>
  expiresAt !== null && targetPrice === null
    ? reject('expiryInPast', { expiresAt })
    : checkExpiry(expiresAt, at)

/** Why nothing opens, closes or triggers on an instrument now; null when it trades. */
export function tradingRejection(
  { state, isOpen }: DecisionContext,
  instrument: Instrument,
  at: number,
): Rejection | null {
  const named = { instrument: instrument.code }
  if (!isOpen(instrument, at)) return reject('marketClosed', named)
  const halt = state.halts.get(instrument.id)
  if (halt !== undefined) return reject('marketHalted', { ...named, reason: halt })
  return state.mode === 'cancelOnly' ? reject('cancelOnly') : null
}

/** An open market with a fresh price and fresh conversion: what every opening needs. */
export function tradableMarket(
  context: DecisionContext,
  instrument: Instrument,
  at: number,
): Market | Rejection {
  const { state } = context
  const barred = tradingRejection(context, instrument, at)
  if (barred) return barred
  const quote = freshQuote(state, instrument, at)
  if (!quote) return reject('stalePrice', { instrument: instrument.code })
  const conversion = freshConversion(context, instrument, at)
  return conversion
    ? { instrument, quote, conversion, terms: state.termsVersion }
    : reject('stalePrice', { instrument: instrument.code })
}

type Freshness = Pick<State, 'quotes' | 'freshSince' | 'sources' | 'settings'>

/** Longest age of a quote that fills or triggers, ms: its source's own, the instrument's, or the deployment's. */
export const freshnessOf = (state: Pick<State, 'sources' | 'settings'>, instrument: Instrument): number =>
  state.sources.get(instrument.id)?.freshnessMs ?? instrument.freshnessMs ?? state.settings.freshnessMs

export function freshQuote(state: Freshness, instrument: Instrument, at: number): Quote | null {
  const quote = state.quotes.get(instrument.id)
  if (!quote || quote.receivedAt < state.freshSince) return null
  return isFresh(quote, at, freshnessOf(state, instrument)) ? quote : null
}

/** While a conversion pair's market is closed its last rate stands; while it is open but stale, openings wait. */
function freshConversion(
  { state, isOpen }: DecisionContext,
  instrument: Instrument,
  at: number,
): Conversion | null {
  const conversion = conversionOf(state, instrument)
  const path = state.conversionPaths.get(instrument.id) ?? []
  const isUsable = (pair: Instrument) => freshQuote(state, pair, at) !== null || !isOpen(pair, at)
  return conversion && path.every((leg) => isUsable(leg.instrument)) ? conversion : null
}
