import {
  feeOf,
  larger,
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
import { stopOutOnceOpen } from '../standing.ts'
import { readTicket, valueOf } from './ticket-reading.ts'
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
export function summarise(state: TicketState, terms: TicketTerms): TicketSummary {
  const buy = summariseSide('buy', state, terms)
  const sell = summariseSide('sell', state, terms)
  const cost = dearer(buy.cost, sell.cost)
  return {
    buy,
    sell,
    spread: terms.quote && terms.quote.ask - terms.quote.bid,
    cost,
    isAffordable: cost === null || terms.available === null || cost.total <= terms.available,
  }
}

function summariseSide(side: Side, state: TicketState, terms: TicketTerms): SideSummary {
  const reading = readTicket(state, terms.instrument)
  const market = terms.quote && openingPrice(side, terms.quote)
  const target = valueOf(reading.target)
  const price = state.mode === 'pending' ? target : market
  const size = { lots: valueOf(reading.lots), leverage: state.leverage, price }
  const opened = isSized(size) && terms.rate ? { ...size, rate: terms.rate } : null
  const cost = opened && costOf(terms, opened)
  const profitAt = (close: Price | null): Money | null =>
    opened && cost && close !== null && opened.price > 0
      ? profitOf(
          terms.instrument,
          { side, ...opened, margin: cost.margin, openPrice: opened.price },
          close,
          opened.rate,
        )
      : null
  const isCarried = cost !== null && (terms.available === null || cost.total <= terms.available)
  return {
    night:
      opened &&
      cost &&
      terms.quote &&
      swapOf(
        terms.instrument,
        { ...opened, margin: cost.margin, nights: 1, yearlyRate: terms.instrument.swapRate[side] },
        terms.quote,
      ),
    stopOut:
      opened && cost && isCarried && terms.standing && opened.price > 0
        ? { price: stopOutOnceOpen(terms.standing, { ...terms, side, ...opened, ...cost }) }
        : null,
    kind: target !== null && market !== null ? pendingKind(side, target, market) : 'market',
    price,
    cost,
    atStopLoss: profitAt(valueOf(reading.stopLoss)),
    atTakeProfit: profitAt(valueOf(reading.takeProfit)),
  }
}

type Size = { readonly lots: Lots; readonly leverage: number; readonly price: Price }

const isSized = (size: { [Name in keyof Size]: Size[Name] | null }): size is Size =>
  size.lots !== null && size.lots > 0 && size.leverage !== null && size.price !== null

function costOf({ instrument, feeType }: TicketTerms, size: Size & { rate: Fraction }): OrderCost {
  const margin = marginOf(instrument, size)
  const fee = feeOf(instrument, feeType, { lots: size.lots, margin })
  return { margin, fee, total: money(margin + fee) }
}

function dearer(a: OrderCost | null, b: OrderCost | null): OrderCost | null {
  if (!a || !b) return a ?? b
  return larger(a.total, b.total) === a.total ? a : b
}

/** The most lots, in whole steps, whose margin and fee the available prepayment covers; null while unknown. */
export function mostLots(state: TicketState, terms: TicketTerms): Lots | null {
  const { instrument, available } = terms
  const one = summarise({ ...state, lots: '1' }, terms).cost
  if (!one || available === null || one.total <= 0n) return null
  const steps = (available * 10_000n) / (one.total * BigInt(instrument.lotStep))
  const capped = Math.min(Number(larger(steps, 0n)) * instrument.lotStep, instrument.lotMax)
  return capped as Lots
}
