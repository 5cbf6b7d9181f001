/** Recognises rare states in single events. */
import type { Sight } from './observe.ts'
import type { PlainEvent } from './plain.ts'
import {
  balanceAt,
  closingAt,
  isFreshAt,
  ordersOf,
  userAccount,
  type Twin,
  type TwinOrder,
} from './twin-state.ts'
import { hasReachedTarget, reachedStop } from './twin.ts'

type Seen<Type extends PlainEvent['type']> = Extract<PlainEvent, { type: Type }>

export function observeEvent(sight: Sight, event: PlainEvent): void {
  switch (event.type) {
    case 'orderPlaced':
      return sight.counts.hit(`${event.kind === 'limit' ? 'limit' : 'stop'} ${event.side} placed`)
    case 'positionOpened':
      return observeOpened(sight, event)
    case 'positionClosed':
      return observeClosed(sight, event)
    case 'orderCancelled':
      return observeCancelled(sight, event)
    case 'stopsSet':
      return observeStopsSet(sight, event)
    case 'moneyMoved':
      return sight.counts.hit('demo reset')
    case 'accountOpened':
      return
  }
}

const orderOf = ({ living, ended }: Twin, orderId: number): TwinOrder | undefined =>
  living.find((order) => order.orderId === orderId) ?? ended.findLast((order) => order.orderId === orderId)

function isOpenFor({ twin, command }: Sight, order: TwinOrder): boolean {
  const instrument = twin.instruments.find(({ id }) => id === order.instrumentId)
  return instrument !== undefined && twin.hours.isOpen(instrument, command.at)
}

function observeOpened(sight: Sight, event: Seen<'positionOpened'>): void {
  const { counts, twin, command } = sight
  const { receipt, side, kind } = event
  if (kind === 'market') counts.hit(`market ${side}`)
  else observeDeal(sight, kind, side, receipt.slippage)
  const isOld = receipt.conversion.some((tick) => !isFreshAt(twin, tick, command.at))
  counts.hit('opening with the last rate of a closed pair', isOld)
  const order = orderOf(twin, event.orderId)
  const quote = twin.quotes.get(event.instrumentId)
  const isBeyond = order && quote && reachedStop(order, closingAt(side, quote)) !== null
  counts.hit('filled beyond its own stop', kind !== 'market' && isBeyond === true)
}

type Deal = 'limit' | 'stop' | 'takeProfit' | 'stopLoss'

function observeDeal({ counts }: Sight, deal: Deal, side: 'buy' | 'sell', slippage: number): void {
  counts.hit(`${deal} ${side} fired`)
  counts.hit(slippage === 0 ? `${deal} at its price` : `${deal} ${slippage > 0 ? 'better' : 'worse'}`)
}

function observeClosed(sight: Sight, event: Seen<'positionClosed'>): void {
  const { counts, twin, command } = sight
  const order = orderOf(twin, event.orderId)
  if (!order) return
  if (event.closePrice === null) return observeReset(sight, order)
  if (event.reason === 'takeProfit' || event.reason === 'stopLoss') {
    observeDeal(sight, event.reason, order.side, event.receipt.slippage)
  } else counts.hit(`closed by user ${order.side}`)
  counts.hit('closed at a negative price', event.closePrice < 0)
  const isProtected = event.transfers.some(({ kind }) => kind === 'protection')
  counts.hit('negative balance protection', isProtected)
  counts.hit('negative balance protection by a trigger', isProtected && command.type === 'tick')
  const hasPosition = ordersOf(twin, order.accountId).some(({ status }) => status === 'holding')
  const balance = balanceAt(twin, userAccount(order.accountId))
  counts.hit('balance below zero with positions', hasPosition && balance < 0n)
  const isOld = event.receipt.conversion.some((tick) => !isFreshAt(twin, tick, command.at))
  counts.hit('position closed at an old conversion rate', event.reason === 'user' && isOld)
  observeConversion(sight, order, event)
}

function observeConversion({ counts, twin }: Sight, order: TwinOrder, event: Seen<'positionClosed'>): void {
  const { conversion } = event.receipt
  const instrument = twin.instruments.find(({ id }) => id === order.instrumentId)
  const pair = twin.instruments.find(({ id }) => id === conversion[0]?.instrumentId)
  if (!instrument) return
  const single = pair?.baseCurrency === instrument.quoteCurrency ? 'direct' : 'inverse'
  const converted = conversion.length === 2 ? 'through USD' : conversion.length === 1 ? single : 'equal'
  counts.hit(`profit booked, ${instrument.marginMode === 'fixed' ? 'fixed margin' : converted}`)
}

function observeReset(sight: Sight, order: TwinOrder): void {
  sight.counts.hit('demo reset with positions')
  sight.counts.hit('demo reset in a closed market', !isOpenFor(sight, order))
}

function observeCancelled({ counts, twin, command }: Sight, event: Seen<'orderCancelled'>): void {
  const order = orderOf(twin, event.orderId)
  const { tick } = event.receipt
  if (!order) return
  const opening = tick && (order.side === 'buy' ? tick.ask : tick.bid)
  switch (event.reason) {
    case 'demoReset':
      return counts.hit('demo reset with pendings')
    case 'cancelledByUser':
      return counts.hit('pending cancelled')
    case 'notEnoughAtTrigger':
      counts.hit('target reached at zero or below', opening !== null && opening <= 0)
      return counts.hit('not enough at trigger', opening !== null && opening > 0)
    default:
      counts.hit(`pending expired by ${command.type === 'tick' ? 'tick' : 'clock'}`)
      counts.hit(
        'target of an order past its expiry reached',
        command.type === 'tick' &&
          command.quote.instrumentId === order.instrumentId &&
          opening !== null &&
          hasReachedTarget(order, opening) &&
          isFreshAt(twin, command.quote, command.at),
      )
  }
}

function observeStopsSet(sight: Sight, { orderId, takeProfit, stopLoss }: Seen<'stopsSet'>): void {
  const { counts, twin } = sight
  const order = orderOf(twin, orderId)
  if (!order) return
  const isCleared = takeProfit === null && stopLoss === null
  counts.hit(`stops of a ${order.status === 'pending' ? 'pending' : 'position'} set`)
  counts.hit('stops set in a closed market', !isCleared && !isOpenFor(sight, order))
  counts.hit('stops cleared', isCleared)
  counts.hit(
    'stops cleared without a price',
    isCleared && order.status === 'holding' && !twin.quotes.has(order.instrumentId),
  )
}
