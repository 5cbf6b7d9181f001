/** What an account is worth in the twin: added up from its orders, every time (trading-rules §3). */
import type { PlainInstrument } from './plain.ts'
import { rateNow } from './twin-market.ts'
import { plus, rounded, twinProfit, type Quotient } from './twin-money.ts'
import {
  balanceAt,
  closingAt,
  instrumentOf,
  isHeld,
  ordersOf,
  positionsOf,
  userAccount,
  type Twin,
  type TwinOrder,
  type TwinPosition,
} from './twin-state.ts'

export type TwinFigures = {
  readonly balance: bigint
  readonly profit: bigint
  readonly equity: bigint
  readonly margin: bigint
  readonly reserved: bigint
  readonly free: bigint
}

export function twinFigures(twin: Twin, accountId: number): TwinFigures {
  const orders = ordersOf(twin, accountId)
  const balance = balanceAt(twin, userAccount(accountId))
  const held = orders.filter(isHeld)
  const profit = twin.instruments.reduce((sum, instrument) => sum + profitOn(twin, held, instrument), 0n)
  const waiting = orders.filter(({ status }) => status === 'pending')
  const margin = held.reduce((sum, order) => sum + order.margin, 0n)
  const reserved = waiting.reduce((sum, order) => sum + order.margin + order.fee, 0n)
  const equity = balance + profit
  return { balance, profit, equity, margin, reserved, free: equity - margin - reserved }
}

/** Summed exactly over the instrument's positions, then rounded once. Without a price nothing is known: zero. */
function profitOn(twin: Twin, held: readonly TwinPosition[], instrument: PlainInstrument): bigint {
  const here = held.filter((order) => order.instrumentId === instrument.id)
  const quote = twin.quotes.get(instrument.id)
  const rate = here.length > 0 && quote ? rateNow(twin, instrument) : null
  if (!quote || !rate) return 0n
  return rounded(
    here.map((order) => twinProfit(instrument, order, closingAt(order.side, quote), rate.q)).reduce(plus),
  )
}

/** What closing now would book: rounded by itself; null while a price for it is missing. */
export function twinFloating(twin: Twin, order: TwinOrder): bigint | null {
  const exact = isHeld(order) ? exactProfitOf(twin, order) : null
  return exact && rounded(exact)
}

function exactProfitOf(twin: Twin, order: TwinPosition): Quotient | null {
  const instrument = instrumentOf(twin, order)
  const quote = twin.quotes.get(instrument.id)
  const rate = rateNow(twin, instrument)
  return quote && rate ? twinProfit(instrument, order, closingAt(order.side, quote), rate.q) : null
}

/** True when every position has some price, however old. Without one nobody knows what the account is worth. */
export const isPriced = (twin: Twin, accountId: number): boolean =>
  positionsOf(twin, accountId).every((order) => hasPrice(twin, instrumentOf(twin, order)))

const hasPrice = (twin: Twin, instrument: PlainInstrument): boolean =>
  twin.quotes.has(instrument.id) && rateNow(twin, instrument) !== null

/** Equity over margin times 100 against the stop-out level, both sides multiplied out: above zero is above the level. */
export function distanceToStopOut(twin: Twin, accountId: number): bigint | null {
  const { equity, margin } = twinFigures(twin, accountId)
  return margin > 0n ? equity * 100n - BigInt(twin.settings.stopOutLevel) * margin : null
}
