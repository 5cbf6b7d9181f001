import {
  checkExpiry,
  checkLots,
  checkOpening,
  checkStopPrices,
  checkStops,
  price,
  stopsReference,
  type Instrument,
  type Price,
  type Rejection,
  type RejectionCode,
  type Side,
} from '@fairlot/core'
import { valueOf, type Read, type TicketReading } from './ticket-parser.ts'
import type { TicketField, TicketState } from './ticket-state.ts'
import type { TicketTerms } from './ticket-terms.ts'

/** Why nothing can be sent now, whatever is entered. */
export type MarketProblem =
  'disabled' | 'noLeverage' | 'halted' | 'marketClosed' | 'cancelOnly' | 'noPrice' | 'stalePrice'

/** What the engine's rules refuse, under its own names. */
const RULES = [
  'lotsBelowMinimum',
  'lotsAboveMaximum',
  'lotsOffStep',
  'priceInvalid',
  'takeProfitWrongSide',
  'stopLossWrongSide',
  'expiryInPast',
] as const satisfies readonly RejectionCode[]

export type FieldProblem =
  (typeof RULES)[number] | 'lotsMissing' | 'lotsWrong' | 'priceMissing' | 'expiryMissing'

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

/** Why nothing can be sent now; null when the market takes orders. */
export function marketProblem(terms: TicketTerms): MarketProblem | null {
  const { instrument, isOpen, haltReason, isCancelOnly, quote, isStale, rate } = terms
  if (!instrument.isEnabled) return 'disabled'
  if (instrument.leverages.length === 0) return 'noLeverage'
  if (haltReason !== null) return 'halted'
  if (!isOpen) return 'marketClosed'
  if (isCancelOnly) return 'cancelOnly'
  if (!quote || !rate) return 'noPrice'
  return isStale ? 'stalePrice' : null
}

/** What is wrong with the fields for an order of a side: what the engine would refuse, by its own rules, or what is missing yet. */
export function fieldProblems(
  side: Side,
  reading: TicketReading,
  { state, terms }: { readonly state: TicketState; readonly terms: TicketTerms },
): FieldProblems {
  const lots = lotsProblem(reading, terms.instrument)
  const target = state.mode === 'market' ? null : targetProblem(reading, terms.instrument)
  const expiry = expiryProblem(reading, terms.now)
  const takeProfit = stopProblem('takeProfit', side, reading, terms)
  const stopLoss = stopProblem('stopLoss', side, reading, terms)
  return {
    ...(lots && { lots }),
    ...(target && { target }),
    ...(expiry && { expiry }),
    ...(takeProfit && { takeProfit }),
    ...(stopLoss && { stopLoss }),
  }
}

/** A refusal as a problem of the field it is about. */
function problemOf(refused: Rejection | null): Problem | null {
  const code = RULES.find((rule) => rule === refused?.rejected)
  return code ? { code } : null
}

function lotsProblem({ lots }: TicketReading, instrument: Instrument): Problem | null {
  if (lots.is === 'empty') return { code: 'lotsMissing' }
  return lots.is === 'wrong' ? { code: 'lotsWrong' } : problemOf(checkLots(instrument, lots.value))
}

function targetProblem({ target }: TicketReading, instrument: Instrument): Problem | null {
  if (target.is === 'empty') return { code: 'priceMissing' }
  return target.is === 'wrong' ? NO_PRICE : problemOf(checkOpening(instrument, target.value))
}

function expiryProblem({ expiry }: TicketReading, now: number): Problem | null {
  return expiry.is === 'wrong' ? { code: 'expiryMissing' } : problemOf(checkExpiry(valueOf(expiry), now))
}

const NO_PRICE: Problem = { code: 'priceInvalid' }

function stopProblem(
  field: 'takeProfit' | 'stopLoss',
  side: Side,
  reading: TicketReading,
  { instrument, quote }: TicketTerms,
): Problem | null {
  const read: Read<Price> = reading[field]
  if (read.is === 'empty') return null
  if (read.is === 'wrong') return NO_PRICE
  const stops = { side, takeProfit: null, stopLoss: null, [field]: read.value }
  const targetPrice = valueOf(reading.target)
  const reference = quote ? stopsReference({ side, targetPrice }, quote) : targetPrice
  const invalid = checkStopPrices(instrument, stops)
  if (invalid || reference === null) return problemOf(invalid)
  const refused = checkStops(instrument, stops, reference)
  const problem = problemOf(refused)
  const isAbove = (field === 'takeProfit') === (side === 'buy')
  return problem && { ...problem, nearest: price(Number(refused?.details[isAbove ? 'above' : 'below'])) }
}
