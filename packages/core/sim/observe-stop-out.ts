/** Recognises rare states in the stop-outs of one tick. */
import type { Observation } from './observation.ts'
import type { PlainEvent, PlainQuote } from './plain-types.ts'
import { distanceToStopOut } from './reference/figures.ts'
import { barOf } from './reference/market.ts'
import { instrumentOf, positionsOf, type ReferenceOrder } from './reference/state.ts'

type Ended = Extract<PlainEvent, { type: 'positionClosed' | 'orderCancelled' }>

export function observeStopOuts(
  observation: Observation,
  quote: PlainQuote,
  events: readonly PlainEvent[],
): void {
  const ended = events.filter(
    (event): event is Ended =>
      (event.type === 'positionClosed' || event.type === 'orderCancelled') && event.reason === 'stopOut',
  )
  const accountIds = new Set(ended.map(({ accountId }) => accountId))
  const { counts, previous, restartedAt } = observation
  counts.hit('stop-out of several accounts on one tick', accountIds.size > 1)
  counts.hit(
    'stop-out by the first tick after a restart',
    ended.length > 0 && !previous && restartedAt !== null,
  )
  for (const accountId of accountIds) {
    const mine = ended.filter((event) => event.accountId === accountId)
    observeAccount(observation, quote, { accountId, ended: mine, events })
  }
}

type Scene = {
  readonly accountId: number
  readonly ended: readonly Ended[]
  readonly events: readonly PlainEvent[]
}

function observeAccount(observation: Observation, quote: PlainQuote, scene: Scene): void {
  const { counts, model, command } = observation
  const { accountId, ended } = scene
  const closed = ended.filter(({ type }) => type === 'positionClosed')
  const cancelled = ended.length - closed.length
  const left = positionsOf(model, accountId)
  const isAbove = (distanceToStopOut(model, accountId) ?? 0n) > 0n
  counts.hit('stop-out cancels pendings', cancelled > 0)
  counts.hit('stop-out cancels several pendings', cancelled > 1)
  if (closed.length === 0) return
  counts.hit('stop-out that leaves positions', left.length > 0 && isAbove)
  counts.hit('stop-out of the last position', left.length === 0)
  const isClosed = (order: ReferenceOrder) =>
    barOf(model, instrumentOf(model, order), command.at, 'closing') === 'marketClosed'
  counts.hit('stop-out that leaves a position in a closed market', left.some(isClosed))
  observeOrders(observation, quote, scene)
}

/** The orders that were closed, and what else the tick did to their account. */
function observeOrders({ counts, model }: Observation, quote: PlainQuote, scene: Scene): void {
  const { accountId, ended, events } = scene
  const ids = new Set(ended.filter(({ type }) => type === 'positionClosed').map(({ orderId }) => orderId))
  const orders = model.ended.slice(-events.length - 1).filter(({ orderId }) => ids.has(orderId))
  const held = [...orders, ...positionsOf(model, accountId)]
  const isElsewhere = (order: ReferenceOrder) => order.instrumentId !== quote.instrumentId
  const isTriggered = (event: PlainEvent) =>
    'accountId' in event &&
    event.accountId === accountId &&
    (event.type === 'positionOpened' ||
      (event.type === 'positionClosed' && ['takeProfit', 'stopLoss'].includes(event.reason)))
  const triggered = events.filter(isTriggered)
  counts.hit('stop-out by the tick of another instrument', orders.some(isElsewhere))
  counts.hit('stop-out by a conversion pair', held.every(isElsewhere) && triggered.length === 0)
  counts.hit('stop-out after a trigger of the same tick', triggered.length > 0)
  counts.hit(
    'stop-out of a position that the tick opened',
    triggered.some((event) => event.type === 'positionOpened' && ids.has(event.orderId)),
  )
  const currencies = new Set(orders.map((order) => instrumentOf(model, order).quoteCurrency))
  counts.hit('stop-out of several currencies', currencies.size > 1)
  counts.hit(
    'stop-out of a hedged account',
    orders.some((order) => held.some((other) => isHedge(order, other))),
  )
}

const isHedge = (a: ReferenceOrder, b: ReferenceOrder): boolean =>
  a.instrumentId === b.instrumentId && a.side !== b.side
