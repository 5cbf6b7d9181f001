/** Whether an instrument trades now, and its price: needed by every fill. */
import type { Conversion } from '../model/currency-conversion.ts'
import { conversionOf } from '../margin/account-figures.ts'
import type { Instrument } from '../model/instrument.ts'
import { reject, type Rejection } from '../model/rejection.ts'
import { isFresh, type Quote } from '../model/quote.ts'
import type { State } from '../state/state.ts'
import type { DecisionContext } from '../state/running-core.ts'

/** The market data that fills an accepted order. */
export type Market = {
  readonly instrument: Instrument
  readonly quote: Quote
  readonly conversion: Conversion
  /** The versions of the terms and of the rules in force. */
  readonly terms: number
  readonly rules: number
}

/** The kind of a deal: reducing risk may be possible where opening is not. */
export type Deal = 'opening' | 'closing'

/** Why a kind of deal is not possible on an instrument now; null when it is. */
export function tradingRejection(
  { state, isOpen }: DecisionContext,
  instrument: Instrument,
  at: number,
  deal: Deal,
): Rejection | null {
  const named = { instrument: instrument.code }
  if (!isOpen(instrument, at)) return reject('marketClosed', named)
  const halt = state.halts.get(instrument.id)
  if (halt !== undefined) return reject('marketHalted', { ...named, reason: halt })
  if (state.mode === 'halted') return reject('marketHalted', { ...named, reason: state.modeReason })
  if (state.mode === 'cancelOnly') return reject('cancelOnly')
  return state.mode === 'reduceOnly' && deal === 'opening'
    ? reject('reduceOnly', { reason: state.modeReason })
    : null
}

/** An open market with a fresh price and conversion: required by every opening and by stop-outs. */
export function tradableMarket(
  context: DecisionContext,
  instrument: Instrument,
  at: number,
  deal: Deal,
): Market | Rejection {
  const { state } = context
  const barred = tradingRejection(context, instrument, at, deal)
  if (barred) return barred
  const quote = freshQuote(state, instrument, at)
  if (!quote) return reject('stalePrice', { instrument: instrument.code })
  const conversion = freshConversion(context, instrument, at)
  return conversion
    ? { instrument, quote, conversion, terms: state.termsVersion, rules: state.rulesVersion }
    : reject('stalePrice', { instrument: instrument.code })
}

type Freshness = Pick<State, 'quotes' | 'freshSince' | 'sources' | 'settings'>

/** Maximum age of a quote that fills or triggers, ms: its source's, the instrument's, or the deployment's. */
export const freshnessOf = (state: Pick<State, 'sources' | 'settings'>, instrument: Instrument): number =>
  state.sources.get(instrument.id)?.freshnessMs ?? instrument.freshnessMs ?? state.settings.freshnessMs

export function freshQuote(state: Freshness, instrument: Instrument, at: number): Quote | null {
  const quote = state.quotes.get(instrument.id)
  if (!quote || quote.receivedAt < state.freshSince) return null
  return isFresh(quote, at, freshnessOf(state, instrument)) ? quote : null
}

/** While a conversion pair's market is closed its last rate is valid; while it is open but stale, openings wait. */
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
