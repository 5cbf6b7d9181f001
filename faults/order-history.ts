/** The state of one order by its events: an independent implementation of the rules. */

/** What the journal contains about one order. */
export type OrderHistory = {
  placed: number
  opened: number
  ended: number
  status: string
  endReason: string
  /** In ticks. */
  openPrice: number | null
  closePrice: number | null
  takeProfit: number | null
  stopLoss: number | null
  readonly instrumentId: number
  readonly side: 'buy' | 'sell'
  /** In ticks; null without a trailing stop. */
  trailingDistance: number | null
}

type Tick = { readonly bid: number; readonly ask: number }

/** The fields of an event that are read here. */
export type JournalEvent = {
  readonly type: string
  readonly orderId?: number
  /** Of a closed part, which is an order of its own. */
  readonly partId?: number
  readonly reason?: string
  readonly openPrice?: number | null
  readonly closePrice?: number | null
  readonly takeProfit?: number | null
  readonly stopLoss?: number | null
  readonly trailingDistance?: number | null
  readonly instrumentId?: number
  readonly side?: 'buy' | 'sell'
  /** Of a price that trailing stops follow. */
  readonly tick?: Tick
  /** The rollover that a booking is for. */
  readonly rollover?: number
  /** Of a case of money that ends. */
  readonly caseId?: number
  readonly accountId?: number
  readonly outcome?: string
  readonly amount?: string
  readonly receipt?: object
  readonly transfers?: readonly object[]
}
const NEW_ORDER: OrderHistory = {
  placed: 0,
  opened: 0,
  ended: 0,
  status: 'none',
  endReason: 'none',
  openPrice: null,
  closePrice: null,
  takeProfit: null,
  stopLoss: null,
  instrumentId: 0,
  side: 'buy',
  trailingDistance: null,
}

export function afterEvent(before: OrderHistory = NEW_ORDER, event: JournalEvent): OrderHistory {
  const { takeProfit = before.takeProfit, stopLoss = before.stopLoss, reason = 'none' } = event
  const { instrumentId = before.instrumentId, side = before.side } = event
  switch (event.type) {
    case 'orderPlaced': {
      const terms = { ...before, instrumentId, side, takeProfit, stopLoss }
      return { ...terms, placed: before.placed + 1, status: 'pending' }
    }
    case 'positionOpened': {
      const { openPrice = null } = event
      const terms = { ...before, instrumentId, side, takeProfit, stopLoss, openPrice }
      return { ...terms, opened: before.opened + 1, status: 'holding' }
    }
    case 'stopsSet':
      return { ...before, takeProfit, stopLoss, trailingDistance: event.trailingDistance ?? null }
    case 'orderCancelled':
      return { ...before, ended: before.ended + 1, status: 'cancelled', endReason: reason }
    case 'positionClosed':
    // A closed part has the history of its position.
    case 'positionReduced': {
      const { closePrice = null } = event
      return { ...before, closePrice, ended: before.ended + 1, status: 'closed', endReason: reason }
    }
    default:
      return before
  }
}

/** The trailing stop loss after a price: it only moves nearer. Null where it stays. */
export function followed(
  { status, side, stopLoss, trailingDistance }: OrderHistory,
  tick: Tick,
): number | null {
  if (status !== 'holding' || trailingDistance === null || stopLoss === null) return null
  const level = side === 'buy' ? tick.bid - trailingDistance : tick.ask + trailingDistance
  return (side === 'buy' ? level > stopLoss : level < stopLoss) ? level : null
}
