/**
 * The twin engine: trading-rules.md once more, slow and obvious, as the oracle of the simulation. It shares no code with
 * the core, keeps no index and looks at every order on every tick. What comes later (stop-out, financing) takes its place
 * in `onTick` after the pending orders.
 */
import type { Command, PlaceOrder, RejectionCode } from '../src/index.ts'
import type { PlainEvent, PlainPosting, PlainQuote, PlainRequest, PlainTransfer } from './plain.ts'
import { cancel, close, open, reset, setStops, termsOf } from './twin-deals.ts'
import { rounded } from './twin-money.ts'
import { noteReceipt } from './twin-receipt.ts'
import {
  checkCancel,
  checkClose,
  checkPlace,
  checkReset,
  checkSetStops,
  twinCost,
  twinMarket,
  type TwinCost,
  type TwinMarket,
} from './twin-refusals.ts'
import {
  byId,
  closingAt,
  isFreshAt,
  move,
  openingAt,
  rateNow,
  twinFigures,
  userAccount,
  type Twin,
  type TwinEntry,
  type TwinOrder,
} from './twin-state.ts'

const REMEMBERED_MS = 48 * 60 * 60 * 1000

export type TwinOutcome =
  | { readonly refused: RejectionCode }
  | {
      readonly refused: null
      readonly entry: TwinEntry
      readonly rows: PlainPosting[]
      readonly isRepeat: boolean
    }

/** Carries a command out, or says why not. What has happened is added to `events` in its order. */
export function perform(twin: Twin, command: Command): TwinOutcome {
  const request = ('request' in command && command.request) || null
  const isRemembered = (entry: TwinEntry) => command.at - entry.at <= REMEMBERED_MS
  const earlier =
    request && twin.requests.findLast((entry) => isRemembered(entry) && isSameRequest(entry, request))
  if (earlier?.request && request) {
    if (earlier.request.digest !== request.digest) return { refused: 'requestIdReused' }
    return { refused: null, entry: earlier, rows: [], isRepeat: true }
  }
  const rowCount = twin.rows.length
  const events: PlainEvent[] = []
  const refused = act(twin, command, events)
  if (refused) return { refused }
  const entry = { at: command.at, request, events }
  if (request) twin.requests.push(entry)
  return { refused: null, entry, rows: twin.rows.slice(rowCount), isRepeat: false }
}

/** The same id from the same user on the same call. */
export const isSameRequest = ({ request }: TwinEntry, asked: PlainRequest): boolean =>
  request?.accountId === asked.accountId && request.call === asked.call && request.id === asked.id

function act(twin: Twin, command: Command, events: PlainEvent[]): RejectionCode | null {
  switch (command.type) {
    case 'tick':
      onTick(twin, command.quote, command.at, events)
      return null
    case 'clock':
      expire(twin, command.at, events)
      return null
    case 'openAccount':
      openAccount(twin, command, events)
      return null
    case 'placeOrder':
      return place(twin, command, events)
    default:
      return actOnHoldings(twin, command, events)
  }
}

function actOnHoldings(
  twin: Twin,
  command: Exclude<Command, { type: 'tick' | 'clock' | 'openAccount' | 'placeOrder' }>,
  events: PlainEvent[],
): RejectionCode | null {
  const { at } = command
  switch (command.type) {
    case 'closePosition': {
      const checked = checkClose(twin, command)
      if (!checked.refused) close(twin, checked.found, { reason: 'user', trigger: 'user', at, events })
      return checked.refused
    }
    case 'cancelOrder': {
      const checked = checkCancel(twin, command)
      if (!checked.refused)
        cancel(twin, checked.found, { reason: 'cancelledByUser', trigger: 'user', at, events })
      return checked.refused
    }
    case 'setStops': {
      const checked = checkSetStops(twin, command)
      if (!checked.refused) setStops(checked.found, command, events)
      return checked.refused
    }
    case 'resetDemo': {
      const checked = checkReset(twin, command)
      if (!checked.refused) reset(twin, command.accountId, at, events)
      return checked.refused
    }
  }
}

/** Orders whose time is over end first; a late or untradable tick does nothing more than become the price. */
function onTick(twin: Twin, quote: PlainQuote, at: number, events: PlainEvent[]): void {
  twin.quotes.set(quote.instrumentId, quote)
  expire(twin, at, events)
  const instrument = twin.instruments.find(({ id }) => id === quote.instrumentId)
  if (!instrument || !twin.hours.isOpen(instrument, at) || !isFreshAt(twin, quote, at)) return
  const here = twin.living.filter((order) => order.instrumentId === instrument.id).toSorted(byId)
  const holding = here.filter(({ status }) => status === 'holding')
  const pending = here.filter(({ status }) => status === 'pending')
  for (const order of holding) {
    const reason = reachedStop(order, closingAt(order.side, quote))
    const rate = rateNow(twin, instrument)
    if (!reason || !rate) continue
    close(twin, { order, market: { instrument, quote, rate } }, { reason, trigger: reason, at, events })
  }
  for (const order of pending) {
    const market = twinMarket(twin, instrument, at)
    if (market && hasReachedTarget(order, openingAt(order.side, quote)))
      trigger(twin, order, market, at, events)
  }
}

export function reachedStop(
  { side, takeProfit, stopLoss }: TwinOrder,
  price: number,
): 'takeProfit' | 'stopLoss' | null {
  const sign = side === 'buy' ? 1 : -1
  if (takeProfit !== null && (price - takeProfit) * sign >= 0) return 'takeProfit'
  if (stopLoss !== null && (price - stopLoss) * sign <= 0) return 'stopLoss'
  return null
}

/** A buy limit and a sell stop wait below the market, a sell limit and a buy stop above it. */
export function hasReachedTarget({ side, kind, targetPrice }: TwinOrder, price: number): boolean {
  if (targetPrice === null) return false
  const waitsBelow = (side === 'buy') === (kind === 'limit')
  return waitsBelow ? price <= targetPrice : price >= targetPrice
}

/** The reserve is released, margin and fee are computed at the fill price; too dear, or no price to open at: it ends. */
function trigger(twin: Twin, order: TwinOrder, market: TwinMarket, at: number, events: PlainEvent[]): void {
  const price = openingAt(order.side, market.quote)
  const cost = twinCost(twin, market, { ...order, price })
  const free = twinFigures(twin, order.accountId).free + order.margin + order.fee
  if (price <= 0 || cost.margin + cost.fee > free) {
    cancel(twin, order, { reason: 'notEnoughAtTrigger', trigger: 'target', at, events })
    return
  }
  const requestedPrice = order.targetPrice ?? price
  open(twin, order, { market, cost, trigger: 'target', requestedPrice, at, events })
}

function expire(twin: Twin, at: number, events: PlainEvent[]): void {
  for (const order of twin.living.toSorted(byId)) {
    const isOver = order.status === 'pending' && order.expiresAt !== null && order.expiresAt <= at
    if (isOver) cancel(twin, order, { reason: 'expired', trigger: 'expiry', at, events })
  }
}

function openAccount(
  twin: Twin,
  command: Extract<Command, { type: 'openAccount' }>,
  events: PlainEvent[],
): void {
  const { ledger, at } = command
  const accountId = twin.accounts.length + 1
  twin.accounts.push({ id: accountId, ledger })
  const issue: PlainTransfer[] =
    ledger === 'demo'
      ? [
          {
            debit: 'house:demo:demoIssue',
            credit: userAccount(accountId),
            amount: twin.settings.demoBalance,
            kind: 'demoIssue',
            orderId: null,
          },
        ]
      : []
  for (const transfer of issue) move(twin, transfer, at)
  events.push({ type: 'accountOpened', accountId, ledger, transfers: issue })
}

function place(twin: Twin, command: PlaceOrder, events: PlainEvent[]): RejectionCode | null {
  const checked = checkPlace(twin, command)
  if (checked.refused) return checked.refused
  const { market, cost } = checked.found
  const { at } = command
  const order = newOrder(twin, command, market, cost)
  if (command.targetPrice === null) {
    const requestedPrice = openingAt(command.side, market.quote)
    open(twin, order, { market, cost, trigger: 'user', requestedPrice, at, events })
  } else {
    twin.living.push(order)
    const { targetPrice } = command
    const receipt = noteReceipt({
      action: 'place',
      trigger: 'user',
      quote: market.quote,
      requestedPrice: targetPrice,
      at,
    })
    events.push({ type: 'orderPlaced', ...termsOf(order), receipt })
  }
  return null
}

function newOrder(twin: Twin, command: PlaceOrder, { quote }: TwinMarket, cost: TwinCost): TwinOrder {
  const { targetPrice, side } = command
  const opening = openingAt(side, quote)
  const isBetter = targetPrice !== null && (side === 'buy' ? targetPrice < opening : targetPrice > opening)
  return {
    orderId: Math.max(0, ...[...twin.living, ...twin.ended].map(({ orderId }) => orderId)) + 1,
    accountId: command.accountId,
    instrumentId: command.instrumentId,
    side,
    kind: targetPrice === null ? 'market' : isBetter ? 'limit' : 'stop',
    lots: command.lots,
    leverage: command.leverage,
    targetPrice,
    acceptedPrice: targetPrice ?? Number(rounded({ over: BigInt(quote.bid + quote.ask), under: 2n })),
    takeProfit: command.takeProfit,
    stopLoss: command.stopLoss,
    expiresAt: command.expiresAt,
    createdAt: command.at,
    ...cost,
    status: 'pending',
    openPrice: null,
    openedAt: null,
    reason: 'none',
  }
}
