/** Recognises rare states in single events. */
import type { Sight } from './observe.ts'
import type { PlainEvent, PlainTrailedStop } from './plain.ts'
import { distanceToStopOut } from './twin-figures.ts'
import { barOf, isFreshAt, isHalted } from './twin-market.ts'
import {
  balanceAt,
  closingAt,
  instrumentOf,
  positionsOf,
  userAccount,
  type Twin,
  type TwinOrder,
} from './twin-state.ts'
import { hasReachedTarget, reachedStop } from './twin-tick.ts'

type Seen<Type extends PlainEvent['type']> = Extract<PlainEvent, { type: Type }>

export function observeEvent(sight: Sight, event: PlainEvent): void {
  switch (event.type) {
    case 'orderPlaced':
      return sight.counts.hit(`${event.kind === 'limit' ? 'limit' : 'stop'} ${event.side} placed`)
    case 'positionOpened':
      return observeOpened(sight, event)
    case 'positionClosed':
      return observeClosed(sight, event)
    case 'positionReduced':
      return observeReduced(sight, event)
    case 'orderCancelled':
      return observeCancelled(sight, event)
    case 'stopsSet':
      return observeStopsSet(sight, event)
    case 'demoReset':
      return sight.counts.hit('demo reset')
    case 'tradingModeSet':
      return sight.counts.hit(event.mode === 'cancelOnly' ? 'cancel-only' : 'cancel-only ended')
    default:
  }
}

const orderOf = ({ living, ended }: Twin, orderId: number): TwinOrder | undefined =>
  living.find((order) => order.orderId === orderId) ?? ended.findLast((order) => order.orderId === orderId)

const isOpenFor = ({ twin, command }: Sight, order: TwinOrder): boolean =>
  twin.hours.isOpen(instrumentOf(twin, order), command.at)

const isBarred = ({ twin, command }: Sight, order: TwinOrder): ReturnType<typeof barOf> =>
  barOf(twin, instrumentOf(twin, order), command.at)

function observeOpened(sight: Sight, event: Seen<'positionOpened'>): void {
  const { counts, twin, command, freeBefore } = sight
  const { receipt, side, kind } = event
  if (kind !== 'market') observeDeal(sight, kind, side, receipt.slippage)
  else if (command.type === 'placeOrder') counts.hit(`market ${side}`)
  else {
    counts.hit(`reversed ${side === 'buy' ? 'sell' : 'buy'}`)
    counts.hit('reverse paid by its own margin', event.margin + event.fee > freeBefore)
  }
  const isOld = receipt.conversion.some((tick) => !isFreshAt(twin, tick, command.at))
  counts.hit('opening with the last rate of a closed pair', isOld)
  const isBelow = command.type !== 'tick' && (distanceToStopOut(twin, event.accountId) ?? 1n) <= 0n
  counts.hit('opened below the stop-out', isBelow)
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
  observeReason(sight, order, event)
  counts.hit('closed at a negative price', event.closePrice < 0)
  const isProtected = event.transfers.some(({ kind }) => kind === 'protection')
  counts.hit('negative balance protection', isProtected)
  counts.hit(
    'negative balance protection by a trigger',
    isProtected && (event.reason === 'takeProfit' || event.reason === 'stopLoss'),
  )
  counts.hit('stop-out with the balance protected', isProtected && event.reason === 'stopOut')
  const hasPosition = positionsOf(twin, order.accountId).length > 0
  const balance = balanceAt(twin, userAccount(order.accountId))
  counts.hit('balance below zero with positions', hasPosition && balance < 0n)
  const isOld = event.receipt.conversion.some((tick) => !isFreshAt(twin, tick, command.at))
  counts.hit('position closed at an old conversion rate', event.reason === 'user' && isOld)
  observeConversion(sight, order, event)
}

function observeReason(
  sight: Sight,
  order: TwinOrder,
  { reason, profit, receipt }: Seen<'positionClosed'>,
): void {
  const { counts, twin, command } = sight
  const isPart = twin.ended.some(({ parentId }) => parentId === order.orderId)
  const { side } = order
  switch (reason) {
    case 'takeProfit':
    case 'stopLoss':
      counts.hit(`trailing stop hit ${side}`, reason === 'stopLoss' && order.trailingDistance !== null)
      return observeDeal(sight, reason, side, receipt.slippage)
    case 'stopOut':
      counts.hit(`stopped out ${side}`)
      counts.hit('stop-out closes a gain', profit > 0n)
      counts.hit('stop-out in fixed margin mode', instrumentOf(twin, order).marginMode === 'fixed')
      counts.hit('stop-out of a converted loss', receipt.conversion.length > 0 && profit < 0n)
      return counts.hit('rest of a part stopped out', isPart)
    default:
      counts.hit(`closed by user ${side}`)
      counts.hit('part closed to the end', isPart && command.type === 'closePosition')
  }
}

function observeReduced({ counts, twin }: Sight, event: Seen<'positionReduced'>): void {
  const order = orderOf(twin, event.orderId)
  const part = orderOf(twin, event.partId)
  if (!order || !part) return
  const parts = twin.ended.filter(({ parentId }) => parentId === event.orderId)
  const whole = order.margin + event.margin
  counts.hit(`part closed ${order.side}`)
  counts.hit('part closed of a part', parts.length > 1)
  counts.hit('part in fixed margin mode', instrumentOf(twin, order).marginMode === 'fixed')
  counts.hit('part of a trailing position', order.trailingDistance !== null)
  counts.hit(
    'part of a rounded margin',
    (whole * BigInt(event.lots)) % BigInt(order.lots + event.lots) !== 0n,
  )
}

function observeConversion({ counts, twin }: Sight, order: TwinOrder, event: Seen<'positionClosed'>): void {
  const { conversion } = event.receipt
  const instrument = instrumentOf(twin, order)
  const pair = twin.instruments.find(({ id }) => id === conversion[0]?.instrumentId)
  const single = pair?.baseCurrency === instrument.quoteCurrency ? 'direct' : 'inverse'
  const converted = conversion.length === 2 ? 'through USD' : conversion.length === 1 ? single : 'equal'
  counts.hit(`profit booked, ${instrument.marginMode === 'fixed' ? 'fixed margin' : converted}`)
}

function observeReset(sight: Sight, order: TwinOrder): void {
  const bar = isBarred(sight, order)
  sight.counts.hit('demo reset with positions')
  sight.counts.hit('demo reset in a closed market', bar === 'marketClosed')
  sight.counts.hit('demo reset while halted', bar === 'marketHalted')
}

function observeCancelled(sight: Sight, event: Seen<'orderCancelled'>): void {
  const { counts, twin, command } = sight
  const order = orderOf(twin, event.orderId)
  const { tick } = event.receipt
  if (!order) return
  const opening = tick && (order.side === 'buy' ? tick.ask : tick.bid)
  switch (event.reason) {
    case 'demoReset':
      return counts.hit('demo reset with pendings')
    case 'cancelledByUser':
      counts.hit('pending cancelled while halted', isHalted(twin, order.instrumentId))
      counts.hit('pending cancelled in cancel-only mode', twin.mode === 'cancelOnly')
      return counts.hit('pending cancelled')
    case 'notEnoughAtTrigger':
      counts.hit('target reached at zero or below', opening !== null && opening <= 0)
      return counts.hit('not enough at trigger', opening !== null && opening > 0)
    case 'expired':
      counts.hit(`pending expired by ${command.type === 'tick' ? 'tick' : 'clock'}`)
      counts.hit('pending expired while halted', isHalted(twin, order.instrumentId))
      return counts.hit(
        'target of an order past its expiry reached',
        command.type === 'tick' &&
          command.quote.instrumentId === order.instrumentId &&
          opening !== null &&
          hasReachedTarget(order, opening) &&
          isFreshAt(twin, command.quote, command.at),
      )
    default:
  }
}

export function observeTrailed(
  { counts, twin, restartedAt }: Sight,
  trailed: readonly PlainTrailedStop[],
): void {
  counts.hit('several trailing stops moved by one price', trailed.length > 1)
  for (const { orderId } of trailed) {
    const order = orderOf(twin, orderId)
    if (!order) continue
    const { side, openedAt } = order
    counts.hit(`trail moved ${side}`)
    counts.hit('trail moved after a restart', restartedAt !== null && (openedAt ?? Infinity) < restartedAt)
  }
}

function observeStopsSet(sight: Sight, event: Seen<'stopsSet'>): void {
  const { counts, twin, command } = sight
  const order = orderOf(twin, event.orderId)
  if (!order) return
  if (command.type === 'setTrailing') return observeTrailing(sight, order, event)
  const isCleared = event.takeProfit === null && event.stopLoss === null
  counts.hit(`stops of a ${order.status === 'pending' ? 'pending' : 'position'} set`)
  counts.hit('stops set in a closed market', !isCleared && !isOpenFor(sight, order))
  counts.hit('stops set while halted', !isCleared && isBarred(sight, order) === 'marketHalted')
  counts.hit('stops set in cancel-only mode', !isCleared && twin.mode === 'cancelOnly')
  counts.hit('stops cleared', isCleared)
  counts.hit(
    'stops cleared without a price',
    isCleared && order.status === 'holding' && !twin.quotes.has(order.instrumentId),
  )
}

function observeTrailing({ counts, twin }: Sight, order: TwinOrder, event: Seen<'stopsSet'>): void {
  const { trailingDistance, stopLoss } = event
  if (trailingDistance === null) return counts.hit('trailing ended')
  const quote = twin.quotes.get(order.instrumentId)
  const isNearer =
    quote && stopLoss !== null && Math.abs(closingAt(order.side, quote) - stopLoss) !== trailingDistance
  counts.hit('trailing set')
  counts.hit('trailing set behind a nearer stop', isNearer === true)
}
