/** What happens to an order in the twin: opened, closed, cancelled, reset; and the money that moves. */
import type { EndReason, ReceiptTrigger } from '../src/index.ts'
import type { PlainEvent, PlainTransfer } from './plain.ts'
import { rounded, twinProfit } from './twin-money.ts'
import { dealReceipt, noteReceipt } from './twin-receipt.ts'
import type { TwinCost, TwinMarket } from './twin-refusals.ts'
import {
  balanceAt,
  byId,
  closingAt,
  move,
  openingAt,
  ordersOf,
  userAccount,
  type Twin,
  type TwinOrder,
} from './twin-state.ts'

export function termsOf({
  status: _status,
  openPrice: _price,
  openedAt: _at,
  reason: _reason,
  ...terms
}: TwinOrder) {
  return terms
}

export function open(
  twin: Twin,
  order: TwinOrder,
  fill: {
    market: TwinMarket
    cost: TwinCost
    trigger: ReceiptTrigger
    requestedPrice: number
    at: number
    events: PlainEvent[]
  },
): void {
  const { market, cost, at } = fill
  const { quote } = market
  const openPrice = openingAt(order.side, quote)
  Object.assign(order, cost, { status: 'holding', openPrice, openedAt: at })
  if (!twin.living.includes(order)) twin.living.push(order)
  const house = houseOf(twin, order, 'fees')
  const transfers = settle(twin, order, -cost.fee, { house, kind: 'fee', at })
  const receipt = dealReceipt({
    ...fill,
    action: 'open',
    deal: order.side,
    quote,
    conversion: market.rate.quotes,
  })
  fill.events.push({ type: 'positionOpened', ...termsOf(order), openPrice, receipt, transfers })
}

export type End = { reason: EndReason; trigger: ReceiptTrigger; at: number; events: PlainEvent[] }

export function close(twin: Twin, what: { order: TwinOrder; market: TwinMarket }, end: End): void {
  const { order, market } = what
  const { quote, instrument, rate } = market
  const { openPrice } = order
  if (openPrice === null) throw new Error('the twin closes a position that was never opened')
  const closePrice = closingAt(order.side, quote)
  const profit = rounded(twinProfit(instrument, { ...order, openPrice }, closePrice, rate.q))
  const wished = { takeProfit: order.takeProfit, stopLoss: order.stopLoss }
  const requestedPrice =
    end.reason === 'takeProfit' || end.reason === 'stopLoss' ? (wished[end.reason] ?? closePrice) : closePrice
  finish(twin, order, 'closed', end.reason)
  const transfers = [
    ...settle(twin, order, profit, { house: houseOf(twin, order, 'trading'), kind: 'result', at: end.at }),
    ...protect(twin, order, end.at),
  ]
  const deal = order.side === 'buy' ? ('sell' as const) : ('buy' as const)
  const { trigger: cause, at } = end
  const receipt = dealReceipt({
    action: 'close',
    trigger: cause,
    deal,
    quote,
    requestedPrice,
    conversion: rate.quotes,
    at,
  })
  end.events.push({ type: 'positionClosed', ...endOf(order, end), closePrice, profit, receipt, transfers })
}

const endOf = ({ orderId, accountId }: TwinOrder, { reason }: End) => ({ orderId, accountId, reason })

/** No open position and less than nothing: the house brings the account to zero. */
function protect(twin: Twin, order: TwinOrder, at: number): PlainTransfer[] {
  const hasPosition = ordersOf(twin, order.accountId).some(({ status }) => status === 'holding')
  const balance = balanceAt(twin, userAccount(order.accountId))
  if (hasPosition || balance >= 0n) return []
  return settle(twin, order, -balance, { house: houseOf(twin, order, 'protection'), kind: 'protection', at })
}

function houseOf(twin: Twin, { accountId }: TwinOrder, name: 'fees' | 'trading' | 'protection') {
  const account = twin.accounts.find(({ id }) => id === accountId)
  if (!account) throw new Error(`the twin has no account ${accountId}`)
  return `house:${account.ledger}:${name}` as const
}

/** Brings an amount to the user (above zero) or takes it from them (below); nothing is no row. */
function settle(
  twin: Twin,
  { accountId, orderId }: { accountId: number; orderId: number | null },
  amount: bigint,
  why: { house: PlainTransfer['debit']; kind: PlainTransfer['kind']; at: number },
): PlainTransfer[] {
  if (amount === 0n) return []
  const user = userAccount(accountId)
  const sides = amount > 0n ? { debit: why.house, credit: user } : { debit: user, credit: why.house }
  const transfer = { ...sides, amount: amount > 0n ? amount : -amount, kind: why.kind, orderId }
  move(twin, transfer, why.at)
  return [transfer]
}

function finish(twin: Twin, order: TwinOrder, status: 'closed' | 'cancelled', reason: EndReason): void {
  order.status = status
  order.reason = reason
  twin.living = twin.living.filter((other) => other !== order)
  twin.ended.push(order)
}

export function cancel(twin: Twin, order: TwinOrder, end: End): void {
  finish(twin, order, 'cancelled', end.reason)
  const quote = twin.quotes.get(order.instrumentId)
  const requestedPrice = end.reason === 'demoReset' ? null : order.targetPrice
  const receipt = noteReceipt({ action: 'cancel', trigger: end.trigger, quote, requestedPrice, at: end.at })
  end.events.push({ type: 'orderCancelled', ...endOf(order, end), receipt })
}

export function setStops(
  order: TwinOrder,
  { takeProfit, stopLoss }: Pick<TwinOrder, 'takeProfit' | 'stopLoss'>,
  events: PlainEvent[],
): void {
  Object.assign(order, { takeProfit, stopLoss })
  events.push({ type: 'stopsSet', orderId: order.orderId, accountId: order.accountId, takeProfit, stopLoss })
}

/** Everything ends without a fill or a result; one transfer restores the starting balance. */
export function reset(twin: Twin, accountId: number, at: number, events: PlainEvent[]): void {
  const end: End = { reason: 'demoReset', trigger: 'user', at, events }
  for (const order of ordersOf(twin, accountId).toSorted(byId)) {
    if (order.status === 'pending') cancel(twin, order, end)
    else endWithoutFill(twin, order, end)
  }
  const missing = twin.settings.demoBalance - balanceAt(twin, userAccount(accountId))
  const why = { house: 'house:demo:demoIssue', kind: 'demoReset', at } as const
  const transfers = settle(twin, { accountId, orderId: null }, missing, why)
  events.push({ type: 'moneyMoved', accountId, transfers })
}

function endWithoutFill(twin: Twin, order: TwinOrder, end: End): void {
  finish(twin, order, 'closed', end.reason)
  const quote = twin.quotes.get(order.instrumentId)
  const receipt = noteReceipt({
    action: 'close',
    trigger: end.trigger,
    quote,
    requestedPrice: null,
    at: end.at,
  })
  end.events.push({
    type: 'positionClosed',
    ...endOf(order, end),
    closePrice: null,
    profit: 0n,
    receipt,
    transfers: [],
  })
}
