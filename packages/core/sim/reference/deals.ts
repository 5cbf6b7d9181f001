/**
 * What happens to an order in the reference model (opening, closing, cancelling, resetting) and the money that moves.
 */
import type { EndReason, BrokerAccount, ReceiptTrigger, ResetDemo } from '../../src/index.ts'
import type { PlainEvent, PlainReceipt, PlainReceiptTick, PlainTransfer } from '../plain-types.ts'
import { removeAlertsOf } from './alerts.ts'
import type { ReferenceMarket } from './market.ts'
import { rounded, referenceProfit } from './money.ts'
import { dealReceipt, noteReceipt, withKind } from './receipt.ts'
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

/** The fields of an order that its opening event carries. */
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
  if (!model.active.includes(order)) model.active.push(order)
  if (model.rollovers.some((openRollover) => openRollover.at === at))
    model.notes.push('opened at 17:00:00, without swap')
  const transfers = bookTransfer(model, order, -cost.fee, { brokerAccount: 'fees', kind: 'fee', at })
  const receipt = dealReceipt({
    ...fill,
    action: 'open',
    deal: order.side,
    quote,
    conversion: market.rate.quotes,
    terms: model.termsVersion,
  })
  fill.events.push({
    type: 'positionOpened',
    ...termsOf(order),
    openPrice,
    receipt: withKind(receipt, order),
    transfers,
  })
}

export type End = {
  readonly reason: EndReason
  readonly trigger: ReceiptTrigger
  readonly at: number
  readonly events: PlainEvent[]
  /** Of a stop-out: the prices from which the account's equity was computed. */
  readonly prices?: readonly PlainReceiptTick[]
  /** Of a close by operators: its published ground. */
  readonly ground?: NonNullable<PlainReceipt['ground']>
}

const withPrices = (receipt: PlainReceipt, { prices, ground }: End): PlainReceipt => ({
  ...receipt,
  ...(prices && { prices }),
  ...(ground && { ground }),
})

export function close(
  model: ReferenceModel,
  what: { order: ReferenceOrder; market: ReferenceMarket },
  end: End,
): void {
  const { order, market } = what
  const { closePrice, profit, receipt } = closeResult(model, { order, market }, end)
  finish(model, order, 'closed', end.reason)
  const transfers = [
    ...bookTransfer(model, order, profit, { brokerAccount: 'trading', kind: 'result', at: end.at }),
    ...protectBalance(model, order, end.at),
  ]
  end.events.push({
    type: 'positionClosed',
    ...endFields(order, end),
    closePrice,
    profit,
    receipt,
    transfers,
  })
}

function closeResult(
  model: ReferenceModel,
  { order, market }: { order: ReferenceOrder; market: ReferenceMarket },
  end: End,
) {
  const { quote, instrument, rate } = market
  if (!isHeld(order)) throw new Error('the reference model closes a position that was never opened')
  const closePrice = closingAt(order.side, quote)
  const profit = rounded(referenceProfit(instrument, order, closePrice, rate.q))
  const { takeProfit, stopLoss } = order
  const stops = { takeProfit, stopLoss }
  const requestedPrice =
    end.reason === 'takeProfit' || end.reason === 'stopLoss' ? (stops[end.reason] ?? closePrice) : closePrice
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

/** The part takes its share of the margin and an id of its own; nothing else of the remainder changes. */
export function reduce(
  model: ReferenceModel,
  what: { order: ReferenceOrder; market: ReferenceMarket; lots: number },
  end: End,
): void {
  const { order, market, lots } = what
  const margin = rounded({ numerator: order.margin * BigInt(lots), denominator: BigInt(order.lots) })
  const partId = ++model.lastOrderId
  const { openPrice, openedAt } = order
  if (openPrice === null || openedAt === null)
    throw new Error('the reference model reduces what was never opened')
  const position = { ...termsOf(order), openPrice, openedAt }
  const part: ReferenceOrder = { ...order, orderId: partId, parentId: order.orderId, lots, margin }
  const { closePrice, profit, receipt } = closeResult(model, { order: part, market }, end)
  order.lots -= lots
  order.margin -= margin
  finish(model, part, 'closed', end.reason)
  const transfers = bookTransfer(model, part, profit, {
    brokerAccount: 'trading',
    kind: 'result',
    at: end.at,
  })
  end.events.push({
    type: 'positionReduced',
    ...endFields(order, end),
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

const endFields = ({ orderId, accountId }: ReferenceOrder, { reason }: End) => ({
  orderId,
  accountId,
  reason,
})

/** Negative balance protection: without an open position the broker raises a negative balance to zero. */
function protectBalance(model: ReferenceModel, order: ReferenceOrder, at: number): PlainTransfer[] {
  const balance = balanceAt(model, userAccount(order.accountId))
  if (positionsOf(model, order.accountId).length > 0 || balance >= 0n) return []
  return bookTransfer(model, order, -balance, { brokerAccount: 'protection', kind: 'protection', at })
}

/** Credits an amount to the user (above zero) or debits it (below); zero makes no row. */
export function bookTransfer(
  model: ReferenceModel,
  { accountId, orderId }: { accountId: number; orderId: number | null },
  amount: bigint,
  posting: { brokerAccount: BrokerAccount; kind: PlainTransfer['kind']; at: number; caseId?: number },
): PlainTransfer[] {
  if (amount === 0n) return []
  const account = model.accounts.find(({ id }) => id === accountId)
  if (!account) throw new Error(`the reference model has no account ${accountId}`)
  const user = userAccount(accountId)
  const brokerAccount = `house:${account.ledger}:${posting.brokerAccount}` as const
  const sides = amount > 0n ? { debit: brokerAccount, credit: user } : { debit: user, credit: brokerAccount }
  const ofCase = posting.caseId === undefined ? {} : { caseId: posting.caseId }
  const transfer = {
    ...sides,
    amount: amount > 0n ? amount : -amount,
    kind: posting.kind,
    orderId,
    ...ofCase,
  }
  move(model, transfer, posting.at)
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
  model.active = model.active.filter((other) => other !== order)
  model.ended.push(order)
}

/** `market` where the cost was the reason, so that the receipt names its conversion. */
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
  end.events.push({ type: 'orderCancelled', ...endFields(order, end), receipt: withPrices(receipt, end) })
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

/** Every order ends without a fill or a result; one transfer restores the starting balance, or sets the chosen one. */
export function reset(
  model: ReferenceModel,
  { accountId, at, start }: ResetDemo,
  events: PlainEvent[],
): void {
  const end: End = { reason: 'demoReset', trigger: 'user', at, events }
  for (const order of ordersOf(model, accountId).toSorted(byId)) {
    if (order.status === 'pending') cancel(model, order, end)
    else endWithoutFill(model, order, end)
  }
  removeAlertsOf(model, accountId, events)
  const missing = (start ?? model.settings.demoBalance) - balanceAt(model, userAccount(accountId))
  const posting = { brokerAccount: 'demoIssue', kind: 'demoReset', at } as const
  const transfers = bookTransfer(model, { accountId, orderId: null }, missing, posting)
  events.push({ type: 'demoReset', accountId, transfers, ...(typeof start === 'bigint' && { start }) })
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
  end.events.push({ type: 'positionClosed', ...endFields(order, end), receipt, ...nothing })
}
