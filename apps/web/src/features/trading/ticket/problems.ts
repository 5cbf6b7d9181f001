import {
  checkStops,
  closingPrice,
  isRejection,
  MAX_PRICE_TICKS,
  type Instrument,
  type Price,
  type Side,
} from '@fairlot/core'
import { summarise } from './summarise.ts'
import { readExpiry, readTicket, valueOf, type Read, type TicketReading } from './ticket-reading.ts'
import type { TicketField, TicketState } from './ticket-state.ts'
import type { TicketTerms } from './ticket-terms.ts'

/** Why nothing can be sent now, whatever is entered. */
export type MarketProblem =
  'disabled' | 'noLeverage' | 'halted' | 'marketClosed' | 'cancelOnly' | 'noPrice' | 'stalePrice'

export type FieldProblem =
  | 'lotsMissing'
  | 'lotsWrong'
  | 'lotsBelowMinimum'
  | 'lotsAboveMaximum'
  | 'lotsOffStep'
  | 'priceMissing'
  | 'priceWrong'
  | 'takeProfitWrongSide'
  | 'stopLossWrongSide'
  | 'expiryMissing'
  | 'expiryPast'

/** A code, and for a stop on the wrong side the nearest price that would be taken. */
export type Problem = { readonly code: FieldProblem; readonly nearest?: Price }
export type FieldProblems = { readonly [Field in TicketField]?: Problem }

export type TicketProblems = {
  readonly market: MarketProblem | null
  /** What is wrong with the fields for an order of the side. */
  readonly buy: FieldProblems
  readonly sell: FieldProblems
  readonly isTooDear: { readonly buy: boolean; readonly sell: boolean }
}

/** Everything that the server would refuse and that can be seen from here, by its own rules. */
export function problems(state: TicketState, terms: TicketTerms): TicketProblems {
  const { buy, sell } = summarise(state, terms)
  const isTooDear = (total: bigint | undefined): boolean =>
    total !== undefined && terms.available !== null && total > terms.available
  return {
    market: marketProblem(terms),
    buy: fieldProblems('buy', state, terms),
    sell: fieldProblems('sell', state, terms),
    isTooDear: { buy: isTooDear(buy.cost?.total), sell: isTooDear(sell.cost?.total) },
  }
}

/** Whether an order of this side can be sent. */
export const isReady = (found: TicketProblems, side: Side): boolean =>
  found.market === null && !hasFieldProblem(found, side) && !found.isTooDear[side]

/** Whether a field stands in the way of an order of this side. */
export const hasFieldProblem = (found: TicketProblems, side: Side): boolean =>
  Object.keys(found[side]).length > 0

const MISSING: ReadonlySet<FieldProblem> = new Set(['lotsMissing', 'priceMissing', 'expiryMissing'])
const isMissing = ({ code }: Problem): boolean => MISSING.has(code)

/**
 * The problems to write at the fields: those of the side that was tried, before that only what is wrong for both
 * sides and not merely missing yet.
 */
export function shownProblems({ attempted }: TicketState, { buy, sell }: TicketProblems): FieldProblems {
  if (attempted) return attempted === 'buy' ? buy : sell
  const shared = Object.entries(buy).filter(([field, problem]) => field in sell && !isMissing(problem))
  return Object.fromEntries(shared)
}

function marketProblem(terms: TicketTerms): MarketProblem | null {
  const { instrument, isOpen, haltReason, isCancelOnly, quote, isStale, rate } = terms
  if (!instrument.isEnabled) return 'disabled'
  if (instrument.leverages.length === 0) return 'noLeverage'
  if (haltReason !== null) return 'halted'
  if (!isOpen) return 'marketClosed'
  if (isCancelOnly) return 'cancelOnly'
  if (!quote || !rate) return 'noPrice'
  return isStale ? 'stalePrice' : null
}

function fieldProblems(side: Side, state: TicketState, terms: TicketTerms): FieldProblems {
  const reading = readTicket(state, terms.instrument)
  const lots = lotsProblem(reading, terms.instrument)
  const target = targetProblem(state, reading)
  const expiry = expiryProblem(state, terms.now)
  return {
    ...(lots && { lots }),
    ...(target && { target }),
    ...(expiry && { expiry }),
    ...stopProblems(side, reading, terms),
  }
}

function lotsProblem({ lots }: TicketReading, { lotMin, lotMax, lotStep }: Instrument): Problem | null {
  if (lots.is === 'empty') return { code: 'lotsMissing' }
  if (lots.is === 'wrong') return { code: 'lotsWrong' }
  if (lots.value < lotMin) return { code: 'lotsBelowMinimum' }
  if (lots.value > lotMax) return { code: 'lotsAboveMaximum' }
  return lots.value % lotStep === 0 ? null : { code: 'lotsOffStep' }
}

function targetProblem({ mode }: TicketState, { target }: TicketReading): Problem | null {
  if (mode === 'market') return null
  if (target.is === 'empty') return { code: 'priceMissing' }
  const isPrice = target.is === 'value' && target.value > 0 && target.value <= MAX_PRICE_TICKS
  return isPrice ? null : { code: 'priceWrong' }
}

function expiryProblem(state: TicketState, now: number): Problem | null {
  const expiry = readExpiry(state)
  if (expiry.is === 'wrong') return { code: 'expiryMissing' }
  return expiry.is === 'value' && expiry.value <= now ? { code: 'expiryPast' } : null
}

function stopProblems(side: Side, reading: TicketReading, terms: TicketTerms): FieldProblems {
  const reference = valueOf(reading.target) ?? (terms.quote && closingPrice(side, terms.quote))
  return {
    ...stopProblem('takeProfit', side, reading.takeProfit, reference, terms.instrument),
    ...stopProblem('stopLoss', side, reading.stopLoss, reference, terms.instrument),
  }
}

function stopProblem(
  field: 'takeProfit' | 'stopLoss',
  side: Side,
  read: Read<Price>,
  reference: Price | null,
  instrument: Instrument,
): FieldProblems {
  if (read.is === 'empty') return {}
  if (read.is === 'wrong') return { [field]: { code: 'priceWrong' } }
  if (reference === null) return {}
  const stops = { side, takeProfit: null, stopLoss: null, [field]: read.value }
  const refused = checkStops(instrument, stops, reference)
  if (!refused || !isRejection(refused)) return {}
  const isAbove = (field === 'takeProfit') === (side === 'buy')
  const distance = isAbove ? instrument.minStopDistance : -instrument.minStopDistance
  return { [field]: { code: `${field}WrongSide`, nearest: (reference + distance) as Price } }
}
