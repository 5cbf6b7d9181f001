/** Works out again, from the tick that a receipt names, every figure of the event that it proves. */
import {
  closingPrice,
  costOf,
  direction,
  divideRounded,
  isHolding,
  midPrice,
  money,
  openingPrice,
  pendingKind,
  profitOf,
  termsOf,
  type EndReason,
  type Order,
  type OrderKind,
  type OrderTerms,
  type PositionReduced,
  type State,
} from '@fairlot/core'
import type { ProvenEvent } from '../engine/projection/receipt-chain.ts'
import { expectedTransfers } from './expected-transfers.ts'
import { filled, marketOf, NO_MARKET, unfilled, type Figure } from './figure.ts'
import { nightFigures } from './night-figures.ts'
import { occasionFigures } from './occasion.ts'
import { tickFigures } from './tick-figures.ts'

type EventOf<Type> = Extract<ProvenEvent, { type: Type }>
/** The figures of an event, on the state just before it. */
export function figuresBehind(state: State, event: ProvenEvent, at: number): Figure[] {
  const owner = state.orders.get(event.orderId)?.accountId ?? event.accountId
  return [
    ['account', event.accountId, owner],
    ...occasionFigures(state, event),
    ...tickFigures(state, event, at),
    ...amounts(state, event, at),
  ]
}

function amounts(state: State, event: ProvenEvent, at: number): Figure[] {
  const order = state.orders.get(event.orderId)
  switch (event.type) {
    case 'orderPlaced':
      return placed(state, event, at)
    case 'positionOpened':
      return [
        ...asPlaced(state, event, { pending: order, at }),
        ...opened(state, event),
        ...expectedTransfers(state, event),
      ]
    case 'orderCancelled':
      return cancelled(event, order)
    case 'positionClosed':
      return [...closed(state, event, order), ...expectedTransfers(state, event)]
    case 'positionReduced':
      return [...reduced(state, event, order), ...expectedTransfers(state, event)]
    case 'swapBooked':
      return [...nightFigures(state, event, at), ...expectedTransfers(state, event)]
  }
}

function placed(state: State, event: EventOf<'orderPlaced'>, at: number): Figure[] {
  const market = marketOf(state, event.instrumentId, event.receipt)
  const { side, targetPrice } = event
  if (!market || targetPrice === null) return NO_MARKET
  const cost = costOf(state.settings, market, { ...event, price: targetPrice })
  return [
    ...asNew(state, event, at),
    ['kind', event.kind, pendingKind(side, targetPrice, openingPrice(side, market.tick))],
    ['accepted price', event.acceptedPrice, targetPrice],
    ['margin', event.margin, cost.margin],
    ['fee', event.fee, cost.fee],
    ...unfilled(event.receipt, targetPrice),
  ]
}

function opened(state: State, event: EventOf<'positionOpened'>): Figure[] {
  const market = marketOf(state, event.instrumentId, event.receipt)
  if (!market) return NO_MARKET
  const { side, receipt, targetPrice } = event
  const price = openingPrice(side, market.tick)
  const asked = targetPrice ?? price
  const cost = costOf(state.settings, market, { ...event, price })
  const slippage = direction(side) * (asked - price)
  return [
    ...reached(event.kind, slippage),
    ['open price', event.openPrice, price],
    ['requested price', receipt.requestedPrice, asked],
    ['accepted price', event.acceptedPrice, targetPrice ?? midPrice(market.tick)],
    ['margin', event.margin, cost.margin],
    ['fee', event.fee, cost.fee],
    ...filled(receipt, {
      side: side === 'buy' ? 'ask' : 'bid',
      price,
      slippage,
    }),
  ]
}

/** What a pending order becomes is what was placed and moved since; a market order was not placed before. */
function asPlaced(
  state: State,
  event: EventOf<'positionOpened'>,
  { pending, at }: { pending: Order | undefined; at: number },
): Figure[] {
  if (event.kind === 'market') {
    const terms = { ...event, targetPrice: null, expiresAt: null }
    return [['status before', pending?.status, undefined], ...asNew(state, event, at), ['', event, terms]]
  }
  if (pending?.status !== 'pending') return [['status before', pending?.status, 'pending']]
  const { margin, fee } = event
  return [['', event, { ...event, ...termsOf(pending), margin, fee }]]
}

const asNew = (state: State, event: OrderTerms, at: number): Figure[] => [
  ['order id', event.orderId, state.lastOrderId + 1],
  ['created at', event.createdAt, at],
]

function cancelled({ reason, receipt }: EventOf<'orderCancelled'>, order: Order | undefined): Figure[] {
  return [
    ['status', order?.status, 'pending'],
    ...unfilled(receipt, reason === 'demoReset' ? null : order?.targetPrice),
  ]
}

/** A better price is never worse than asked for, and a stop never better. */
function reached(kind: OrderKind | EndReason, slippage: number): Figure[] {
  if (kind === 'limit' || kind === 'takeProfit') return [['price reached', slippage >= 0, true]]
  if (kind === 'stop' || kind === 'stopLoss') return [['price reached', slippage <= 0, true]]
  return []
}

function closed(state: State, event: EventOf<'positionClosed'>, order: Order | undefined): Figure[] {
  if (!order || !isHolding(order)) return [['status', order?.status, 'holding']]
  if (event.reason === 'demoReset')
    return [
      ['close price', event.closePrice, null],
      ['profit', event.profit, 0n],
      ...unfilled(event.receipt, null),
    ]
  return [...closing(state, event, order), ...profit(state, event, order)]
}

/** The price of a close, and what had been asked for. */
function closing(state: State, event: EventOf<'positionClosed' | 'positionReduced'>, order: Order): Figure[] {
  const market = marketOf(state, order.instrumentId, event.receipt)
  if (!market) return NO_MARKET
  const price = closingPrice(order.side, market.tick)
  const { reason, receipt } = event
  const asked = reason === 'takeProfit' || reason === 'stopLoss' ? order[reason] : price
  const slippage = direction(order.side) * (price - (asked ?? price))
  return [
    ...reached(reason, slippage),
    ['close price', event.closePrice, price],
    ['requested price', receipt.requestedPrice, asked ?? 'that of a stop'],
    ...filled(receipt, {
      side: order.side === 'buy' ? 'bid' : 'ask',
      price,
      slippage,
    }),
  ]
}

function profit(state: State, event: EventOf<'positionClosed' | 'positionReduced'>, order: Order): Figure[] {
  const market = marketOf(state, order.instrumentId, event.receipt)
  if (!market || !isHolding(order) || event.closePrice === null) return NO_MARKET
  const { instrument, conversion } = market
  return [['profit', event.profit, profitOf(instrument, order, event.closePrice, conversion.rate)]]
}

function reduced(state: State, event: PositionReduced, order: Order | undefined): Figure[] {
  if (!order || !isHolding(order)) return [['status', order?.status, 'holding']]
  const { lots } = event
  const { openPrice, openedAt } = order
  const margin = money(divideRounded(order.margin * BigInt(lots), BigInt(order.lots)))
  return [
    ['part id', event.partId, state.lastOrderId + 1],
    ['position', event.position, { ...termsOf(order), openPrice, openedAt }],
    ['margin', event.margin, margin],
    ...closing(state, event, order),
    ...profit(state, event, { ...order, lots, margin }),
  ]
}
