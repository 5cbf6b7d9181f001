/** What happens to an order in the reference model: opened, closed, cancelled, reset; and the money that moves. */
import type { EndReason, HouseAccount, ReceiptTrigger } from '../../src/index.ts'
import type { PlainEvent, PlainReceipt, PlainReceiptTick, PlainTransfer } from '../plain.ts'
import type { ReferenceMarket } from './market.ts'
import { rounded, referenceProfit } from './money.ts'
import { dealReceipt, noteReceipt } from './receipt.ts'
import type { ReferenceCost } from './refusals.ts'
import {
  balanceAt,
  byId,
  closingAt,
  isHeld,
  move,
  openingAt,
  ordersOf,
  positionsOf,
  userAccount,
  type ReferenceModel,
  type ReferenceOrder,
} from './state.ts'

/** What an order is from its first moment on. */
export const termsOf = (order: ReferenceOrder) => ({
  orderId: order.orderId,
  accountId: order.accountId,
  instrumentId: order.instrumentId,
  side: order.side,
  kind: order.kind,
  lots: order.lots,
  leverage: order.leverage,
  targetPrice: order.targetPrice,
  acceptedPrice: order.acceptedPrice,
  takeProfit: order.takeProfit,
  stopLoss: order.stopLoss,
  expiresAt: order.expiresAt,
  createdAt: order.createdAt,
  margin: order.margin,
  fee: order.fee,
})

export function open(
  model: ReferenceModel,
  order: ReferenceOrder,
  fill: {
    market: ReferenceMarket
    cost: ReferenceCost
    trigger: ReceiptTrigger
    requestedPrice: number
    at: number
    events: PlainEvent[]
  },
): void {
  const { market, cost, at } = fill
  const { quote } = market
  const openPrice = openingAt(order.side, quote)
  Object.assign(order, cost, { status: 'holding', openPrice, openedAt: at, openedSeq: quote.seq })
  if (!model.living.includes(order)) model.living.push(order)
  if (model.nights.some((night) => night.at === at)) model.notes.push('opened at 17:00:00, not financed')
  const transfers = settle(model, order, -cost.fee, { house: 'fees', kind: 'fee', at })
  const receipt = dealReceipt({
    ...fill,
    action: 'open',
    deal: order.side,
    quote,
    conversion: market.rate.quotes,
    terms: model.termsVersion,
  })
  fill.events.push({ type: 'positionOpened', ...termsOf(order), openPrice, receipt, transfers })
}

export type End = {
  readonly reason: EndReason
  readonly trigger: ReceiptTrigger
  readonly at: number
  readonly events: PlainEvent[]
  /** Of a stop-out: what the account's worth was worked out from. */
  readonly prices?: readonly PlainReceiptTick[]
}

const withPrices = (receipt: PlainReceipt, { prices }: End): PlainReceipt =>
  prices ? { ...receipt, prices } : receipt

export function close(
  model: ReferenceModel,
  what: { order: ReferenceOrder; market: ReferenceMarket },
  end: End,
): void {
  const { order, market } = what
  const { closePrice, profit, receipt } = closing(model, { order, market }, end)
  finish(model, order, 'closed', end.reason)
  const transfers = [
    ...settle(model, order, profit, { house: 'trading', kind: 'result', at: end.at }),
    ...protect(model, order, end.at),
  ]
  end.events.push({ type: 'positionClosed', ...endOf(order, end), closePrice, profit, receipt, transfers })
}

function closing(
  model: ReferenceModel,
  { order, market }: { order: ReferenceOrder; market: ReferenceMarket },
  end: End,
) {
  const { quote, instrument, rate } = market
  if (!isHeld(order)) throw new Error('the reference model closes a position that was never opened')
  const closePrice = closingAt(order.side, quote)
  const profit = rounded(referenceProfit(instrument, order, closePrice, rate.q))
  const { takeProfit, stopLoss } = order
  const wished = { takeProfit, stopLoss }
  const requestedPrice =
    end.reason === 'takeProfit' || end.reason === 'stopLoss' ? (wished[end.reason] ?? closePrice) : closePrice
  const receipt = dealReceipt({
    action: 'close',
    trigger: end.trigger,
    deal: order.side === 'buy' ? 'sell' : 'buy',
    quote,
    requestedPrice,
    conversion: rate.quotes,
    at: end.at,
    terms: model.termsVersion,
  })
  return { closePrice, profit, receipt: withPrices(receipt, end) }
}

/** The part takes its share of the margin and a number of its own; nothing else of the rest changes. */
export function reduce(
  model: ReferenceModel,
  what: { order: ReferenceOrder; market: ReferenceMarket; lots: number },
  end: End,
): void {
  const { order, market, lots } = what
  const margin = rounded({ over: order.margin * BigInt(lots), under: BigInt(order.lots) })
  const partId = ++model.lastOrderId
  const { openPrice, openedAt } = order
  if (openPrice === null || openedAt === null)
    throw new Error('the reference model reduces what was never opened')
  const position = { ...termsOf(order), openPrice, openedAt }
  const part: ReferenceOrder = { ...order, orderId: partId, parentId: order.orderId, lots, margin }
  const { closePrice, profit, receipt } = closing(model, { order: part, market }, end)
  order.lots -= lots
  order.margin -= margin
  finish(model, part, 'closed', end.reason)
  const transfers = settle(model, part, profit, { house: 'trading', kind: 'result', at: end.at })
  end.events.push({
    type: 'positionReduced',
    ...endOf(order, end),
    partId,
    position,
    lots,
    margin,
    closePrice,
    profit,
    receipt,
    transfers,
  })
}

const endOf = ({ orderId, accountId }: ReferenceOrder, { reason }: End) => ({ orderId, accountId, reason })

/** No open position and less than nothing: the house brings the account to zero. */
function protect(model: ReferenceModel, order: ReferenceOrder, at: number): PlainTransfer[] {
  const balance = balanceAt(model, userAccount(order.accountId))
  if (positionsOf(model, order.accountId).length > 0 || balance >= 0n) return []
  return settle(model, order, -balance, { house: 'protection', kind: 'protection', at })
}

/** Brings an amount to the user (above zero) or takes it from them (below); nothing is no row. */
export function settle(
  model: ReferenceModel,
  { accountId, orderId }: { accountId: number; orderId: number | null },
  amount: bigint,
  why: { house: HouseAccount; kind: PlainTransfer['kind']; at: number; caseId?: number },
): PlainTransfer[] {
  if (amount === 0n) return []
  const account = model.accounts.find(({ id }) => id === accountId)
  if (!account) throw new Error(`the reference model has no account ${accountId}`)
  const user = userAccount(accountId)
  const house = `house:${account.ledger}:${why.house}` as const
  const sides = amount > 0n ? { debit: house, credit: user } : { debit: user, credit: house }
  const ofCase = why.caseId === undefined ? {} : { caseId: why.caseId }
  const transfer = { ...sides, amount: amount > 0n ? amount : -amount, kind: why.kind, orderId, ...ofCase }
  move(model, transfer, why.at)
  return [transfer]
}

function finish(
  model: ReferenceModel,
  order: ReferenceOrder,
  status: 'closed' | 'cancelled',
  reason: EndReason,
): void {
  order.status = status
  order.reason = reason
  model.living = model.living.filter((other) => other !== order)
  model.ended.push(order)
}

/** `market` where money was the reason, so that the receipt names its conversion. */
export function cancel(
  model: ReferenceModel,
  order: ReferenceOrder,
  end: End,
  market?: ReferenceMarket,
): void {
  finish(model, order, 'cancelled', end.reason)
  const receipt = noteReceipt({
    action: 'cancel',
    trigger: end.trigger,
    quote: model.quotes.get(order.instrumentId),
    conversion: market?.rate.quotes ?? [],
    requestedPrice: end.reason === 'demoReset' ? null : order.targetPrice,
    at: end.at,
    terms: model.termsVersion,
  })
  end.events.push({ type: 'orderCancelled', ...endOf(order, end), receipt: withPrices(receipt, end) })
}

export function setStops(
  order: ReferenceOrder,
  stops: Pick<ReferenceOrder, 'takeProfit' | 'stopLoss' | 'trailingDistance'>,
  events: PlainEvent[],
): void {
  const { takeProfit, stopLoss, trailingDistance } = stops
  Object.assign(order, { takeProfit, stopLoss, trailingDistance })
  const { orderId, accountId } = order
  events.push({ type: 'stopsSet', orderId, accountId, takeProfit, stopLoss, trailingDistance })
}

/** Everything ends without a fill or a result; one transfer restores the starting balance. */
export function reset(model: ReferenceModel, accountId: number, at: number, events: PlainEvent[]): void {
  const end: End = { reason: 'demoReset', trigger: 'user', at, events }
  for (const order of ordersOf(model, accountId).toSorted(byId)) {
    if (order.status === 'pending') cancel(model, order, end)
    else endWithoutFill(model, order, end)
  }
  const missing = model.settings.demoBalance - balanceAt(model, userAccount(accountId))
  const why = { house: 'demoIssue', kind: 'demoReset', at } as const
  const transfers = settle(model, { accountId, orderId: null }, missing, why)
  events.push({ type: 'demoReset', accountId, transfers })
}

function endWithoutFill(model: ReferenceModel, order: ReferenceOrder, end: End): void {
  finish(model, order, 'closed', end.reason)
  const receipt = noteReceipt({
    action: 'close',
    trigger: end.trigger,
    quote: model.quotes.get(order.instrumentId),
    requestedPrice: null,
    at: end.at,
    terms: model.termsVersion,
  })
  const nothing = { closePrice: null, profit: 0n, transfers: [] }
  end.events.push({ type: 'positionClosed', ...endOf(order, end), receipt, ...nothing })
}
