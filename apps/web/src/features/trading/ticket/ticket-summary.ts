import {
  feeOf,
  larger,
  lots,
  LOTS_SCALE,
  marginOf,
  money,
  openingPrice,
  pendingKind,
  profitOf,
  swapOf,
  type Fraction,
  type Lots,
  type Money,
  type OrderKind,
  type Price,
  type Side,
} from '@fairlot/core'
import { stopOutOnceOpen } from '../account-snapshot.ts'
import { valueOf, type TicketReading } from './ticket-parser.ts'
import type { TicketState } from './ticket-state.ts'
import type { TicketTerms } from './ticket-terms.ts'

export type OrderCost = { readonly margin: Money; readonly fee: Money; readonly total: Money }

export type SideSummary = {
  readonly kind: OrderKind
  /** Where it would open: the live price at the market, the target of a pending order. */
  readonly price: Price | null
  /** Null while the lots, the leverage or a price is missing. */
  readonly cost: OrderCost | null
  /** Profit (below zero: loss) should the stop fill exactly at its price; null without a stop. */
  readonly atStopLoss: Money | null
  readonly atTakeProfit: Money | null
  /** Overnight financing of one plain night at the prices of now; above zero is paid to the user. */
  readonly night: Money | null
  /**
   * The closing price at which the account would be stopped out once this has opened; a price of null: at none. Null
   * while the account or the order is not known, or the order is more than the account can carry.
   */
  readonly stopOut: { readonly price: Price | null } | null
}

export type TicketSummary = {
  readonly buy: SideSummary
  readonly sell: SideSummary
  /** Ask less bid, in ticks. */
  readonly spread: number | null
  /** The dearer of the two sides: what the order takes at most. */
  readonly cost: OrderCost | null
  /** False when the available prepayment is known and less than the cost. */
  readonly isAffordable: boolean
}

/** What the ticket would do if it were sent now. Money exact to 1e-6, by the engine's own formulas. */
export function summarise(reading: TicketReading, state: TicketState, terms: TicketTerms): TicketSummary {
  const buy = summariseSide('buy', reading, { state, terms })
  const sell = summariseSide('sell', reading, { state, terms })
  const cost = dearer(buy.cost, sell.cost)
  return {
    buy,
    sell,
    spread: terms.quote && terms.quote.ask - terms.quote.bid,
    cost,
    isAffordable: !isTooDear(cost, terms),
  }
}

/** True when the available prepayment is known and less than the cost. */
export const isTooDear = (cost: OrderCost | null, { available }: TicketTerms): boolean =>
  cost !== null && available !== null && cost.total > available

type Entered = { readonly state: TicketState; readonly terms: TicketTerms }

function summariseSide(side: Side, reading: TicketReading, { state, terms }: Entered): SideSummary {
  const { instrument, quote } = terms
  const target = valueOf(reading.target)
  const market = quote && openingPrice(side, quote)
  const price = state.mode === 'pending' ? target : market
  const order = sizedOrder(valueOf(reading.lots), price, { state, terms })
  const cost = order && costOf(terms, order)
  const position = order && cost && { ...order, side, margin: cost.margin, openPrice: order.price }
  const isOpening = position !== null && position.openPrice > 0
  const profitAt = (close: Price | null): Money | null =>
    isOpening && close !== null ? profitOf(instrument, position, close, position.rate) : null
  const night = { nights: 1, yearlyRate: instrument.swapRate[side] }
  return {
    kind: target !== null && market !== null ? pendingKind(side, target, market) : 'market',
    price,
    cost,
    atStopLoss: profitAt(valueOf(reading.stopLoss)),
    atTakeProfit: profitAt(valueOf(reading.takeProfit)),
    night: position && quote && swapOf(instrument, { ...position, ...night }, quote),
    stopOut:
      isOpening && terms.snapshot && cost && !isTooDear(cost, terms)
        ? {
            price: stopOutOnceOpen(terms.snapshot, {
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

/** An order whose cost can be told; null while something of it is missing. */
function sizedOrder(
  lots: Lots | null,
  price: Price | null,
  { state: { leverage }, terms: { rate } }: Entered,
): SizedOrder | null {
  return lots === null || lots <= 0 || leverage === null || price === null || !rate
    ? null
    : { lots, leverage, price, rate }
}

function costOf({ instrument, feeType }: TicketTerms, order: SizedOrder): OrderCost {
  const margin = marginOf(instrument, order)
  const fee = feeOf(instrument, feeType, { lots: order.lots, margin })
  return { margin, fee, total: money(margin + fee) }
}

function dearer(a: OrderCost | null, b: OrderCost | null): OrderCost | null {
  if (!a || !b) return a ?? b
  return larger(a.total, b.total) === a.total ? a : b
}

const ONE_LOT = lots(Number(LOTS_SCALE))

/** The most lots, in whole steps, whose margin and fee the available prepayment covers; null while unknown. */
export function mostLots({ buy, sell }: TicketSummary, state: TicketState, terms: TicketTerms): Lots | null {
  const { instrument, available } = terms
  const costOfOne = ({ price }: SideSummary): OrderCost | null => {
    const order = sizedOrder(ONE_LOT, price, { state, terms })
    return order && costOf(terms, order)
  }
  const one = dearer(costOfOne(buy), costOfOne(sell))
  if (!one || available === null || one.total <= 0n) return null
  const steps = (available * LOTS_SCALE) / (one.total * BigInt(instrument.lotStep))
  return lots(Math.min(Number(larger(steps, 0n)) * instrument.lotStep, instrument.lotMax))
}
