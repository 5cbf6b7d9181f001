/** Recognises rare states in single events. */
import type { Observation } from './observation.ts'
import type { PlainEvent, PlainTrailedStop } from './plain-types.ts'
import { distanceToStopOut } from './reference/figures.ts'
import { barOf, isFreshAt, isHalted } from './reference/market.ts'
import {
  balanceAt,
  closingAt,
  instrumentOf,
  positionsOf,
  userAccount,
  type ReferenceModel,
  type ReferenceOrder,
} from './reference/state.ts'
import { hasReachedTarget } from './reference/tick.ts'

type Seen<Type extends PlainEvent['type']> = Extract<PlainEvent, { type: Type }>

export function observeEvent(observation: Observation, event: PlainEvent): void {
  switch (event.type) {
    case 'orderPlaced':
      return observation.counts.hit(`${event.kind === 'limit' ? 'limit' : 'stop'} ${event.side} placed`)
    case 'positionOpened':
      return observeOpened(observation, event)
    case 'positionClosed':
      return observeClosed(observation, event)
    case 'positionReduced':
      return observeReduced(observation, event)
    case 'orderCancelled':
      return observeCancelled(observation, event)
    case 'stopsSet':
      return observeStopsSet(observation, event)
    case 'alertSet':
      return observation.counts.hit(`alert set: ${event.condition.kind}`)
    case 'alertRemoved':
      return observation.counts.hit('alert removed', observation.command.type === 'removeAlert')
    case 'demoReset':
      observation.counts.hit('demo reset to a chosen balance', event.start !== undefined)
      return observation.counts.hit('demo reset')
    case 'tradingModeSet':
      return observation.counts.hit(`mode: ${event.mode}`)
    default:
  }
}

const orderOf = ({ active, ended }: ReferenceModel, orderId: number): ReferenceOrder | undefined =>
  active.find((order) => order.orderId === orderId) ?? ended.findLast((order) => order.orderId === orderId)

const isOpenFor = ({ model, command }: Observation, order: ReferenceOrder): boolean =>
  model.hours.isOpen(instrumentOf(model, order), command.at)

const isBarred = ({ model, command }: Observation, order: ReferenceOrder): ReturnType<typeof barOf> =>
  barOf(model, instrumentOf(model, order), command.at, 'closing')

function observeOpened(observation: Observation, event: Seen<'positionOpened'>): void {
  const { counts, model, command, freeBefore } = observation
  const { receipt, side, kind } = event
  if (kind !== 'market') observeDeal(observation, kind, side, receipt.slippage)
  else if (command.type === 'placeOrder') counts.hit(`market ${side}`)
  else {
    counts.hit(`reversed ${side === 'buy' ? 'sell' : 'buy'}`)
    counts.hit('reverse paid by its own margin', event.margin + event.fee > freeBefore)
  }
  counts.hit('opened at a price with a mark-up', receipt.tick?.markUp !== undefined)
  const isOld = receipt.conversion.some((tick) => !isFreshAt(model, tick, command.at))
  counts.hit('opening with the last rate of a closed pair', isOld)
  const isBelow = command.type !== 'tick' && (distanceToStopOut(model, event.accountId) ?? 1n) <= 0n
  counts.hit('opened below the stop-out', isBelow)
}

type Deal = 'limit' | 'stop' | 'takeProfit' | 'stopLoss'

function observeDeal({ counts }: Observation, deal: Deal, side: 'buy' | 'sell', slippage: number): void {
  counts.hit(`${deal} ${side} fired`)
  counts.hit(slippage === 0 ? `${deal} at its price` : `${deal} ${slippage > 0 ? 'better' : 'worse'}`)
}

function observeClosed(observation: Observation, event: Seen<'positionClosed'>): void {
  const { counts, model, command } = observation
  const order = orderOf(model, event.orderId)
  if (!order) return
  if (event.closePrice === null) return observeReset(observation, order)
  observeReason(observation, order, event)
  counts.hit('closed at a negative price', event.closePrice < 0)
  const isProtected = event.transfers.some(({ kind }) => kind === 'protection')
  counts.hit('negative balance protection', isProtected)
  counts.hit(
    'negative balance protection by a trigger',
    isProtected && (event.reason === 'takeProfit' || event.reason === 'stopLoss'),
  )
  counts.hit('stop-out with the balance protected', isProtected && event.reason === 'stopOut')
  const hasPosition = positionsOf(model, order.accountId).length > 0
  const balance = balanceAt(model, userAccount(order.accountId))
  counts.hit('balance below zero with positions', hasPosition && balance < 0n)
  const isOld = event.receipt.conversion.some((tick) => !isFreshAt(model, tick, command.at))
  counts.hit('position closed at an old conversion rate', event.reason === 'user' && isOld)
  observeConversion(observation, order, event)
}

function observeReason(
  observation: Observation,
  order: ReferenceOrder,
  { reason, profit, receipt }: Seen<'positionClosed'>,
): void {
  const { counts, model, command } = observation
  const isPart = model.ended.some(({ parentId }) => parentId === order.orderId)
  const { side } = order
  switch (reason) {
    case 'takeProfit':
    case 'stopLoss':
      counts.hit(`trailing stop hit ${side}`, reason === 'stopLoss' && order.trailingDistance !== null)
      return observeDeal(observation, reason, side, receipt.slippage)
    case 'stopOut':
      counts.hit(`stopped out ${side}`)
      counts.hit('stop-out closes a gain', profit > 0n)
      counts.hit('stop-out in fixed margin mode', instrumentOf(model, order).marginMode === 'fixed')
      counts.hit('stop-out of a converted loss', receipt.conversion.length > 0 && profit < 0n)
      return counts.hit('rest of a part stopped out', isPart)
    case 'operator':
      return counts.hit(`closed by operator ${side}`)
    default:
      counts.hit(`closed by user ${side}`)
      counts.hit('part closed to the end', isPart && command.type === 'closePosition')
  }
}

function observeReduced({ counts, model }: Observation, event: Seen<'positionReduced'>): void {
  const order = orderOf(model, event.orderId)
  const part = orderOf(model, event.partId)
  if (!order || !part) return
  const parts = model.ended.filter(({ parentId }) => parentId === event.orderId)
  const whole = order.margin + event.margin
  counts.hit(`part closed ${order.side}`)
  counts.hit('part closed of a part', parts.length > 1)
  counts.hit('part in fixed margin mode', instrumentOf(model, order).marginMode === 'fixed')
  counts.hit('part of a trailing position', order.trailingDistance !== null)
  counts.hit(
    'part of a rounded margin',
    (whole * BigInt(event.lots)) % BigInt(order.lots + event.lots) !== 0n,
  )
}

function observeConversion(
  { counts, model }: Observation,
  order: ReferenceOrder,
  event: Seen<'positionClosed'>,
): void {
  const { conversion } = event.receipt
  const instrument = instrumentOf(model, order)
  const pair = model.instruments.find(({ id }) => id === conversion[0]?.instrumentId)
  const single = pair?.baseCurrency === instrument.quoteCurrency ? 'direct' : 'inverse'
  const converted = conversion.length === 2 ? 'through USD' : conversion.length === 1 ? single : 'equal'
  counts.hit(`profit booked, ${instrument.marginMode === 'fixed' ? 'fixed margin' : converted}`)
}

function observeReset(observation: Observation, order: ReferenceOrder): void {
  const bar = isBarred(observation, order)
  observation.counts.hit('demo reset with positions')
  observation.counts.hit('demo reset in a closed market', bar === 'marketClosed')
  observation.counts.hit('demo reset while halted', bar === 'marketHalted')
}

function observeCancelled(observation: Observation, event: Seen<'orderCancelled'>): void {
  const { counts, model, command } = observation
  const order = orderOf(model, event.orderId)
  const { tick } = event.receipt
  if (!order) return
  const opening = tick && (order.side === 'buy' ? tick.ask : tick.bid)
  switch (event.reason) {
    case 'demoReset':
      return counts.hit('demo reset with pendings')
    case 'cancelledByUser':
      counts.hit('pending cancelled while halted', isHalted(model, order.instrumentId))
      counts.hit('pending cancelled in a halted market', model.mode.is === 'halted')
      return counts.hit('pending cancelled')
    case 'notEnoughAtTrigger':
      counts.hit('target reached at a price of zero or below', opening !== null && opening <= 0)
      return counts.hit('not enough at trigger', opening !== null && opening > 0)
    case 'stopPassed':
      return counts.hit('not opened, its stop already passed')
    case 'expired':
      counts.hit(`pending expired by ${command.type === 'tick' ? 'tick' : 'clock'}`)
      counts.hit('pending expired while halted', isHalted(model, order.instrumentId))
      return counts.hit(
        'target of an order past its expiry reached',
        command.type === 'tick' &&
          command.quote.instrumentId === order.instrumentId &&
          opening !== null &&
          hasReachedTarget(order, opening) &&
          isFreshAt(model, command.quote, command.at),
      )
    default:
  }
}

export function observeTrailed(
  { counts, model, restartedAt }: Observation,
  trailed: readonly PlainTrailedStop[],
): void {
  counts.hit('several trailing stops moved by one price', trailed.length > 1)
  for (const { orderId } of trailed) {
    const order = orderOf(model, orderId)
    if (!order) continue
    const { side, openedAt } = order
    counts.hit(`trail moved ${side}`)
    counts.hit('trail moved after a restart', restartedAt !== null && (openedAt ?? Infinity) < restartedAt)
  }
}

function observeStopsSet(observation: Observation, event: Seen<'stopsSet'>): void {
  const { counts, model, command } = observation
  const order = orderOf(model, event.orderId)
  if (!order) return
  if (command.type === 'setTrailing') return observeTrailing(observation, order, event)
  const isCleared = event.takeProfit === null && event.stopLoss === null
  counts.hit(`stops of a ${order.status === 'pending' ? 'pending' : 'position'} set`)
  counts.hit('stops set in a closed market', !isCleared && !isOpenFor(observation, order))
  counts.hit('stops set while halted', !isCleared && isBarred(observation, order) === 'marketHalted')
  counts.hit('stops set in a halted market', !isCleared && model.mode.is === 'halted')
  counts.hit('stops cleared', isCleared)
  counts.hit(
    'stops cleared without a price',
    isCleared && order.status === 'holding' && !model.quotes.has(order.instrumentId),
  )
}

function observeTrailing(
  { counts, model }: Observation,
  order: ReferenceOrder,
  event: Seen<'stopsSet'>,
): void {
  const { trailingDistance, stopLoss } = event
  if (trailingDistance === null) return counts.hit('trailing ended')
  const quote = model.quotes.get(order.instrumentId)
  const isNearer =
    quote && stopLoss !== null && Math.abs(closingAt(order.side, quote) - stopLoss) !== trailingDistance
  counts.hit('trailing set')
  counts.hit('trailing set behind a nearer stop', isNearer === true)
}
