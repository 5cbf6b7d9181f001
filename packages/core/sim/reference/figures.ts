/** Account figures in the reference model: summed from the orders every time (trading-rules §3). */
import type { PlainInstrument } from '../plain-types.ts'
import { rateNow } from './market.ts'
import { plus, rounded, referenceProfit, type Quotient } from './money.ts'
import {
  balanceAt,
  closingAt,
  instrumentOf,
  isHeld,
  ordersOf,
  positionsOf,
  userAccount,
  type ReferenceModel,
  type ReferenceOrder,
  type ReferencePosition,
} from './state.ts'

export type ReferenceFigures = {
  readonly balance: bigint
  readonly profit: bigint
  readonly equity: bigint
  readonly margin: bigint
  readonly reserved: bigint
  readonly free: bigint
}

export function referenceFigures(model: ReferenceModel, accountId: number): ReferenceFigures {
  const orders = ordersOf(model, accountId)
  const balance = balanceAt(model, userAccount(accountId))
  const held = orders.filter(isHeld)
  const profit = model.instruments.reduce((sum, instrument) => sum + profitOn(model, held, instrument), 0n)
  const waiting = orders.filter(({ status }) => status === 'pending')
  const margin = held.reduce((sum, order) => sum + order.margin, 0n)
  const reserved = waiting.reduce((sum, order) => sum + order.margin + order.fee, 0n)
  const equity = balance + profit
  return { balance, profit, equity, margin, reserved, free: equity - margin - reserved }
}

/** Summed exactly over the instrument's positions, then rounded once. Zero without a price. */
export function profitOn(
  model: ReferenceModel,
  held: readonly ReferencePosition[],
  instrument: PlainInstrument,
): bigint {
  const here = held.filter((order) => order.instrumentId === instrument.id)
  const quote = model.quotes.get(instrument.id)
  const rate = here.length > 0 && quote ? rateNow(model, instrument) : null
  if (!quote || !rate) return 0n
  return rounded(
    here
      .map((order) => referenceProfit(instrument, order, closingAt(order.side, quote), rate.q))
      .reduce(plus),
  )
}

/** The profit that closing now would book, rounded; null while a price for it is missing. */
export function referenceFloating(model: ReferenceModel, order: ReferenceOrder): bigint | null {
  const exact = isHeld(order) ? exactProfitOf(model, order) : null
  return exact && rounded(exact)
}

function exactProfitOf(model: ReferenceModel, order: ReferencePosition): Quotient | null {
  const instrument = instrumentOf(model, order)
  const quote = model.quotes.get(instrument.id)
  const rate = rateNow(model, instrument)
  return quote && rate ? referenceProfit(instrument, order, closingAt(order.side, quote), rate.q) : null
}

/** True when every position has a price, however old. Without one the equity is unknown. */
export const isPriced = (model: ReferenceModel, accountId: number): boolean =>
  positionsOf(model, accountId).every((order) => hasPrice(model, instrumentOf(model, order)))

const hasPrice = (model: ReferenceModel, instrument: PlainInstrument): boolean =>
  model.quotes.has(instrument.id) && rateNow(model, instrument) !== null

/**
 * Margin level (in percent) against the stop-out level, both sides multiplied by the margin: positive is above the
 * level.
 */
export function distanceToStopOut(model: ReferenceModel, accountId: number): bigint | null {
  const { equity, margin } = referenceFigures(model, accountId)
  return margin > 0n ? equity * 100n - BigInt(model.settings.stopOutLevel) * margin : null
}
