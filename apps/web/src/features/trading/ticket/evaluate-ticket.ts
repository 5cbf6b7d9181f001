import {
  type ParsedTicket,
  parseTicket,
  sideOfStops,
  STOPS,
  type TicketField,
  type TicketState,
  type TicketContext,
} from './ticket-model.ts'
import {
  checkExpiry,
  checkLots,
  checkOpening,
  checkStopPrices,
  checkStops,
  feeOf,
  type Fraction,
  type Instrument,
  larger,
  lots,
  type Lots,
  LOTS_SCALE,
  marginOf,
  money,
  type Money,
  openingPrice,
  type OrderKind,
  pendingKind,
  price,
  type Price,
  profitOf,
  type Rejection,
  type RejectionCode,
  type Side,
  stopsReference,
  swapOf,
} from '@fairlot/core'
import { stopOutOnceOpen } from '../account-snapshot.ts'
import { type Parsed, valueOf } from '../lots-and-prices.ts'
import type { Failure } from '@fairlot/contract'

export type TicketEvaluation = { readonly summary: TicketSummary; readonly problems: TicketProblems }

/** Evaluates a ticket as if it were sent now: its costs and effects, and the problems that prevent sending it. */
export function evaluateTicket(state: TicketState, context: TicketContext): TicketEvaluation {
  const parsed = parseTicket(state, context.instrument)
  const summary = summarise(parsed, state, context)
  return {
    summary,
    problems: {
      market: marketProblem(context),
      buy: fieldProblems('buy', parsed, { state, context }),
      sell: fieldProblems('sell', parsed, { state, context }),
      isUnaffordable: {
        buy: isUnaffordable(summary.buy.cost, context),
        sell: isUnaffordable(summary.sell.cost, context),
      },
    },
  }
}

export type OrderCost = { readonly margin: Money; readonly fee: Money; readonly total: Money }

export type SideSummary = {
  readonly kind: OrderKind
  /** Opening price: the live price of a market order, the target of a pending order. */
  readonly price: Price | null
  /** Null while the lots, the leverage or a price is missing. */
  readonly cost: OrderCost | null
  /** Profit (below zero: loss) if the stop fills exactly at its price; null without a stop. */
  readonly atStopLoss: Money | null
  readonly atTakeProfit: Money | null
  /** Swap of one ordinary rollover at current prices; above zero it is paid to the user. */
  readonly dailySwap: Money | null
  /**
   * Stop-out price of this position once it has opened; a price of null: it cannot be stopped out. Null while the account or the
   * order is incomplete, or the account cannot afford the order.
   */
  readonly stopOut: { readonly price: Price | null } | null
}

export type TicketSummary = {
  readonly buy: SideSummary
  readonly sell: SideSummary
  /** Ask less bid, in ticks. */
  readonly spread: number | null
  /** Cost of the more expensive side: the most that the order takes. */
  readonly cost: OrderCost | null
  /** False when the free margin is known and less than the cost. */
  readonly isAffordable: boolean
}

/** Costs and effects of the ticket if it were sent now. Money exact to 1e-6, by the engine's formulas. */
function summarise(parsed: ParsedTicket, state: TicketState, context: TicketContext): TicketSummary {
  const buy = summariseSide('buy', parsed, { state, context })
  const sell = summariseSide('sell', parsed, { state, context })
  const cost = moreExpensive(buy.cost, sell.cost)
  return {
    buy,
    sell,
    spread: context.quote && context.quote.ask - context.quote.bid,
    cost,
    isAffordable: !isUnaffordable(cost, context),
  }
}

/** True when the free margin is known and less than the cost. */
const isUnaffordable = (cost: OrderCost | null, { freeMargin }: TicketContext): boolean =>
  cost !== null && freeMargin !== null && cost.total > freeMargin

type Entered = { readonly state: TicketState; readonly context: TicketContext }

function summariseSide(side: Side, parsed: ParsedTicket, { state, context }: Entered): SideSummary {
  const { instrument, quote } = context
  const target = valueOf(parsed.target)
  const market = quote && openingPrice(side, quote)
  const price = state.mode === 'pending' ? target : market
  const order = sizedOrder(valueOf(parsed.lots), price, { state, context })
  const cost = order && costOf(context, order)
  const position = order && cost && { ...order, side, margin: cost.margin, openPrice: order.price }
  const isOpening = position !== null && position.openPrice > 0
  const profitAt = (close: Price | null): Money | null =>
    isOpening && close !== null ? profitOf(instrument, position, close, position.rate) : null
  const rollover = { nights: 1, yearlyRate: instrument.swapRate[side] }
  return {
    kind: target !== null && market !== null ? pendingKind(side, target, market) : 'market',
    price,
    cost,
    atStopLoss: profitAt(valueOf(parsed.stopLoss)),
    atTakeProfit: profitAt(valueOf(parsed.takeProfit)),
    dailySwap: position && quote && swapOf(instrument, { ...position, ...rollover }, quote),
    stopOut:
      isOpening && context.snapshot && cost && !isUnaffordable(cost, context)
        ? {
            price: stopOutOnceOpen(context.snapshot, {
              ...position,
              instrumentId: instrument.id,
              fee: cost.fee,
            }),
          }
        : null,
  }
}

type SizedOrder = {
  readonly lots: Lots
  readonly leverage: number
  readonly price: Price
  readonly rate: Fraction
}

/** An order whose cost can be calculated; null while a part of it is missing. */
function sizedOrder(
  lots: Lots | null,
  price: Price | null,
  { state: { leverage }, context: { rate } }: Entered,
): SizedOrder | null {
  return lots === null || lots <= 0 || leverage === null || price === null || !rate
    ? null
    : { lots, leverage, price, rate }
}

function costOf({ instrument, feeType }: TicketContext, order: SizedOrder): OrderCost {
  const margin = marginOf(instrument, order)
  const fee = feeOf(instrument, feeType, { lots: order.lots, margin })
  return { margin, fee, total: money(margin + fee) }
}

function moreExpensive(a: OrderCost | null, b: OrderCost | null): OrderCost | null {
  if (!a || !b) return a ?? b
  return larger(a.total, b.total) === a.total ? a : b
}

const ONE_LOT = lots(Number(LOTS_SCALE))

/** The maximum lots, a multiple of the step, whose margin and fee the free margin covers; null while unknown. */
export function maxLots(
  { buy, sell }: TicketSummary,
  state: TicketState,
  context: TicketContext,
): Lots | null {
  const { instrument, freeMargin } = context
  const costOfOne = ({ price }: SideSummary): OrderCost | null => {
    const order = sizedOrder(ONE_LOT, price, { state, context })
    return order && costOf(context, order)
  }
  const one = moreExpensive(costOfOne(buy), costOfOne(sell))
  if (!one || freeMargin === null || one.total <= 0n) return null
  const steps = (freeMargin * LOTS_SCALE) / (one.total * BigInt(instrument.lotStep))
  return lots(Math.min(Number(larger(steps, 0n)) * instrument.lotStep, instrument.lotMax))
}

/** Reasons of the market or instrument why no order can be sent now. */
export type MarketProblem =
  | 'disabled'
  | 'noLeverage'
  | 'halted'
  | 'marketClosed'
  | 'reduceOnly'
  | 'noPrice'
  | 'stalePrice'

/** Rejections by the engine's rules that a field can cause. */
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
  | (typeof RULES)[number]
  | 'lotsMissing'
  | 'lotsWrong'
  | 'priceMissing'
  | 'expiryMissing'

/** A code and, for a stop on the wrong side, the nearest valid price. */
export type Problem = { readonly code: FieldProblem; readonly nearest?: Price }
export type FieldProblems = { readonly [Field in TicketField]?: Problem }

export type TicketProblems = {
  readonly market: MarketProblem | null
  /** Problems of the fields for an order of this side. */
  readonly buy: FieldProblems
  readonly sell: FieldProblems
  readonly isUnaffordable: { readonly buy: boolean; readonly sell: boolean }
}

/** Whether an order of this side can be sent. */
export const isReady = (found: TicketProblems, side: Side): boolean =>
  found.market === null && !hasFieldProblem(found, side) && !found.isUnaffordable[side]

/** Whether a field prevents an order of this side. */
export const hasFieldProblem = (found: TicketProblems, side: Side): boolean =>
  Object.keys(found[side]).length > 0

const MISSING: ReadonlySet<FieldProblem> = new Set(['lotsMissing', 'priceMissing', 'expiryMissing'])
const isMissing = ({ code }: Problem): boolean => MISSING.has(code)

/**
 * The problems to show at the fields. After an attempt: all problems of its side. Before: problems of both sides other than missing
 * values, and those of the stops for their side.
 */
export function shownProblems(state: TicketState, problems: TicketProblems): FieldProblems {
  const { buy, sell } = problems
  if (state.attempted) return problems[state.attempted]
  const side = sideOfStops(state, problems)
  const shared = Object.entries(buy).filter(([field, problem]) => field in sell && !isMissing(problem))
  const ofStops = STOPS.flatMap((name) => {
    const problem = side && problems[side][name]
    return problem ? [[name, problem] as const] : []
  })
  return Object.fromEntries([...shared, ...ofStops])
}

/** Reason why the market accepts no order now; null when it does. */
function marketProblem(context: TicketContext): MarketProblem | null {
  const { instrument, isOpen, haltReason, reduceReason, quote, isStale, rate } = context
  if (!instrument.isEnabled) return 'disabled'
  if (instrument.leverages.length === 0) return 'noLeverage'
  if (haltReason !== null) return 'halted'
  if (!isOpen) return 'marketClosed'
  if (reduceReason !== null) return 'reduceOnly'
  if (!quote || !rate) return 'noPrice'
  return isStale ? 'stalePrice' : null
}

/** Problems of the fields for an order of a side: what the engine would reject, by its own rules, and missing values. */
function fieldProblems(
  side: Side,
  parsed: ParsedTicket,
  { state, context }: { readonly state: TicketState; readonly context: TicketContext },
): FieldProblems {
  const lots = lotsProblem(parsed, context.instrument)
  const target = state.mode === 'market' ? null : targetProblem(parsed, context.instrument)
  const expiry = expiryProblem(parsed, context.now)
  const takeProfit = stopProblem('takeProfit', side, parsed, context)
  const stopLoss = stopProblem('stopLoss', side, parsed, context)
  return {
    ...(lots && { lots }),
    ...(target && { target }),
    ...(expiry && { expiry }),
    ...(takeProfit && { takeProfit }),
    ...(stopLoss && { stopLoss }),
  }
}

/** A rejection as a problem of its field. */
function problemOf(rejection: Rejection | null): Problem | null {
  const code = RULES.find((rule) => rule === rejection?.rejected)
  return code ? { code } : null
}

function lotsProblem({ lots }: ParsedTicket, instrument: Instrument): Problem | null {
  if (lots.is === 'empty') return { code: 'lotsMissing' }
  return lots.is === 'wrong' ? { code: 'lotsWrong' } : problemOf(checkLots(instrument, lots.value))
}

function targetProblem({ target }: ParsedTicket, instrument: Instrument): Problem | null {
  if (target.is === 'empty') return { code: 'priceMissing' }
  return target.is === 'wrong' ? NO_PRICE : problemOf(checkOpening(instrument, target.value))
}

function expiryProblem({ expiry }: ParsedTicket, now: number): Problem | null {
  return expiry.is === 'wrong' ? { code: 'expiryMissing' } : problemOf(checkExpiry(valueOf(expiry), now))
}

const NO_PRICE: Problem = { code: 'priceInvalid' }

function stopProblem(
  field: 'takeProfit' | 'stopLoss',
  side: Side,
  parsed: ParsedTicket,
  { instrument, quote }: TicketContext,
): Problem | null {
  const stop: Parsed<Price> = parsed[field]
  if (stop.is === 'empty') return null
  if (stop.is === 'wrong') return NO_PRICE
  const stops = { side, takeProfit: null, stopLoss: null, [field]: stop.value }
  const targetPrice = valueOf(parsed.target)
  const reference = quote ? stopsReference({ side, targetPrice }, quote) : targetPrice
  const invalid = checkStopPrices(instrument, stops)
  if (invalid || reference === null) return problemOf(invalid)
  const rejection = checkStops(instrument, stops, reference)
  const problem = problemOf(rejection)
  const isAbove = (field === 'takeProfit') === (side === 'buy')
  return problem && { ...problem, nearest: price(Number(rejection?.details[isAbove ? 'above' : 'below'])) }
}

const FIELDS: { readonly [Reason in Failure['reason']]?: TicketField } = {
  lotsInvalid: 'lots',
  lotsBelowMinimum: 'lots',
  lotsAboveMaximum: 'lots',
  lotsOffStep: 'lots',
  priceMissing: 'target',
  priceInvalid: 'target',
  takeProfitWrongSide: 'takeProfit',
  stopLossWrongSide: 'stopLoss',
  expiryInPast: 'expiry',
}

/** The field that a rejection of the server concerns; null when it concerns none. */
export const fieldOfRejection = ({ reason }: Failure): TicketField | null => FIELDS[reason] ?? null
