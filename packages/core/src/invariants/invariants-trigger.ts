import type { Order } from '../orders/order.ts'
import type { Core } from '../core.ts'
import type { WatchedTrigger } from '../orders/trigger-book.ts'
import type { TriggerKind } from '../orders/trigger-book.ts'

const KINDS: readonly TriggerKind[] = ['takeProfit', 'stopLoss', 'trail', 'target', 'expiry']

/** Every living order is watched by the triggers its status asks for, on the right side and way, and by no others. */
export function* triggerFaults({ state, triggers }: Pick<Core, 'state' | 'triggers'>): Generator<string> {
  const seen = new Set<number>()
  for (const watched of triggers.all()) {
    const order = state.orders.get(watched.orderId)
    if (!order || !isAskedFor(order, watched)) yield `${nameOf(watched)} is watched, but not asked for`
    const key = watched.orderId * KINDS.length + KINDS.indexOf(watched.kind)
    if (seen.has(key)) yield `${nameOf(watched)} is watched twice`
    seen.add(key)
  }
  for (const order of state.orders.values()) {
    for (let place = 0; place < KINDS.length; place++) {
      const kind = KINDS[place]
      if (kind && levelOf(order, kind) !== null && !seen.has(order.id * KINDS.length + place))
        yield `order ${order.id}: its ${kind} is not watched`
    }
  }
}

const nameOf = ({ orderId, kind, level, watch }: WatchedTrigger): string =>
  `order ${orderId}: ${kind} at ${level} on ${watch}`

const isAskedFor = (order: Order, watched: WatchedTrigger): boolean =>
  levelOf(order, watched.kind) === watched.level &&
  watchOf(order, watched.kind) === watched.watch &&
  watched.instrumentId === (watched.kind === 'expiry' ? null : order.instrumentId)

function levelOf(order: Order, kind: TriggerKind): number | null {
  const isPending = order.status === 'pending'
  switch (kind) {
    case 'target':
      return isPending ? order.targetPrice : null
    case 'expiry':
      return isPending ? order.expiresAt : null
    case 'trail':
      return isPending ? null : trailLevel(order)
    case 'takeProfit':
    case 'stopLoss':
      return isPending ? null : order[kind]
  }
}

function trailLevel({ side, stopLoss, trailingDistance }: Order): number | null {
  if (stopLoss === null || trailingDistance === null) return null
  return side === 'buy' ? stopLoss + trailingDistance + 1 : stopLoss - trailingDistance - 1
}

/** Told by a table of its own, so that it can catch a mistake in the book's. */
const WATCHES = {
  buy: {
    takeProfit: 'bidUp',
    stopLoss: 'bidDown',
    trail: 'bidUp',
    limit: 'askDown',
    stop: 'askUp',
    market: undefined,
  },
  sell: {
    takeProfit: 'askDown',
    stopLoss: 'askUp',
    trail: 'askDown',
    limit: 'bidUp',
    stop: 'bidDown',
    market: undefined,
  },
} as const

const watchOf = (order: Order, kind: TriggerKind): WatchedTrigger['watch'] | undefined =>
  kind === 'expiry' ? 'time' : WATCHES[order.side][kind === 'target' ? order.kind : kind]
